/** The payment processors that a program can be connected to. */
export const PROCESSORS = ['stripe', 'paddle', 'polar', 'lemonsqueezy', 'custom'] as const;
export type ProcessorName = (typeof PROCESSORS)[number];

/** How many signing secrets a connection may have at a time. */
export const MAX_PROCESSOR_SECRETS = 5;

/** The event that links payments to the invoices of subscriptions, and what goes wrong without it. */
export const INVOICE_LINKS: Partial<Record<ProcessorName, { event: string; problem: string }>> = {
  stripe: { event: 'invoice_payment.paid', problem: 'refunds and disputes cannot be applied' },
  lemonsqueezy: { event: 'subscription_created', problem: 'first payments of subscriptions count twice' },
};
