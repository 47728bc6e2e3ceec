import type { ProcessorName } from '@svc/contract';
import type { Data } from '../../api/client.ts';

/** The state of a program’s connection to a payment processor. */
export type Connection = Data<'manageProcessor'>;

/** What a payment processor calls things, and where they are. */
type Names = {
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

type Words = Names & {
  /** Its name among the others. */
  option: string;
  /** What it does for a program. */
  about: string;
  /** The titles of the steps that differ. */
  addressStep: string;
  dataStep: string;
  /** Why each payment needs our data. */
  why: string;
  /** How to try it. */
  test: string;
  /** Whether it runs in the shop itself, which reaches any address. */
  isOwn: boolean;
};

/** The words for a processor that sends its events itself. */
function wordsOf(names: Names): Words {
  const { title, endpoint, data } = names;
  return {
    ...names,
    option: title,
    about: `Records payments, renewals, refunds and disputes from your ${title} account.`,
    addressStep: `Add a ${endpoint} in ${title}`,
    dataStep: `Add ${data} to every checkout`,
    why: `${title} must pass on who pays. Without this, payments arrive but credit nobody.`,
    test: `Make a payment in ${title}’s test mode. It appears here within seconds.`,
    isOwn: false,
  };
}

export const PROCESSOR_WORDS: Record<ProcessorName, Words> = {
  stripe: wordsOf({
    title: 'Stripe',
    endpoint: 'webhook endpoint',
    data: 'metadata',
    create:
      'In Stripe, open Workbench, then Webhooks, and choose Add destination. Choose events from your account, a webhook endpoint as the destination, and enter this URL:',
    payload: 'If Stripe asks for the payload style, choose Snapshot. Thin events do not contain the payment.',
    secret: 'In Stripe, open the destination you created and reveal its signing secret.',
    deliveries: 'the destination’s Event deliveries in Workbench',
    forward: (url) => `stripe listen --forward-to ${url}`,
  }),
  paddle: wordsOf({
    title: 'Paddle',
    endpoint: 'notification destination',
    data: 'custom data',
    create:
      'In Paddle, open Developer tools, then Notifications, and choose New destination. Choose Webhook as the type and enter this URL:',
    payload: null,
    secret: 'In Paddle, edit the destination you created and copy its secret key.',
    deliveries: 'the destination’s logs under Developer tools, Notifications',
    forward: null,
  }),
  polar: wordsOf({
    title: 'Polar',
    endpoint: 'webhook endpoint',
    data: 'metadata',
    create:
      'In Polar, open your organization’s Settings, then Webhooks, and choose Add Endpoint. Leave the format at Raw and enter this URL:',
    payload: null,
    secret: 'In Polar, open the endpoint you created and copy its secret.',
    deliveries: 'the endpoint’s deliveries under Settings, Webhooks',
    forward: null,
  }),
  lemonsqueezy: wordsOf({
    title: 'Lemon Squeezy',
    endpoint: 'webhook',
    data: 'custom data',
    create:
      'In Lemon Squeezy, open Settings, then Webhooks, and add a webhook. Make up a long signing secret, and enter this callback URL:',
    payload: 'Test mode has webhooks of its own. Add one there too.',
    secret: 'Enter the signing secret that you made up for the webhook.',
    deliveries: 'the recent deliveries under Settings, Webhooks',
    forward: null,
  }),
  custom: {
    title: 'Custom',
    option: 'Any other (custom)',
    about: 'Records payments, renewals, refunds and disputes that your own server signs and sends.',
    endpoint: 'shop',
    data: 'payer',
    addressStep: 'Know where to send events',
    create: 'Your server sends an event to this address whenever an order is paid or refunded:',
    payload: null,
    secret:
      'Make up a secret, store it on your server as SVC_WEBHOOK_SECRET and enter it here. This command prints one: echo "whsec_$(openssl rand -base64 32)"',
    dataStep: 'Send every payment',
    why: 'Say with each payment who pays. Without this, payments arrive but credit nobody.',
    test: 'Send an event with "test_mode": true. It appears here within seconds.',
    deliveries: 'the responses that your server gets',
    forward: null,
    isOwn: true,
  },
};
