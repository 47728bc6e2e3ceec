import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { identifier, optionalIdentifier, readByOthers } from '../values/fields.ts';

const common = { auth: 'none', bucket: 'cli' } as const;
/** Anyone can choose it. People read it where they decide whether to let the terminal in. */
export const deviceName = readByOthers(identifier('device_name'), 'device_name')
  .transform((value) => (value === '' ? undefined : value))
  .optional();
const MISSING = 'Missing required fields: state, id_token';

export const cliAuthStart = defineRoute({
  ...common,
  id: 'cliAuthStart',
  method: 'POST',
  path: '/api/v1/cli/auth/start',
  summary: 'Start a CLI login',
  description:
    'Open `auth_url` in a browser, sign in and type `user_code` there, then poll. A login expires after five minutes.',
  body: z.object({
    device_name: deviceName.describe('What the token is called in the list of tokens.'),
  }),
  reply: z.object({
    data: z.object({
      state: z.string(),
      auth_url: z.string(),
      poll_url: z.string(),
      expires_at: z.iso.datetime(),
      user_code: z.string(),
    }),
  }),
  fail: (requestId) => errors.cliFailed('Failed to start auth session', requestId),
  statuses: [],
});

export const cliAuthCallback = defineRoute({
  ...common,
  id: 'cliAuthCallback',
  method: 'POST',
  path: '/api/v1/cli/auth/callback',
  summary: 'Complete a CLI login',
  description:
    'The sign-in page calls this with the ID token of the person who signed in and the code that they typed.',
  body: z.object({
    state: identifier('state').min(1, { error: MISSING }),
    id_token: z.string({ error: MISSING }).min(1, { error: MISSING }).max(8192, { error: 'id_token is too long' }),
    user_code: optionalIdentifier('user_code').describe('If sent, it must be the code of this login.'),
  }),
  precheck: ({ state, id_token }) => (state && id_token ? null : MISSING),
  reply: z.object({ data: z.object({ status: z.literal('complete') }) }),
  fail: (requestId) => errors.cliFailed('Auth callback failed', requestId),
  statuses: [400, 401, 403, 404],
});

export const cliAuthPoll = defineRoute({
  ...common,
  id: 'cliAuthPoll',
  method: 'GET',
  path: '/api/v1/cli/auth/poll',
  summary: 'Poll a CLI login',
  description: 'The token is returned once, by the first poll after sign-in.',
  consumes: true,
  query: z.object({ state: identifier('state') }),
  precheck: ({ state }) => (state ? null : 'Missing state parameter'),
  reply: z.object({
    data: z.object({
      status: z.enum(['pending', 'complete', 'expired']),
      token: z.string().optional(),
      email: z.string().optional(),
      advertiser_id: z.int().nullable().optional(),
    }),
  }),
  fail: (requestId) => errors.cliFailed('Failed to poll auth session', requestId),
  statuses: [400, 403, 404],
});
