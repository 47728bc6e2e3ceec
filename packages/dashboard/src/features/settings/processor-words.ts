import type { ProcessorName } from '@svc/contract';
import type { Data } from '../../api/client.ts';

/** The state of a program’s connection to a payment processor. */
export type Connection = Data<'manageProcessor'>;

/** What each payment processor calls things. */
export const PROCESSOR_WORDS: Record<ProcessorName, { title: string; endpoint: string; data: string }> = {
  stripe: { title: 'Stripe', endpoint: 'webhook endpoint', data: 'metadata' },
  paddle: { title: 'Paddle', endpoint: 'notification destination', data: 'custom data' },
};
