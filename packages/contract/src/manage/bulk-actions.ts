import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { MEMBERSHIP_STATUSES } from '../values/program.ts';
import { commissionFilters, commissionIds, rejectionReason, reviewAction } from './commissions.ts';
import { PARTNER_STATUS, partnerChanges, partnerFilters } from './partners/partners.ts';
import { payeeChoices, paymentReference, payoutFilters, payoutIds, seenTotals } from './payouts/payouts.ts';
import { chosen, listed, listQuery, managed, many, one, PROGRAM, selectionProblem } from './route.ts';

const BULK_ACTIONS = `${PROGRAM}/bulk-actions`;
const time = z.iso.datetime();

/** How many rows one bulk action changes at most. */
export const MAX_BULK_ROWS = 200_000;

export const BULK_KINDS = ['review_commissions', 'mark_payouts_paid', 'create_payouts', 'change_partners'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

export const BULK_STATUSES = ['running', 'done', 'stopped', 'failed'] as const;
export type BulkStatus = (typeof BULK_STATUSES)[number];

const FROM_STATUS = `from_status must be ${MEMBERSHIP_STATUSES.join(', ')}`;
const fromStatus = z
  .enum(MEMBERSHIP_STATUSES, { error: FROM_STATUS })
  .optional()
  .describe('Skips partners whose status is another one when their turn comes.');

/** What is done to every row. Which fields there are depends on the kind. */
const change = z.object({
  action: reviewAction.optional(),
  reason: z.string().optional(),
  reference: z.string().optional(),
  with_payout_method: z.boolean().optional(),
  include_inactive: z.boolean().optional(),
  ...partnerChanges,
  from_status: fromStatus,
});
export type BulkChange = z.output<typeof change>;

export const bulkActionRow = z.object({
  id: z.int(),
  kind: z.enum(BULK_KINDS),
  change: change.describe('What is done to every row, as it was asked for.'),
  status: z
    .enum(BULK_STATUSES)
    .describe('`failed`: the service could not go on. Rows that were changed before stay changed.'),
  total: z.int().describe('How many rows were selected.'),
  changed: z.int().describe('How many rows have been changed so far.'),
  skipped: z
    .array(z.object({ reason: z.string(), count: z.int() }))
    .describe('Rows that were left as they are, by reason: mostly a status that does not allow the change.'),
  started_by: z.string().nullable(),
  created_at: time,
  finished_at: time.nullable(),
});
z.globalRegistry.add(bulkActionRow, { id: 'BulkAction' });
export type BulkActionRow = z.input<typeof bulkActionRow>;

export const manageBulkActions = defineRoute({
  ...listed,
  id: 'manageBulkActions',
  path: BULK_ACTIONS,
  summary: 'List bulk actions',
  description:
    'Newest first, with how far they are. Bulk actions that finished more than 90 days ago are deleted; the audit log keeps what they changed.',
  query: z.object(listQuery),
  reply: many(bulkActionRow),
});

const start = {
  ...managed,
  method: 'POST',
  success: 201,
  reply: one(bulkActionRow),
  statuses: [400, 401, 404, 409],
} as const;

const HOW =
  'The rows are selected now, by their `ids` or by the `filter` of the list. With a filter, `count` is the number of rows you ' +
  `saw, at most ${MAX_BULK_ROWS}: if the filter matches another number now, nothing is started and the reply is 409. The service then ` +
  'works through them on its own, some at a time; rows that cannot be changed are skipped. One bulk action of each kind runs at a time.';

export const manageStartReview = defineRoute({
  ...start,
  id: 'manageStartReview',
  proof: { none: 'Paying asks; until then a review can be undone.' },
  path: `${BULK_ACTIONS}/review-commissions`,
  summary: 'Start approving, rejecting or restoring commissions',
  description: HOW,
  role: 'finance',
  body: z.object({ action: reviewAction, ...chosen(commissionIds, commissionFilters), reason: rejectionReason }),
  precheck: selectionProblem,
});

export const manageStartMarkingPaid = defineRoute({
  ...start,
  id: 'manageStartMarkingPaid',
  proof: 'recent',
  path: `${BULK_ACTIONS}/mark-payouts-paid`,
  summary: 'Start marking payouts as paid',
  description: HOW,
  role: 'finance',
  body: z.object({ ...chosen(payoutIds, payoutFilters), reference: paymentReference }),
  precheck: selectionProblem,
});

const COUNT = 'count must be a whole number, 0 or more';

export const manageStartPayouts = defineRoute({
  ...start,
  id: 'manageStartPayouts',
  proof: { none: 'Marking a payout as paid asks; until then it can be cancelled.' },
  path: `${BULK_ACTIONS}/create-payouts`,
  summary: 'Start creating payouts for all balances',
  description:
    'One for each active partner and currency with a positive balance. If the balances are not the ones you saw, nothing is started and ' +
    'the reply is 409. A balance that changes before its turn comes is skipped.',
  role: 'finance',
  body: z.object({
    ...payeeChoices,
    count: z.int({ error: COUNT }).nonnegative({ error: COUNT }).describe('How many balances you saw.'),
    totals: seenTotals,
  }),
});

const PARTNER_IDS = 'ids must be a list of 1 to 200 partner ids';

export const manageStartPartnerChange = defineRoute({
  ...start,
  id: 'manageStartPartnerChange',
  proof: { none: 'It can be undone.' },
  path: `${BULK_ACTIONS}/change-partners`,
  summary: 'Start changing the status or group of partners',
  description: HOW,
  role: 'member',
  keepsNull: ['group_id'],
  body: z.object({
    ...partnerChanges,
    from_status: fromStatus,
    ...chosen(
      z
        .array(z.int({ error: PARTNER_IDS }).positive({ error: PARTNER_IDS }), { error: PARTNER_IDS })
        .min(1, { error: PARTNER_IDS })
        .max(200, { error: PARTNER_IDS })
        .transform((sent) => [...new Set(sent)]),
      partnerFilters,
    ),
  }),
  precheck: (sent) => {
    const hasChange = sent.status !== undefined || sent.group_id !== undefined;
    return selectionProblem(sent) ?? (hasChange ? null : { message: PARTNER_STATUS, field: 'status' });
  },
});

export const manageStopBulkAction = defineRoute({
  ...managed,
  id: 'manageStopBulkAction',
  proof: { none: 'It only ends work.' },
  method: 'POST',
  path: `${BULK_ACTIONS}/:bulk_action_id/stop`,
  summary: 'Stop a bulk action',
  description: 'Rows that were changed before stay changed. Safe to repeat: one that has finished stays as it is.',
  role: 'finance',
  reply: one(bulkActionRow),
  statuses: [401, 404],
});
