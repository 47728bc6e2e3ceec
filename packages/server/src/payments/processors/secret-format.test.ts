import type { ProcessorName } from '@svc/contract';
import { expect, it } from 'vitest';
import { processors } from './processors.ts';
import { secretProblem } from './secret-format.ts';

const problemOf = (name: ProcessorName, value: string) => {
  const { title, secret } = processors[name];
  return secretProblem(title, secret, value);
};

it.each<[ProcessorName, string]>([
  ['stripe', 'whsec_abc'],
  ['paddle', 'pdl_ntfset_01habc_def+/='],
  ['polar', 'polar_whs_0123456789abcdefghijklmnopqrst'],
  ['polar', 'one that a merchant chose long ago?'.replaceAll(' ', '_')],
  ['lemonsqueezy', 'Zitrön!'],
  ['custom', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
])('%s accepts %s', (name, value) => {
  expect(problemOf(name, value)).toBeNull();
});

it.each<[ProcessorName, string, string]>([
  [
    'polar',
    'polar_oat_abc',
    'webhook_secret: this is an organization access token (polar_oat_…), not a signing secret. Polar shows the signing secret under Settings, Webhooks, your endpoint.',
  ],
  [
    'polar',
    'polar_whs_…',
    'webhook_secret is not complete. Polar shows the signing secret under Settings, Webhooks, your endpoint.',
  ],
  [
    'lemonsqueezy',
    'eyJ0eXAiOiJKV1Qi',
    'webhook_secret: this is an API key (eyJ…), not a signing secret. Lemon Squeezy shows the signing secret under Settings, Webhooks, your webhook.',
  ],
  [
    'lemonsqueezy',
    'short',
    'webhook_secret is not complete. Lemon Squeezy shows the signing secret under Settings, Webhooks, your webhook.',
  ],
  [
    'lemonsqueezy',
    'two words',
    'webhook_secret is not complete. Lemon Squeezy shows the signing secret under Settings, Webhooks, your webhook.',
  ],
  ['custom', 'something', 'webhook_secret: this is not a signing secret. It starts with whsec_.'],
  ['custom', 'whsec_abc', 'webhook_secret is not complete. It has at least 32 characters after whsec_.'],
  [
    'stripe',
    'whsec_…',
    'webhook_secret is not complete. Stripe shows the signing secret under Workbench, Webhooks, your destination.',
  ],
])('%s refuses %s', (name, value, problem) => {
  expect(problemOf(name, value)).toBe(problem);
});
