import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { TOKEN_SCOPES } from '../../values/scopes.ts';
import { MANAGE, managed, one } from '../route.ts';

export const manageTokens = defineRoute({
  ...managed,
  id: 'manageTokens',
  method: 'GET',
  path: `${MANAGE}/tokens`,
  summary: 'List your account tokens',
  description:
    'Tokens that still work, newest first. All of them end when you change your password or leave your workspace.',
  reply: one(
    z.array(
      z.object({
        id: z.int(),
        name: z.string().describe('What the terminal or the application calls itself.'),
        client: z
          .string()
          .nullable()
          .describe('Where the application continues, such as claude.ai; null for terminals.'),
        scopes: z
          .array(z.enum(TOKEN_SCOPES))
          .nullable()
          .describe('What the application may do; null for terminals, which may do what the account may.'),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable().describe('Accurate to about five minutes; null if never used.'),
        expires_at: z.iso.datetime(),
        is_current: z.boolean().describe('Whether this request uses it.'),
      }),
    ),
  ),
  statuses: [401],
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
