import { z } from 'zod';
import { identifier, optionalIdentifier, text, urlText } from './fields.ts';
import { idFilter, listQuery, managed, many, one, PROGRAM } from './manage-route.ts';
import { TEST_LINK_PREFIX } from './names.ts';
import { defineRoute } from './route.ts';

const STATUSES = ['active', 'blocked', 'removed'] as const;

const partner = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  status: z.enum(STATUSES),
  created_at: z.iso.datetime(),
});

export const managePartners = defineRoute({
  ...managed,
  id: 'managePartners',
  method: 'GET',
  path: `${PROGRAM}/partners`,
  summary: 'List the partners of a program',
  description: 'Newest first.',
  role: 'member',
  query: z.object({
    ...listQuery,
    status: z.enum(STATUSES, { error: `status must be ${STATUSES.join(', ')}` }).optional(),
    search: text('search').optional().describe('A part of the name or e-mail.'),
  }),
  reply: many(partner),
  statuses: [400, 401, 404],
});

export const manageAddPartner = defineRoute({
  ...managed,
  id: 'manageAddPartner',
  method: 'POST',
  path: `${PROGRAM}/partners`,
  summary: 'Add a partner',
  description: 'Send them `invite_url`, so that they can see their own numbers; it works once, for seven days.',
  role: 'member',
  success: 201,
  body: z.object({
    name: identifier('name').min(1, { error: 'name is required' }),
    email: text('email').regex(/^[^@\s]+@[^@\s]+$/, { error: 'email must be an e-mail address' }),
  }),
  precheck: ({ name, email }) => (name && email ? null : 'name and email are required'),
  reply: one(partner.extend({ invite_url: z.string() })),
  statuses: [400, 401, 404, 409],
});

export const manageUpdatePartner = defineRoute({
  ...managed,
  id: 'manageUpdatePartner',
  method: 'PATCH',
  path: `${PROGRAM}/partners/:partner_id`,
  summary: 'Block, remove or bring back a partner',
  description: 'Links of a partner who is not active answer 410, and their customers’ sales earn nothing new.',
  role: 'member',
  body: z.object({ status: z.enum(STATUSES, { error: `status must be ${STATUSES.join(', ')}` }) }),
  reply: one(partner),
  statuses: [400, 401, 404],
});

const link = z.object({
  id: z.int(),
  short_link: z.string(),
  url: z.string(),
  active: z.boolean(),
  partner_id: z.int(),
  created_at: z.iso.datetime(),
});

export const manageLinks = defineRoute({
  ...managed,
  id: 'manageLinks',
  method: 'GET',
  path: `${PROGRAM}/links`,
  summary: 'List the links of a program',
  description: 'A partner sees their own.',
  role: 'partner',
  query: z.object({ ...listQuery, partner_id: idFilter('partner_id') }),
  reply: many(link),
  statuses: [400, 401, 404],
});

const SHORT_LINK = 'short_link must be 1 to 64 letters, digits, hyphens, underscores or dots';

export const manageAddLink = defineRoute({
  ...managed,
  id: 'manageAddLink',
  method: 'POST',
  path: `${PROGRAM}/links`,
  summary: 'Make a link',
  description: 'A partner makes their own. `short_link` is made up when it is left out.',
  role: 'partner',
  success: 201,
  body: z.object({
    partner_id: z.int({ error: 'partner_id is required' }).optional().describe('Needed unless one is the partner.'),
    short_link: optionalIdentifier('short_link')
      .refine((value) => !value || /^[\w.-]{1,64}$/.test(value), { error: SHORT_LINK })
      .refine((value) => !value?.startsWith(TEST_LINK_PREFIX), {
        error: `short_link must not begin with ${TEST_LINK_PREFIX}`,
      }),
    destination_url: urlText('destination_url')
      .refine((value) => URL.canParse(value) && /^https?:/.test(value), {
        error: 'destination_url must be a web address',
      })
      .optional(),
  }),
  reply: one(link),
  statuses: [400, 401, 404, 409],
});

export const manageUpdateLink = defineRoute({
  ...managed,
  id: 'manageUpdateLink',
  method: 'PATCH',
  path: `${PROGRAM}/links/:link_id`,
  summary: 'Switch a link on or off',
  description: 'A partner switches their own.',
  role: 'partner',
  body: z.object({ active: z.boolean({ error: 'active must be true or false' }) }),
  reply: one(link),
  statuses: [400, 401, 404],
});
