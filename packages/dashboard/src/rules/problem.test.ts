import { routes } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { readProblem } from './problem.ts';

type Field = { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } };

/** The fields of the requests that pages send, each with what the API says about values that it cannot have. */
const REFUSALS = routes
  .filter(({ id, auth }) => auth === 'account' || id === 'cliAuthCallback')
  .flatMap(({ id, body }) => (body && 'shape' in body ? fieldsOf(id, body.shape as Record<string, Field>) : []));

function fieldsOf(id: string, shape: Record<string, Field>) {
  return Object.entries(shape).map(([field, schema]) => {
    const refused = [{}, '', [{}], -1.5].map((value) => schema.safeParse(value).error?.issues[0]?.message);
    return { id, field, messages: refused.filter((message) => message !== undefined) };
  });
}

it('there are fields to check', () => expect(REFUSALS.length).toBeGreaterThan(50));

const names = REFUSALS.map(({ field }) => field);
/** Names that nobody would take for a word. */
const TECHNICAL_NAME = new RegExp(`\\b(${names.filter((name) => name.includes('_')).join('|')})\\b`);

describe('what the API says about a field', () => {
  it.each(REFUSALS)('$field of $id is said in words, at its field', ({ field, messages }) => {
    for (const message of messages) {
      const { text, field: found } = readProblem(message);
      expect(text).not.toMatch(TECHNICAL_NAME);
      if (message.startsWith(`${field} `)) expect(found).toBe(field);
    }
  });

  it.each([
    ['short_link "jane" is taken. Choose another.', 'short_link', 'The link name "jane" is taken. Choose another.'],
    [
      'short_link "hold_days" is taken. Choose another.',
      'short_link',
      'The link name "hold_days" is taken. Choose another.',
    ],
    ['short_link must not begin with svc_test_', 'short_link', 'The link name must not begin with svc_test_'],
    [
      'allowed_origins: "localhost:22010" is not an origin like https://example.com or http://localhost:3000',
      'allowed_origins',
      '"localhost:22010" is not an origin like https://example.com or http://localhost:3000',
    ],
    ['webhook_secret is required', 'webhook_secret', 'The signing secret is required'],
    [
      'webhook_secret is a secret API key (sk_…), not a signing secret. Stripe shows it.',
      'webhook_secret',
      'This is a secret API key (sk_…), not a signing secret. Stripe shows it.',
    ],
    ['currency must be an ISO 4217 code', 'currency', 'Enter the three letters of a currency, such as USD or EUR'],
    [
      'commission_rate must be at most 100 for commission_type percent',
      'commission_rate',
      'The rate must be at most 100 for this commission type',
    ],
    ['name and email are required', 'name', 'The name and email are required'],
    ['rotate_by must be in the future', 'rotate_by', 'The deadline must be in the future'],
    [
      'This account_id is already connected to another workspace',
      'account_id',
      'This account ID is already connected to another workspace',
    ],
    ['[body.email] Invalid email address', 'email', 'Invalid email address'],
    ['rule 2: pays.rate must be at most 100 percent', null, 'Rule 2: the rate must be at most 100 percent'],
    ['rule 2: on can never match: rule 1 matches first', null, 'Rule 2 can never match: rule 1 matches first'],
    ['tier.at_least must be a whole number, 1 or more', 'tier', 'The threshold must be a whole number, 1 or more'],
  ])('%s', (message, field, text) => expect(readProblem(message)).toEqual({ field, text }));
});

it.each([
  ['Password too short', 'PASSWORD_TOO_SHORT', null],
  ['User already exists. Use another email.', 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 'email'],
  ['Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD', null],
  ['A payout that is paid cannot be cancelled', undefined, null],
  ['Can’t reach the server. Check your connection and try again.', undefined, null],
])('%s stays as it is', (text, code, field) => expect(readProblem(text, code)).toEqual({ text, field }));
