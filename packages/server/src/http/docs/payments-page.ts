import { checkoutGuides, type ProcessorName, type Snippet } from '@svc/contract';
import { outcomes } from '../../payments/events/outcomes.ts';
import { processors } from '../../payments/processors/processors.ts';
import type { Block } from './blocks.ts';

/** The program of the examples. The dashboard shows them with the program's own id. */
const EXAMPLE_PROGRAM = 42;

/** Where each payment processor takes the address of a webhook. */
const PLACES: [ProcessorName, string, string][] = [
  [
    'stripe',
    'Stripe',
    'Open Workbench, Webhooks, and choose Add destination. Choose events from your account, **snapshot** payloads, and a webhook endpoint as the destination.',
  ],
  ['paddle', 'Paddle', 'Open Developer tools, Notifications, and add a destination of type webhook.'],
  ['polar', 'Polar', 'Open your organization’s Settings, Webhooks, and add an endpoint with the format Raw.'],
  [
    'lemonsqueezy',
    'Lemon Squeezy',
    'Open Settings, Webhooks, and add a webhook with a signing secret that you make up.',
  ],
  [
    'custom',
    'Any other payment processor',
    'Your server signs and sends what happened, as [Standard Webhooks](https://www.standardwebhooks.com/) describes it. The secret is `whsec_` and at least 24 random bytes in base64. The fields are in the [API reference](/docs).',
  ],
];
/** Where the fields of a checkout end up. */
const COPIED: Partial<Record<ProcessorName, string>> = {
  paddle: 'Paddle copies the custom data of a checkout to its subscription.',
  polar: 'Polar copies the metadata of a checkout to its order, its subscription and the renewals.',
};

/** The code of every kind of checkout with the addresses of this installation, and what the outcomes of events mean. */
export function paymentsPage(baseUrl: string): { title: string; blocks: Block[] } {
  return {
    title: 'Checkout code',
    blocks: [
      {
        text: `The addresses of webhooks and the code of checkouts, to copy. How payments are matched to partners is in [the guide](/docs/guide/payments). In the code, the program is ${EXAMPLE_PROGRAM}; the program’s Settings, Payments shows the same steps with its own id, and what has arrived.`,
      },
      ...PLACES.flatMap(([provider, name, place]) => [
        { heading: name, level: 2 } as const,
        { text: place },
        ...connecting(baseUrl, provider),
        ...[COPIED[provider] ?? []].flat().map((text) => ({ text })),
        ...checkouts(baseUrl, provider),
      ]),
      { heading: 'Event outcomes', level: 2 },
      {
        text: '`GET /api/v1/manage/programs/<program id>/processor/events` lists the events with their outcomes.',
      },
      {
        titles: ['Outcome', 'Meaning'],
        table: Object.entries(outcomes).map(([code, sentence]) => [`\`${code}\``, sentence]),
      },
    ],
  };
}

/** The address, the events and the secret of a processor. */
function connecting(baseUrl: string, provider: ProcessorName): Block[] {
  const { events, tellsTestMode } = processors[provider];
  const fields = tellsTestMode ? '`provider` and `webhook_secret`' : '`provider`, `webhook_secret` and `test_mode`';
  return [
    { text: 'Its address is:' },
    { code: `${baseUrl}/api/v1/webhooks/${provider}/<program id>` },
    { text: `${provider === 'custom' ? 'Send' : 'Select'} these events:` },
    { list: Object.entries(events).map(([name, use]) => `\`${name}\`: ${use}`) },
    {
      text: `Enter its signing secret in the program’s Settings, Payments, or send it to \`PUT /api/v1/manage/programs/<program id>/processor\` with ${fields}.`,
    },
  ];
}

/** The code of every kind of checkout, after the files that it imports. */
function checkouts(baseUrl: string, provider: ProcessorName): Block[] {
  const { shared, ways } = checkoutGuides[provider](EXAMPLE_PROGRAM, baseUrl);
  return [
    { heading: 'Files that the code below imports', level: 3 },
    ...shared.map(codeOf),
    ...ways.flatMap(({ title, about, snippets }) => [
      { heading: title, level: 3 } as const,
      { text: about },
      ...snippets.flatMap((snippet) => [{ heading: snippet.framework, level: 4 } as const, codeOf(snippet)]),
    ]),
  ];
}

const codeOf = ({ code }: Snippet): Block => ({ code });
