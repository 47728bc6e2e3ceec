import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { personName } from '../../values/fields.ts';
import { TOKEN_SCOPES } from '../../values/scopes.ts';
import { MANAGE, managed, one } from '../route.ts';

/** How many tokens an account can have at a time. Signing in to a terminal or an application is always possible. */
export const MAX_TOKENS = 50;
export const MAX_TOKEN_DAYS = 365;
export const DEFAULT_TOKEN_DAYS = 90;

const token = z.object({
  id: z.int(),
  name: z.string().describe('What you, the terminal or the application calls it.'),
  client: z
    .string()
    .nullable()
    .describe(
      'Where the application continues, such as claude.ai; null for terminals and for tokens that you created.',
    ),
  scopes: z
    .array(z.enum(TOKEN_SCOPES))
    .nullable()
    .describe('What it may do; null for terminals, which may do what the account may.'),
  program_id: z.int().nullable().describe('The only program that it works for; null if it is not limited to one.'),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe('Accurate to about five minutes; null if never used.'),
  expires_at: z.iso.datetime().nullable().describe('Null if it works until it is revoked.'),
});

export const manageTokens = defineRoute({
  ...managed,
  id: 'manageTokens',
  method: 'GET',
  path: `${MANAGE}/tokens`,
  summary: 'List your account tokens',
  description:
    'Tokens that still work, newest first. All of them end when you change your password or leave your workspace.',
  reply: one(z.array(token.extend({ is_current: z.boolean().describe('Whether this request uses it.') }))),
  statuses: [401],
});

const SCOPES = `scopes must be a list of one or more of ${TOKEN_SCOPES.join(', ')}`;
const DAYS = `expires_in_days must be a whole number from 0 to ${MAX_TOKEN_DAYS}`;
const PROGRAM_ID = 'program_id must be a whole number';

export const manageAddToken = defineRoute({
  ...managed,
  id: 'manageAddToken',
  proof: 'recent',
  method: 'POST',
  path: `${MANAGE}/tokens`,
  summary: 'Create an account token',
  description:
    'Returns the token in full; it cannot be read again later. `read` reads; `write` also changes what people need not prove their ' +
    'identity for; `track` reports events of the program, as its key does. A token never creates one that lasts longer than itself, ' +
    'and tokens with scopes create none.',
  success: 201,
  precheck: ({ scopes, program_id: program }) =>
    Array.isArray(scopes) && scopes.includes('track') && program === undefined
      ? { message: 'program_id is required with the scope track', field: 'program_id' }
      : null,
  body: z.object({
    name: personName.describe('What it is for, such as “Zapier”.'),
    scopes: z
      .array(z.enum(TOKEN_SCOPES, { error: SCOPES }), { error: SCOPES })
      .min(1, { error: SCOPES })
      .max(TOKEN_SCOPES.length, { error: SCOPES })
      .describe('`write` includes `read`. Only owners may create tokens with `track`.'),
    expires_in_days: z
      .int({ error: DAYS })
      .min(0, { error: DAYS })
      .max(MAX_TOKEN_DAYS, { error: DAYS })
      .optional()
      .describe(`${DEFAULT_TOKEN_DAYS} by default. 0: until it is revoked, for owners of a workspace.`),
    program_id: z
      .int({ error: PROGRAM_ID })
      .positive({ error: PROGRAM_ID })
      .optional()
      .describe('Limits the token to this program of your workspace. Required with `track`.'),
  }),
  example: { name: 'Zapier', scopes: ['read'], expires_in_days: 365 },
  reply: one(token.extend({ token: z.string() })),
  statuses: [400, 401, 403, 409],
});

export const manageRevokeToken = defineRoute({
  ...managed,
  id: 'manageRevokeToken',
  proof: { none: 'It only ends access.' },
  method: 'DELETE',
  path: `${MANAGE}/tokens/:token_id`,
  summary: 'Revoke an account token',
  description: 'It stops working immediately.',
  reply: one(z.object({})),
  statuses: [401, 404],
});
