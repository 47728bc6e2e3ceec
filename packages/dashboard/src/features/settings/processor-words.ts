import type { ProcessorName } from '@svc/contract';
import type { Data } from '../../api/client.ts';

/** The state of a program’s connection to a payment processor. */
export type Connection = Data<'manageProcessor'>;

type Words = {
  title: string;
  endpoint: string;
  data: string;
  /** How to create the endpoint. */
  create: string;
  /** What to choose along with the events, if anything. */
  payload: string | null;
  /** Where its signing secret is. */
  secret: string;
  /** Where to see what was sent. */
  deliveries: string;
  /** A command that forwards events to a machine that cannot be reached from outside. */
  forward: ((url: string) => string) | null;
};

/** What each payment processor calls things, and where they are. */
export const PROCESSOR_WORDS: Record<ProcessorName, Words> = {
  stripe: {
    title: 'Stripe',
    endpoint: 'webhook endpoint',
    data: 'metadata',
    create:
      'In Stripe, open Workbench, then Webhooks, and choose Add destination. Choose events from your account, a webhook endpoint as the destination, and enter this URL:',
    payload: 'If Stripe asks for the payload style, choose Snapshot. Thin events do not contain the payment.',
    secret: 'In Stripe, open the destination you created and reveal its signing secret.',
    deliveries: 'the destination’s Event deliveries in Workbench',
    forward: (url) => `stripe listen --forward-to ${url}`,
  },
  paddle: {
    title: 'Paddle',
    endpoint: 'notification destination',
    data: 'custom data',
    create:
      'In Paddle, open Developer tools, then Notifications, and choose New destination. Choose Webhook as the type and enter this URL:',
    payload: null,
    secret: 'In Paddle, edit the destination you created and copy its secret key.',
    deliveries: 'the destination’s logs under Developer tools, Notifications',
    forward: null,
  },
};
