import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { optionalIdentifier } from '../values/fields.ts';
import { one, PROGRAM, shared } from './route.ts';

/** What a search finds, in the order of its results. */
export const SEARCHED_KINDS = ['partner', 'order', 'customer', 'link', 'coupon'] as const;
export type SearchedKind = (typeof SEARCHED_KINDS)[number];

/** How many results of a kind a search returns. */
export const MAX_FOUND = 5;

const found = z.object({
  kind: z.enum(SEARCHED_KINDS),
  id: z.int().describe('The id of the partner, sale, customer, link or coupon.'),
  name: z.string().describe('The name of the partner or link, the transaction id, the customer key or the code.'),
  detail: z.string().nullable().describe('The email address of a partner; for the others, the name of their partner.'),
});
export type Found = z.input<typeof found>;

export const manageSearch = defineRoute({
  ...shared,
  id: 'manageSearch',
  path: `${PROGRAM}/search`,
  summary: 'Search a program',
  description:
    `Up to ${MAX_FOUND} results of each kind: partners by part of their name or email, orders, customers, links and coupons by ` +
    'the start of their transaction id, key, name or code, and customers by their full email. Partners find their own links and coupons.',
  query: z.object({ q: optionalIdentifier('q').describe('What to search for.') }),
  precheck: ({ q }) => (typeof q === 'string' && q.trim() !== '' ? null : 'q is required'),
  reply: one(z.array(found)),
});
