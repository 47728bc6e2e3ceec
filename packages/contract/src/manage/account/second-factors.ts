import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { MANAGE, managed, one } from '../route.ts';

export const manageSecondFactors = defineRoute({
  ...managed,
  id: 'manageSecondFactors',
  method: 'GET',
  path: `${MANAGE}/second-factors`,
  summary: 'List your second factors',
  description:
    'With an authenticator app or a passkey, your password alone is not enough to sign in. Factors are added and removed in the dashboard.',
  reply: one(
    z.object({
      authenticator_app: z.boolean(),
      recovery_codes_left: z.int().nullable().describe('Each works once. Null without an authenticator app.'),
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          created_at: z.iso.datetime().nullable(),
          last_used_at: z.iso.datetime().nullable().describe('Null if it was never used to sign in.'),
        }),
      ),
    }),
  ),
  statuses: [401],
});
