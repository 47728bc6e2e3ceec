import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { MANAGE, managed, one } from './route.ts';

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
        name: z.string().describe('What the terminal that signed in calls itself.'),
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
