import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { optionalIdentifier } from '../values/fields.ts';
import { choice, idFilter, listed, listQuery, managed, many, one, PROGRAM, period, searchFilter } from './route.ts';

const id = z.int();
const time = z.iso.datetime();

export const COMMISSION_STATUSES = [
  'pending',
  'approved',
  'paid',
  'reversed',
  'partially_reversed',
  'rejected',
] as const;
export type CommissionStatus = (typeof COMMISSION_STATUSES)[number];

export const COMMISSION_STAGES = ['pending', 'approved', 'paid', 'rejected'] as const;
export type CommissionStage = (typeof COMMISSION_STAGES)[number];

const commission = z.object({
  id,
  sale_id: id,
  transaction_id: z.string(),
  customer_id: id.nullable(),
  partner_id: id,
  partner_name: z.string(),
  status: z.enum(COMMISSION_STATUSES),
  stage: z.enum(COMMISSION_STAGES),
  commission_cents: z.int(),
  deducted_cents: z.int(),
  currency: z.string(),
  approve_after: time,
  created_at: time,
});

export const commissionFilters = {
  ...period,
  status: choice('status', COMMISSION_STATUSES),
  stage: choice('stage', COMMISSION_STAGES),
  partner_id: idFilter('partner_id'),
  transaction_id: optionalIdentifier('transaction_id'),
  q: searchFilter('The beginning of the transaction id.'),
};

export const manageCommissions = defineRoute({
  ...listed,
  id: 'manageCommissions',
  path: `${PROGRAM}/commissions`,
  summary: 'List commissions',
  description: 'Newest first. `stage` tells how far one has come towards payment, also when a part was reversed.',
  query: z.object({ ...listQuery, ...commissionFilters }),
  reply: many(commission),
});

const settle = {
  ...managed,
  method: 'POST',
  role: 'member',
  statuses: [400, 401, 404],
} as const;

export const manageApprove = defineRoute({
  ...settle,
  id: 'manageApprove',
  path: `${PROGRAM}/commissions/:commission_id/approve`,
  summary: 'Approve a commission before its hold ends',
  description: 'Only a pending one can be approved.',
  reply: one(commission),
});

export const manageReject = defineRoute({
  ...settle,
  id: 'manageReject',
  path: `${PROGRAM}/commissions/:commission_id/reject`,
  summary: 'Reject a commission',
  description: 'Only one that is in no payout and not paid yet can be rejected.',
  reply: one(commission),
});

export const MAX_BULK = 200;
const IDS = `ids must be a list of 1 to ${MAX_BULK} commission ids`;

const settleMany = {
  ...settle,
  body: z.object({
    ids: z
      .array(z.int({ error: IDS }).positive({ error: IDS }), { error: IDS })
      .min(1, { error: IDS })
      .max(MAX_BULK, { error: IDS })
      .transform((ids) => [...new Set(ids)]),
  }),
  reply: one(
    z.array(
      z.object({
        id,
        outcome: z.enum(['done', 'refused', 'not_found']),
        status: z.enum(COMMISSION_STATUSES).nullable().describe('As it is now.'),
      }),
    ),
  ),
} as const;

export const manageApproveMany = defineRoute({
  ...settleMany,
  id: 'manageApproveMany',
  path: `${PROGRAM}/commissions/approve`,
  summary: 'Approve many commissions before their hold ends',
  description: 'Each by itself: those that cannot be approved are told and harm no other.',
});

export const manageRejectMany = defineRoute({
  ...settleMany,
  id: 'manageRejectMany',
  path: `${PROGRAM}/commissions/reject`,
  summary: 'Reject many commissions',
  description: 'Each by itself: those that cannot be rejected are told and harm no other.',
});
