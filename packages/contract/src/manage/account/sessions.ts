import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { MANAGE, managed, one } from '../route.ts';

export const manageSessions = defineRoute({
  ...managed,
  id: 'manageSessions',
  method: 'GET',
  path: `${MANAGE}/sessions`,
  summary: 'List the browsers you are signed in with',
  description: 'The last one used comes first. A session ends after 30 days without use.',
  reply: one(
    z.array(
      z.object({
        id: z.string(),
        device: z.string().describe('Browser and system, such as `Chrome on macOS`.'),
        address: z.string().nullable().describe('The network address it was opened from.'),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable().describe('Accurate to about five minutes.'),
        expires_at: z.iso.datetime(),
        is_current: z.boolean().describe('Whether this request uses it.'),
      }),
    ),
  ),
  statuses: [401],
});

export const manageEndSession = defineRoute({
  ...managed,
  id: 'manageEndSession',
  proof: { none: 'It only ends access.' },
  method: 'DELETE',
  path: `${MANAGE}/sessions/:session_id`,
  summary: 'Sign a browser out',
  description: 'Its session ends immediately.',
  reply: one(z.object({})),
  statuses: [401, 404],
});

export const manageEndOtherSessions = defineRoute({
  ...managed,
  id: 'manageEndOtherSessions',
  proof: { none: 'It only ends access.' },
  method: 'DELETE',
  path: `${MANAGE}/sessions`,
  summary: 'Sign all other browsers out',
  description: 'All sessions end immediately, except the one that sends this request. Account tokens keep working.',
  reply: one(z.object({ ended: z.int().describe('How many sessions ended.') })),
  statuses: [401],
});
