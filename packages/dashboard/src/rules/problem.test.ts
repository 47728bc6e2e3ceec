import { routes, schemaProblem } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readProblem } from './problem.ts';

/** The fields of the requests that pages send, each with what the API says about values that it cannot have. */
const REFUSALS = routes
  .filter(({ id, auth }) => auth === 'account' || id === 'cliAuthCallback')
  .flatMap(({ id, body }) => (body && 'shape' in body ? fieldsOf(id, body as z.ZodObject) : []));

function fieldsOf(id: string, { shape }: z.ZodObject) {
  return Object.entries(shape).map(([field, schema]) => {
    const only = z.object({ [field]: schema });
    const refused = [{}, '', [{}], -1.5].map((value) => only.safeParse({ [field]: value }).error);
    return { id, field, problems: refused.flatMap((error) => (error ? [schemaProblem(error)] : [])) };
  });
}

it('there are fields to check', () => expect(REFUSALS.length).toBeGreaterThan(50));

const names = REFUSALS.map(({ field }) => field);
/** Names that nobody would take for a word. */
const TECHNICAL_NAME = new RegExp(`\\b(${names.filter((name) => name.includes('_')).join('|')})\\b`);

describe('what the API says about a field', () => {
  it.each(REFUSALS)('$field of $id is said in words, at its field', ({ field, problems }) => {
    for (const problem of problems) {
      const { text, field: found } = readProblem(problem);
      expect(text).not.toMatch(TECHNICAL_NAME);
      expect(text).toMatch(/^["\p{Lu}]/u);
      if (problem.rule === undefined) expect(found).toBe(field);
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
    ['agreements: accept the agreement with Acme', 'agreements', 'Accept the agreement with Acme'],
    ['webhook_secret is required', 'webhook_secret', 'The signing secret is required'],
    ['currency must be an ISO 4217 code', 'currency', 'Enter the three letters of a currency, such as USD or EUR'],
    [
      'commission_rate must be at most 100 for commission_type percent',
      'commission_rate',
      'The rate must be at most 100 for commission type percent',
    ],
    ['name and email are required', 'name', 'The name and email are required'],
    ['newPassword must be at least 8 characters', 'newPassword', 'The new password must be at least 8 characters'],
    ['rotate_by must be in the future', 'rotate_by', 'The deadline must be in the future'],
    [
      'This account_id is already connected to another workspace',
      'account_id',
      'This account ID is already connected to another workspace',
    ],
  ])('%s', (message, field, text) => expect(readProblem({ message, field })).toEqual({ field, text }));

  it('names the part of a field that has parts, at its input', () => {
    const message = 'tier.at_least must be a whole number, 1 or more';
    const text = 'The threshold must be a whole number, 1 or more';
    expect(readProblem({ message, field: 'tier.at_least' })).toEqual({ field: 'tier', text });
  });

  it.each([
    ['rule 2: pays.rate must be at most 100 percent', 'pays.rate', 'Rule 2: the rate must be at most 100 percent'],
    ['rule 2: on can never match: rule 1 matches first', 'on', 'Rule 2 can never match: rule 1 matches first'],
    ['rule 2: it must be an object', undefined, 'Rule 2: it must be an object'],
  ])('%s', (message, field, text) => {
    expect(readProblem({ message, field, rule: 2 })).toEqual({ field: null, text });
  });
});

it.each([
  ['Password too short', 'PASSWORD_TOO_SHORT', null],
  ['User already exists. Use another email.', 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 'email'],
  ['Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD', null],
  ['A payout that is paid cannot be cancelled', undefined, null],
  ['Can’t reach the server. Check your connection and try again.', undefined, null],
])('%s stays as it is', (text, code, field) => expect(readProblem({ message: text, code })).toEqual({ text, field }));
