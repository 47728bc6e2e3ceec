/** The payment processors that a program can be connected to. */
export const PROCESSORS = ['stripe', 'paddle', 'polar', 'lemonsqueezy', 'custom'] as const;
export type ProcessorName = (typeof PROCESSORS)[number];

/** How many signing secrets a connection may have at a time. */
export const MAX_PROCESSOR_SECRETS = 5;
