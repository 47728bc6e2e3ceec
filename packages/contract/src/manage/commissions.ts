import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { COMMISSION_KINDS } from '../values/commission-kinds.ts';
import { COMMISSION_TYPE_NAMES } from '../values/commission-types.ts';
import { boundedText, optionalIdentifier, sumCents } from '../values/fields.ts';
import { MAX_REASON_CHARS } from '../values/limits.ts';
import { expandedCustomer } from './customers/customers.ts';
import { expand } from './expand.ts';
import { expandedPartner } from './partners/partners.ts';
import {
  choice,
  flag,
  idFilter,
  listQuery,
  managed,
  manyWithTotals,
  one,
  PROGRAM,
  period,
  searchFilter,
  selected,
  selectionProblem,
  shared,
  sharedRow,
  sortBy,
  totals,
} from './route.ts';

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

export const HOLD_REASONS = ['self_referral', 'email_from_page', 'claimed_key', 'partner_blocked'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export const COMMISSION_SORTS = ['created_at', 'commission_cents', 'sale_cents', 'partner_name'] as const;
export type CommissionSort = (typeof COMMISSION_SORTS)[number];

export const commissionRow = z.object({
  id,
  kind: z
    .enum(COMMISSION_KINDS)
    .describe('What it is paid for. Fields about a sale are null for kinds other than `sale` and `override`.'),
  sale_id: id.nullable(),
  transaction_id: z.string().nullable(),
  customer_id: id.nullable(),
  customer_key: z.string().nullable(),
  partner_id: id,
  partner_name: z.string(),
  status: z.enum(COMMISSION_STATUSES),
  stage: z.enum(COMMISSION_STAGES),
  sale_cents: z.int().nullable().describe('The amount of the sale, in `sale_currency`.'),
  sale_currency: z.string().nullable(),
  commission_type: z.enum(COMMISSION_TYPE_NAMES).nullable().describe('Null for bonuses and adjustments.'),
  commission_rate: z.number().nullable(),
  commission_cents: z.int().describe('Negative for an adjustment that takes something away.'),
  base_cents: z.int().nullable().describe('What the percentage is computed from; null under fixed amounts.'),
  terms_version: z.int().nullable().describe('Null for commissions from before versions were kept.'),
  rule: z.int().nullable().describe('The rule of that version that paid it, counted from 1.'),
  terms: z
    .string()
    .nullable()
    .describe(
      'Which rule paid it, in words: `rule 3 of version 7: group Gold earns 25% of each sale, not of renewals`. Partners read what ' +
        'they earn, without numbers of rules.',
    ),
  reason: z.string().nullable().describe('Why a bonus or adjustment was made. The partner sees it too.'),
  deducted_cents: z.int(),
  currency: z.string(),
  approve_after: time,
  hold_reason: z
    .enum(HOLD_REASONS)
    .nullable()
    .describe(
      'Why the commission is not approved automatically when its hold ends. `self_referral`: the customer has the email ' +
        'address of the partner. `email_from_page`: the payment was matched by an email address that only a web page ' +
        'reported. `claimed_key`: the payment or sale was matched by a customer key that only a web page claims, and nothing ' +
        'else on it agrees with the claim. A person of the brand approves or rejects it. `partner_blocked`: the partner is blocked ' +
        'in the program; the hold goes on until they are restored.',
    ),
  rejection_reason: z.string().nullable().describe('Why it was rejected. The partner sees it too.'),
  payout_id: id.nullable().describe('The latest payout that covers it, whether or not it was reversed afterwards.'),
  paid_at: time.nullable().describe('When that payout was marked as paid.'),
  created_at: time,
});
z.globalRegistry.add(commissionRow, { id: 'Commission' });
export type CommissionRow = z.input<typeof commissionRow>;

export const COMMISSION_SUMS = { commission_cents: sumCents, deducted_cents: sumCents };

export const commissionFilters = {
  ...period,
  kind: choice('kind', COMMISSION_KINDS),
  status: choice('status', COMMISSION_STATUSES),
  stage: choice('stage', COMMISSION_STAGES),
  held: flag('held').describe(
    'Pending commissions that wait for a person because of their `hold_reason`; with `false`, all others.',
  ),
  hold_reason: choice('hold_reason', HOLD_REASONS).describe(
    'Why they wait, with `held=true`, or were rejected, with `status=rejected`.',
  ),
  partner_id: idFilter('partner_id'),
  transaction_id: optionalIdentifier('transaction_id'),
  q: searchFilter('Start of a transaction id or of a customer key or, for the brand only, a full email address.'),
};

const expandedCommission = commissionRow.extend({ partner: expandedPartner, customer: expandedCustomer });
const expands = expand('partner', 'customer');

export const manageCommissions = defineRoute({
  ...shared,
  id: 'manageCommissions',
  path: `${PROGRAM}/commissions`,
  summary: 'List commissions',
  description:
    'Newest first, unless `sort` says otherwise. `stage` is the progress towards payment, regardless of partial reversals.',
  query: z.object({
    ...listQuery,
    sort: sortBy(COMMISSION_SORTS, '-created_at'),
    totals,
    expand: expands,
    ...commissionFilters,
  }),
  reply: manyWithTotals(expandedCommission, COMMISSION_SUMS),
});

export const manageCommission = defineRoute({
  ...sharedRow,
  id: 'manageCommission',
  path: `${PROGRAM}/commissions/:commission_id`,
  summary: 'Get a commission',
  description: 'The row of the list.',
  query: z.object({ expand: expands }),
  reply: one(expandedCommission),
});

const review = {
  ...managed,
  method: 'POST',
  role: 'finance',
  statuses: [400, 401, 404],
} as const;

export const rejectionReason = boundedText('reason', MAX_REASON_CHARS)
  .transform((text) => text.trim() || undefined)
  .optional()
  .describe('Why it is rejected, in words for the partner.');

export const manageApprove = defineRoute({
  ...review,
  id: 'manageApprove',
  proof: { none: 'Paying asks; until then an approval can be undone.' },
  path: `${PROGRAM}/commissions/:commission_id/approve`,
  summary: 'Approve a commission before its hold ends',
  description: 'Only pending commissions can be approved. Approving releases one that is held for a reason.',
  reply: one(commissionRow),
});

export const manageReject = defineRoute({
  ...review,
  id: 'manageReject',
  proof: { none: 'It can be undone.' },
  path: `${PROGRAM}/commissions/:commission_id/reject`,
  summary: 'Reject a commission',
  description: 'Commissions that are paid or part of a payout cannot be rejected.',
  body: z.object({ reason: rejectionReason }),
  reply: one(commissionRow),
});

export const manageRestore = defineRoute({
  ...review,
  id: 'manageRestore',
  proof: { none: 'Paying asks; until then it can be undone.' },
  path: `${PROGRAM}/commissions/:commission_id/restore`,
  summary: 'Undo the rejection of a commission',
  description:
    'It is pending or approved again, as it was before. What was refunded of its sale in the meantime is deducted.',
  reply: one(commissionRow),
});

export const MAX_BULK = 200;
const IDS = `ids must be a list of 1 to ${MAX_BULK} commission ids`;
export const commissionIds = z
  .array(z.int({ error: IDS }).positive({ error: IDS }), { error: IDS })
  .min(1, { error: IDS })
  .max(MAX_BULK, { error: IDS })
  .transform((sent) => [...new Set(sent)]);

const reviewMany = {
  ...review,
  body: z.object({ ids: commissionIds }),
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
  proof: { none: 'Paying asks; until then an approval can be undone.' },
  path: `${PROGRAM}/commissions/approve`,
  summary: 'Approve commissions in bulk',
  description: 'Each commission is handled on its own. The reply says which could not be approved.',
});

export const manageRejectMany = defineRoute({
  ...reviewMany,
  id: 'manageRejectMany',
  proof: { none: 'It can be undone.' },
  path: `${PROGRAM}/commissions/reject`,
  summary: 'Reject commissions in bulk',
  description: 'Each commission is handled on its own. The reply says which could not be rejected.',
  body: z.object({ ids: commissionIds, reason: rejectionReason }),
});

export const REVIEW_ACTIONS = ['approve', 'reject', 'restore'] as const;
export type ReviewAction = (typeof REVIEW_ACTIONS)[number];
export const reviewAction = z.enum(REVIEW_ACTIONS, { error: `action must be one of ${REVIEW_ACTIONS.join(', ')}` });

export const manageReviewCommissions = defineRoute({
  ...review,
  id: 'manageReviewCommissions',
  proof: { none: 'Paying asks; until then a review can be undone.' },
  path: `${PROGRAM}/commissions/review`,
  summary: 'Approve, reject or restore all commissions of a filter',
  description:
    `Up to ${MAX_BULK} commissions per request, newest first, either by their \`ids\` or by the \`filter\` of the list. With a ` +
    'filter, `count` is the number of commissions you saw: if the filter matches another number now, nothing is changed and the ' +
    'reply is 409. While `next_cursor` is not null, send it as `cursor` to continue. Commissions that are created in the ' +
    'meantime are left out.',
  body: z.object({
    action: reviewAction,
    ...selected(commissionIds, commissionFilters),
    reason: rejectionReason,
    dry_run: z
      .boolean({ error: 'dry_run must be true or false' })
      .optional()
      .describe('Changes nothing: the reply says what would change, row by row.'),
  }),
  precheck: selectionProblem,
  example: { action: 'approve', ids: [1, 2] },
  reply: z.object({
    data: z.object({
      changed: z.int(),
      skipped: z.array(
        z.object({
          reason: z
            .enum([...COMMISSION_STATUSES, 'in_payout', 'not_found'])
            .describe('The status that does not allow the change.'),
          count: z.int(),
          ids: z.array(z.int()).optional().describe('Only in a dry run.'),
        }),
      ),
      commissions: z
        .array(commissionRow)
        .optional()
        .describe('Only in a dry run: the commissions that would change, as they are now.'),
    }),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
  statuses: [400, 401, 404, 409],
});
