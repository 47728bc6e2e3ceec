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

export const HOLD_REASONS = ['self_referral', 'email_from_page'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

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
  base_cents: z.int().nullable().describe('What the percentage is computed from; null under fixed amounts.'),
  terms_version: z.int().nullable().describe('Null for commissions from before versions were kept.'),
  deducted_cents: z.int(),
  currency: z.string(),
  approve_after: time,
  hold_reason: z
    .enum(HOLD_REASONS)
    .nullable()
    .describe(
      'Why the commission is not approved automatically when its hold ends. `self_referral`: the customer has the e-mail ' +
        'address of the partner. `email_from_page`: the payment was matched by an e-mail address that only a web page ' +
        'reported. A person of the brand approves or rejects it.',
    ),
  created_at: time,
});

export const commissionFilters = {
  ...period,
  status: choice('status', COMMISSION_STATUSES),
  stage: choice('stage', COMMISSION_STAGES),
  partner_id: idFilter('partner_id'),
  transaction_id: optionalIdentifier('transaction_id'),
  q: searchFilter('Start of the transaction id.'),
};

export const manageCommissions = defineRoute({
  ...listed,
  id: 'manageCommissions',
  path: `${PROGRAM}/commissions`,
  summary: 'List commissions',
  description: 'Newest first. `stage` is the progress towards payment, regardless of partial reversals.',
  query: z.object({ ...listQuery, ...commissionFilters }),
  reply: many(commission),
});

const review = {
  ...managed,
  method: 'POST',
  role: 'member',
  statuses: [400, 401, 404],
} as const;

export const manageApprove = defineRoute({
  ...review,
  id: 'manageApprove',
  path: `${PROGRAM}/commissions/:commission_id/approve`,
  summary: 'Approve a commission before its hold ends',
  description: 'Only pending commissions can be approved. Approving releases one that is held for a reason.',
  reply: one(commission),
});

export const manageReject = defineRoute({
  ...review,
  id: 'manageReject',
  path: `${PROGRAM}/commissions/:commission_id/reject`,
  summary: 'Reject a commission',
  description: 'Commissions that are paid or part of a payout cannot be rejected.',
  reply: one(commission),
});

export const MAX_BULK = 200;
const IDS = `ids must be a list of 1 to ${MAX_BULK} commission ids`;

const reviewMany = {
  ...review,
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
        status: z.enum(COMMISSION_STATUSES).nullable().describe('The current status.'),
      }),
    ),
  ),
} as const;

export const manageApproveMany = defineRoute({
  ...reviewMany,
  id: 'manageApproveMany',
  path: `${PROGRAM}/commissions/approve`,
  summary: 'Approve commissions in bulk',
  description: 'Each commission is handled on its own. The reply says which could not be approved.',
});

export const manageRejectMany = defineRoute({
  ...reviewMany,
  id: 'manageRejectMany',
  path: `${PROGRAM}/commissions/reject`,
  summary: 'Reject commissions in bulk',
  description: 'Each commission is handled on its own. The reply says which could not be rejected.',
});
