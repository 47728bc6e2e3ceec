import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { MAX_LARGE_BODY_BYTES } from '../values/limits.ts';
import { MESSAGES_PER_ADDRESS, MESSAGES_PER_DAY } from '../values/messages.ts';
import { MEMBERSHIP_STATUSES } from '../values/program.ts';
import { commissionFilters, commissionIds, rejectionReason, reviewAction } from './commissions.ts';
import { messageTexts } from './messages.ts';
import { invitees, mailRefusal, outcomeOfInvitee } from './partners/bulk-invitations.ts';
import { couponFilters } from './partners/coupons.ts';
import { linkFilters } from './partners/links.ts';
import { PARTNER_STATUS, partnerChanges, partnerFilters } from './partners/partners.ts';
import { payeeChoices, paymentReference, payoutFilters, payoutIds, seenTotals } from './payouts/payouts.ts';
import {
  chosen,
  fileFormat,
  fileReply,
  listed,
  listQuery,
  managed,
  many,
  one,
  PROGRAM,
  page,
  requiredTogether,
  selectionProblem,
} from './route.ts';

const BULK_ACTIONS = `${PROGRAM}/bulk-actions`;
const time = z.iso.datetime();

/** How many rows one bulk action changes at most. */
export const MAX_BULK_ROWS = 200_000;

export const BULK_KINDS = [
  'review_commissions',
  'mark_payouts_paid',
  'create_payouts',
  'change_partners',
  'invite_partners',
  'resend_invitations',
  'change_links',
  'change_coupons',
  'message_partners',
] as const;
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
  active: z.boolean().optional(),
  deleted: z.literal(true).optional(),
  subject: z.string().optional(),
});
export type BulkChange = z.output<typeof change>;

export const bulkActionRow = z.object({
  id: z.int(),
  kind: z.enum(BULK_KINDS),
  change: change.describe('What is done to every row, as it was asked for.'),
  status: z
    .enum(BULK_STATUSES)
    .describe('`failed`: the service could not go on. Rows that were changed before stay changed.'),
  stop_reason: z
    .enum(['requested', 'role_lost'])
    .nullable()
    .describe('Why it has stopped: someone stopped it, or the person who started it may no longer do this.'),
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

const SUMS = 'totals must be a list of sums with currency and amount_cents';

export const manageStartMarkingPaid = defineRoute({
  ...start,
  id: 'manageStartMarkingPaid',
  proof: 'recent',
  path: `${BULK_ACTIONS}/mark-payouts-paid`,
  summary: 'Start marking payouts as paid',
  description: `${HOW} With a filter, \`totals\` is what they add up to, and the reply is 409 as well if that has changed; it is compared while the payouts are locked.`,
  role: 'finance',
  body: z.object({
    ...chosen(payoutIds, payoutFilters),
    totals: z
      .array(z.object({ currency: z.string({ error: SUMS }), amount_cents: z.int({ error: SUMS }) }, { error: SUMS }), {
        error: SUMS,
      })
      .max(200, { error: SUMS })
      .optional()
      .describe('What the payouts of the filter added up to when you saw them, by currency.'),
    reference: paymentReference,
  }),
  precheck: (sent) => {
    const lacksTotals = sent.filter !== undefined && sent.totals === undefined;
    return (
      selectionProblem(sent) ?? (lacksTotals ? { message: 'totals is required with filter', field: 'totals' } : null)
    );
  },
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

const idsOf = (noun: string) => {
  const error = `ids must be a list of 1 to 200 ${noun} ids`;
  return z
    .array(z.int({ error }).positive({ error }), { error })
    .min(1, { error })
    .max(200, { error })
    .transform((sent) => [...new Set(sent)]);
};
const chosenPartners = chosen(idsOf('partner'), partnerFilters);

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
    ...chosenPartners,
  }),
  precheck: (sent) => {
    const hasChange = sent.status !== undefined || sent.group_id !== undefined;
    return selectionProblem(sent) ?? (hasChange ? null : { message: PARTNER_STATUS, field: 'status' });
  },
});

const ACTIVE = 'active must be true or false';
const active = z.boolean({ error: ACTIVE });

const LINK_CHANGE = 'Send either active or deleted';

export const manageStartLinkChange = defineRoute({
  ...start,
  id: 'manageStartLinkChange',
  proof: { none: 'Visitors still reach the pages, and what was earned stays.' },
  path: `${BULK_ACTIONS}/change-links`,
  summary: 'Start enabling, disabling or deleting links',
  description: `${HOW} Deleted links cannot be restored.`,
  role: 'member',
  body: z.object({
    active: active.optional(),
    deleted: z.literal(true, { error: 'deleted must be true' }).optional().describe('Deletes the links for good.'),
    ...chosen(idsOf('link'), linkFilters),
  }),
  precheck: (sent) => {
    const isOneChange = (sent.active === undefined) !== (sent.deleted === undefined);
    const field = sent.deleted === undefined ? 'active' : 'deleted';
    return selectionProblem(sent) ?? (isOneChange ? null : { message: LINK_CHANGE, field });
  },
});

export const manageStartCouponChange = defineRoute({
  ...start,
  id: 'manageStartCouponChange',
  proof: { none: 'It can be undone.' },
  path: `${BULK_ACTIONS}/change-coupons`,
  summary: 'Start switching coupons on or off',
  description: HOW,
  role: 'member',
  body: z.object({ active, ...chosen(idsOf('coupon'), couponFilters) }),
  precheck: selectionProblem,
});

export const manageStartInviting = defineRoute({
  ...start,
  id: 'manageStartInviting',
  proof: { none: 'It can be undone.' },
  path: `${BULK_ACTIONS}/invite-partners`,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  summary: 'Start inviting many partners',
  description:
    'For lists like those of `POST /bulk/partners/invite`, without a caller who waits. `GET /bulk-actions/:bulk_action_id/rows` says what ' +
    'became of each row. Partners are mailed their links within the limits for invitations; of those who are not, the rows have the links.',
  role: 'member',
  body: z.object({ partners: invitees }),
});

export const manageStartResending = defineRoute({
  ...start,
  id: 'manageStartResending',
  proof: { none: 'It can be undone.' },
  path: `${BULK_ACTIONS}/resend-invitations`,
  summary: 'Start sending invitations again',
  description:
    `${HOW} Active partners without an account get a new link, and the earlier one stops working. Where the limits for ` +
    'invitations do not allow another mail, the earlier one stays. Where the installation sends no mail, the rows have the links.',
  role: 'member',
  body: z.object(chosenPartners),
  precheck: selectionProblem,
});

export const manageStartMessage = defineRoute({
  ...start,
  id: 'manageStartMessage',
  proof: { none: 'It only mails partners who joined, and they can unsubscribe.' },
  path: `${BULK_ACTIONS}/message-partners`,
  summary: 'Start sending a message to partners',
  description:
    `${HOW} Only active partners with an account and a confirmed address get it, unless they have switched off messages. Your own ` +
    `address must be confirmed. A program can send ${MESSAGES_PER_DAY} messages a day (UTC), and an address gets ${MESSAGES_PER_ADDRESS} from all brands together. ` +
    '`GET /messages` has what became of it.',
  role: 'member',
  body: z.object({ ...messageTexts, ...chosenPartners }),
  precheck: (sent) =>
    requiredTogether('subject and text are required', 'subject', 'text')(sent) ?? selectionProblem(sent),
  statuses: [400, 401, 403, 404, 409],
});

/** What became of one row of a bulk action that invites. */
export const bulkInvitationRow = z.object({
  row: z.int().describe('The position in the request, from 0.'),
  name: z.string().nullable().describe('The name of the partner.'),
  email: z.string().nullable().describe('The address of the partner.'),
  outcome: outcomeOfInvitee,
  message: z.string().nullable().describe('Why the row was refused.'),
  mailed: z.boolean().describe('Whether the partner was mailed an invitation.'),
  mail_refusal: mailRefusal,
  invite_url: z
    .string()
    .nullable()
    .describe(
      'The link of an invitation that was not mailed, until it is accepted or replaced. It works for seven days.',
    ),
  partner_id: z.int().nullable(),
});
z.globalRegistry.add(bulkInvitationRow, { id: 'BulkInvitationRow' });
export type BulkInvitationRow = z.input<typeof bulkInvitationRow>;

const ROWS = `${BULK_ACTIONS}/:bulk_action_id/rows`;

export const manageBulkActionRows = defineRoute({
  ...listed,
  id: 'manageBulkActionRows',
  path: ROWS,
  summary: 'List what became of each row of a bulk action',
  description:
    'Only bulk actions that invite partners have rows: those they have come to, in the order of the request.',
  role: 'member',
  query: z.object(listQuery),
  reply: z.object({
    data: z.array(bulkInvitationRow),
    meta: z.object({
      ...page,
      mailed: z.int().describe('How many invitations were mailed, on all pages.'),
      not_mailed: z.int().describe('How many invitations were created without a mail, on all pages.'),
    }),
  }),
});

export const manageExportBulkActionRows = defineRoute({
  ...listed,
  ...fileReply,
  id: 'manageExportBulkActionRows',
  path: `${ROWS}.csv`,
  summary: 'Export what became of each row of a bulk action as CSV',
  description: 'The rows of a bulk action that invites partners, with the links that were not mailed.',
  role: 'member',
  query: z.object({ format: fileFormat }),
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
