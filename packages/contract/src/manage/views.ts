import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { boundedText } from '../values/fields.ts';
import { managed, one, PROGRAM } from './route.ts';

/** The lists whose filters can be saved. */
export const VIEWED_LISTS = [
  'balances',
  'commissions',
  'coupons',
  'customers',
  'events',
  'links',
  'partners',
  'payouts',
  'sales',
] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

/** How many views a person can save in a program. */
export const MAX_VIEWS = 50;

const view = z.object({
  id: z.int(),
  list: z.enum(VIEWED_LISTS),
  name: z.string(),
  query: z.string().describe('The filters and the order, as a query string.'),
  created_at: z.iso.datetime(),
});
z.globalRegistry.add(view, { id: 'SavedView' });

export const manageViews = defineRoute({
  ...managed,
  id: 'manageViews',
  method: 'GET',
  path: `${PROGRAM}/views`,
  summary: 'List saved views',
  description: 'Your own views of the program’s lists, by name. Nobody else sees them.',
  role: 'viewer',
  reply: one(z.array(view)),
  statuses: [401, 404],
});

export const manageSaveView = defineRoute({
  ...managed,
  id: 'manageSaveView',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: `${PROGRAM}/views`,
  summary: 'Save a view',
  description: `The filters and the order of a list under a name. A view of the same list and name is replaced. At most ${MAX_VIEWS} per person and program.`,
  role: 'viewer',
  success: 201,
  body: z.object({
    list: z.enum(VIEWED_LISTS, { error: `list must be one of ${VIEWED_LISTS.join(', ')}` }),
    name: boundedText('name', 60).trim().min(1, { error: 'name must not be empty' }),
    query: boundedText('query', 1_000),
  }),
  precheck: (sent) => (sent.list && sent.name && sent.query !== undefined ? null : 'list, name and query are required'),
  reply: one(view),
  statuses: [400, 401, 404, 409],
});

export const manageDeleteView = defineRoute({
  ...managed,
  id: 'manageDeleteView',
  proof: { none: 'It can be undone.' },
  method: 'DELETE',
  path: `${PROGRAM}/views/:view_id`,
  summary: 'Delete a saved view',
  description: 'Only your own. Safe to repeat.',
  role: 'viewer',
  reply: one(z.object({})),
  statuses: [401, 404],
});
