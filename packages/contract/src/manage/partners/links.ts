import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText, optionalIdentifier, urlText } from '../../values/fields.ts';
import { TEST_LINK_PREFIX } from '../../values/names.ts';
import { isWebAddress } from '../../values/web-address.ts';
import { expand } from '../expand.ts';
import { flag, idFilter, listQuery, managed, one, PROGRAM, searchFilter, sharedRow, sortBy, totals } from '../route.ts';
import { manyWithNumbers, NUMBER_SORTS, numbers } from './numbers.ts';
import { expandedPartner } from './partners.ts';

export const linkRow = z.object({
  id: z.int(),
  short_link: z.string(),
  url: z.string(),
  destination_url: z.string().nullable(),
  label: z.string().nullable(),
  active: z.boolean(),
  deleted_at: z.iso.datetime().nullable(),
  partner_id: z.int(),
  partner_name: z.string(),
  created_at: z.iso.datetime(),
});
z.globalRegistry.add(linkRow, { id: 'Link' });
export type LinkRow = z.input<typeof linkRow>;

const shownLink = linkRow.extend({
  short_url: z
    .string()
    .describe(
      'The short address of the link: on the program’s own link host if it has an active one, otherwise on that of the service. It records the ' +
        'click and leads to the destination.',
    ),
});

const listedLink = shownLink.extend({ numbers, partner: expandedPartner });
const expands = expand('partner');

export const LINK_SORTS = ['created_at', 'short_link', 'partner_name', ...NUMBER_SORTS] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

/** The filters of the list and of its file. */
export const linkFilters = {
  partner_id: idFilter('partner_id'),
  active: flag('active'),
  deleted: flag('deleted').describe('`true` lists only deleted links, which are left out otherwise.'),
  q: searchFilter('Part of the short link or the label, case-insensitive.'),
};

export const manageLinks = defineRoute({
  ...managed,
  id: 'manageLinks',
  mayBeBehind: true,
  method: 'GET',
  path: `${PROGRAM}/links`,
  summary: 'List links',
  description: 'Newest first, unless `sort` says otherwise. Partners see only their own.',
  role: 'viewer',
  partners: true,
  query: z.object({
    ...listQuery,
    sort: sortBy(LINK_SORTS, '-created_at'),
    totals,
    expand: expands,
    link_id: idFilter('link_id').describe('Only the link with this id.'),
    ...linkFilters,
  }),
  reply: manyWithNumbers(listedLink),
  statuses: [400, 401, 404],
});

export const manageLink = defineRoute({
  ...sharedRow,
  id: 'manageLink',
  path: `${PROGRAM}/links/:link_id`,
  summary: 'Get a link',
  description: 'The row of the list, also of a deleted link.',
  query: z.object({ expand: expands }),
  reply: one(listedLink),
});

const SHORT_LINK = /^[\w.-]{1,64}$/;

const isFreeToUse = (value: string) => !value.startsWith(TEST_LINK_PREFIX);

const shortLinkErrors = (field: string) => ({
  form: { error: `${field} must be 1 to 64 letters, digits, hyphens, underscores or dots` },
  prefix: { error: `${field} must not begin with ${TEST_LINK_PREFIX}` },
});

/** A short link that must be there. */
export function shortLink(field: string) {
  const { form, prefix } = shortLinkErrors(field);
  return z.string(form).regex(SHORT_LINK, form).refine(isFreeToUse, prefix);
}

const DESTINATION =
  'destination_url must be a web address, without a user name, a password, backslashes or control characters';

/** Whether it is a web address or a path of the program's site. Where it leads is checked with the program. */
function isDestination(value: string): boolean {
  return isWebAddress(value, value.startsWith('/') ? 'https://acme.test' : undefined);
}

export const destinationUrl = urlText('destination_url').refine(isDestination, { error: DESTINATION });

const changedDestination = urlText('destination_url')
  .refine((value) => value === '' || isDestination(value), { error: DESTINATION })
  .transform((value) => value || null);

export const MAX_LABEL_CHARS = 100;

const label = boundedText('label', MAX_LABEL_CHARS).transform((value) => value.trim() || null);

export const manageAddLink = defineRoute({
  ...managed,
  id: 'manageAddLink',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: `${PROGRAM}/links`,
  summary: 'Create a link',
  description:
    'Partners create links for themselves. `short_link` is generated if left out. `destination_url` has to lead to the ' +
    'program’s domain, to an https subdomain of it, or to one of its allowed origins; a path like `/pricing` is on the ' +
    'program’s domain.',
  role: 'member',
  partners: true,
  success: 201,
  body: z.object({
    partner_id: z
      .int({ error: 'partner_id is required' })
      .optional()
      .describe('Required unless the caller is the partner.'),
    short_link: optionalIdentifier('short_link')
      .refine((value) => !value || SHORT_LINK.test(value), shortLinkErrors('short_link').form)
      .refine((value) => !value || isFreeToUse(value), shortLinkErrors('short_link').prefix),
    destination_url: destinationUrl.optional(),
    label: label.optional(),
  }),
  reply: one(shownLink),
  statuses: [400, 401, 404, 409],
});

const ACTIVE = 'active must be true or false';

export const manageUpdateLink = defineRoute({
  ...managed,
  id: 'manageUpdateLink',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: `${PROGRAM}/links/:link_id`,
  ifMatch: true,
  summary: 'Change a link',
  description:
    'Only the fields that are sent change; the short link never does. Partners can change only their own links, including ' +
    'ones the brand disabled. To stop a partner, block them.',
  role: 'member',
  partners: true,
  precheck: ({ active, destination_url, label: newLabel }) =>
    active === undefined && destination_url === undefined && newLabel === undefined
      ? { message: ACTIVE, field: 'active' }
      : null,
  body: z.object({
    active: z.boolean({ error: ACTIVE }).optional(),
    destination_url: changedDestination.optional().describe('Empty for the start page of the program’s site.'),
    label: label.optional().describe('Shown in lists; visitors do not see it.'),
  }),
  reply: one(shownLink),
  statuses: [400, 401, 404],
});

export const manageDeleteLink = defineRoute({
  ...managed,
  id: 'manageDeleteLink',
  proof: { none: 'Visitors still reach the page, and what was earned stays.' },
  method: 'DELETE',
  path: `${PROGRAM}/links/:link_id`,
  ifMatch: true,
  summary: 'Delete a link',
  description:
    'It cannot be restored, and its short link is never given out again. Visitors still reach the page, but no click is ' +
    'recorded. Customers, sales and commissions stay with the partner.',
  role: 'member',
  partners: true,
  reply: one(z.object({})),
  statuses: [401, 404],
});
