import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { optionalIdentifier, urlText } from '../values/fields.ts';
import { TEST_LINK_PREFIX } from '../values/names.ts';
import { flag, idFilter, listQuery, managed, many, one, PROGRAM, searchFilter } from './route.ts';

const link = z.object({
  id: z.int(),
  short_link: z.string(),
  url: z.string(),
  destination_url: z.string().nullable(),
  active: z.boolean(),
  partner_id: z.int(),
  partner_name: z.string(),
  created_at: z.iso.datetime(),
});

export const manageLinks = defineRoute({
  ...managed,
  id: 'manageLinks',
  method: 'GET',
  path: `${PROGRAM}/links`,
  summary: 'List links',
  description: 'Newest first. Partners see only their own.',
  role: 'partner',
  query: z.object({
    ...listQuery,
    partner_id: idFilter('partner_id'),
    active: flag('active'),
    q: searchFilter('Part of the short link, case-insensitive.'),
  }),
  reply: many(link),
  statuses: [400, 401, 404],
});

const SHORT_LINK = 'short_link must be 1 to 64 letters, digits, hyphens, underscores or dots';

export const manageAddLink = defineRoute({
  ...managed,
  id: 'manageAddLink',
  method: 'POST',
  path: `${PROGRAM}/links`,
  summary: 'Create a link',
  description:
    'Partners create links for themselves. `short_link` is generated if left out. `destination_url` has to lead to the ' +
    'program’s domain, to an https subdomain of it, or to one of its allowed origins.',
  role: 'partner',
  success: 201,
  body: z.object({
    partner_id: z
      .int({ error: 'partner_id is required' })
      .optional()
      .describe('Required unless the caller is the partner.'),
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
  summary: 'Enable or disable a link',
  description:
    'Partners can toggle only their own links, including ones the brand disabled. To stop a partner, block them.',
  role: 'partner',
  body: z.object({ active: z.boolean({ error: 'active must be true or false' }) }),
  reply: one(link),
  statuses: [400, 401, 404],
});
