import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { managed, one, PROGRAM } from '../route.ts';

export const KEY_MODES = ['live', 'test'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** How many keys of a mode a program can have at a time: one in use, and one that takes over from it. */
export const MAX_KEYS = 2;

const apiKey = z.object({
  id: z.int(),
  mode: z.enum(KEY_MODES).describe('Everything that is reported with a `test` key is a test event.'),
  api_key_masked: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe('Accurate to about an hour; null if never used.'),
  rotate_by: z.iso.datetime().nullable().describe('The rotation deadline, if the key is marked for rotation.'),
});
z.globalRegistry.add(apiKey, { id: 'ApiKey' });

export const manageApiKeys = defineRoute({
  ...managed,
  id: 'manageApiKeys',
  method: 'GET',
  path: `${PROGRAM}/api-keys`,
  summary: 'List the API keys of a program',
  description: 'The keys that work, masked, newest first.',
  role: 'viewer',
  reply: one(z.array(apiKey)),
  statuses: [401, 404],
});

export const manageAddApiKey = defineRoute({
  ...managed,
  id: 'manageAddApiKey',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/api-keys`,
  summary: 'Create an API key',
  description: `Returns the key in full; it cannot be read again later. The other keys keep working. A program can have ${MAX_KEYS} live keys and ${MAX_KEYS} test keys at a time.`,
  role: 'owner',
  success: 201,
  body: z.object({ mode: z.enum(KEY_MODES, { error: `mode must be ${KEY_MODES.join(' or ')}` }).default('live') }),
  reply: one(apiKey.extend({ api_key: z.string() })),
  statuses: [400, 401, 403, 404, 409],
});

export const manageRetireApiKey = defineRoute({
  ...managed,
  id: 'manageRetireApiKey',
  proof: 'recent',
  method: 'DELETE',
  path: `${PROGRAM}/api-keys/:key_id`,
  summary: 'Retire an API key',
  description:
    'It stops working immediately, and for good. The last live key that works cannot be retired: regenerate it instead.',
  role: 'owner',
  reply: one(z.object({})),
  statuses: [401, 403, 404, 409],
});
