import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { choice, listed, listQuery, many, PROGRAM } from './route.ts';

const id = z.int();
const time = z.iso.datetime();
export const LISTED_EVENTS = ['click', 'lead', 'sale', 'refund'] as const;

export const manageEvents = defineRoute({
  ...listed,
  id: 'manageEvents',
  path: `${PROGRAM}/events`,
  summary: 'List recent events',
  description: 'Clicks, leads, sales and refunds, newest first, including test events.',
  query: z.object({ ...listQuery, type: choice('type', LISTED_EVENTS) }),
  reply: many(
    z.object({
      id,
      type: z.enum(LISTED_EVENTS),
      is_test: z.boolean(),
      customer_id: id.nullable(),
      partner_id: id.nullable(),
      partner_name: z.string().nullable(),
      link_id: id.nullable(),
      sale_id: id.nullable(),
      transaction_id: z.string().nullable(),
      customer_key: z.string().nullable(),
      created_at: time,
    }),
  ),
});
