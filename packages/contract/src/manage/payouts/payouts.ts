import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { currency, optionalIdentifier, sumCents } from '../../values/fields.ts';
import { PAYOUT_KINDS } from '../../values/payout-reach.ts';
import { MEMBERSHIP_STATUSES } from '../../values/program.ts';
import { expand } from '../expand.ts';
import { expandedPartner } from '../partners/partners.ts';
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
  requiredReason,
  requiredTogether,
  searchFilter,
  selected,
  selectionProblem,
  shared,
  sortBy,
  totals,
} from '../route.ts';
import { payoutLine } from './payout-line.ts';

const id = z.int();
const time = z.iso.datetime();

export const PAYOUT_STATUSES = ['open', 'sent', 'paid', 'failed', 'returned', 'cancelled'] as const;

const METHOD_KIND = 'How the partner wants to be paid; null if they have not said.';
const METHOD = 'The masked end of the account, such as `DE****3000`.';

const CARRIED = 'Taken away by adjustments, or reversed after it was paid or put into a payout; zero or negative.';

export const BALANCE_SORTS = ['partner_id', 'partner_name', 'payable_cents', 'pending_cents'] as const;
export type BalanceSort = (typeof BALANCE_SORTS)[number];

export const balanceRow = z.object({
  partner_id: id,
  partner_name: z.string(),
  partner_status: z
    .enum(MEMBERSHIP_STATUSES)
    .nullable()
    .describe('In the program. Only active partners are paid, unless you ask for others.'),
  payout_method_kind: z.enum(PAYOUT_KINDS).nullable().describe(METHOD_KIND),
  payout_method: z.string().nullable().describe(METHOD),
  account_changed_at: time.nullable().describe('When the partner was handed over to another account.'),
  currency: z.string(),
  approved_cents: sumCents.describe('Approved and not in a payout yet.'),
  carried_cents: sumCents.describe(CARRIED),
  pending_cents: sumCents.describe('On hold.'),
  payable_cents: sumCents.describe('What a payout created now would amount to; never negative.'),
  due_commissions: z.int().describe('How many commissions a payout created now would contain.'),
});
export type BalanceRow = z.input<typeof balanceRow>;

const BALANCE_SUMS = {
  pending_cents: sumCents,
  approved_cents: sumCents,
  carried_cents: sumCents,
  payable_cents: sumCents,
};

export const manageBalances = defineRoute({
  ...shared,
  id: 'manageBalances',
  path: `${PROGRAM}/balances`,
  summary: 'List balances by partner and currency',
  description:
    'Partners see only their own. `carried_cents` is negative when a sale was refunded after its commission was paid, and ' +
    'when an adjustment takes something away. With ' +
    '`payable=true&totals=true`, it is a preview of the payouts that `POST /payouts` would create.',
  query: z.object({
    ...listQuery,
    sort: sortBy(BALANCE_SORTS, 'partner_id'),
    totals,
    partner_id: idFilter('partner_id'),
    payable: flag('payable').describe(
      '`true` lists only balances that can be paid out, `false` only the others. Those of partners who are blocked or removed ' +
        'cannot, unless `include_inactive` is `true`.',
    ),
    include_inactive: flag('include_inactive').describe('Counts partners who are blocked or removed as payable too.'),
    has_payout_method: flag('has_payout_method').describe('Whether the partner has said where to send the money.'),
    q: searchFilter('Part of the partner’s name or email, case-insensitive.'),
  }),
  reply: manyWithTotals(balanceRow, BALANCE_SUMS),
});

export const manageEarnings = defineRoute({
  ...shared,
  id: 'manageEarnings',
  path: `${PROGRAM}/earnings`,
  summary: 'Get earnings by currency',
  description: 'Partners see their own earnings. The brand sees those of all partners or of one.',
  query: z.object({ partner_id: idFilter('partner_id') }),
  reply: one(
    z.array(
      z.object({
        currency: z.string(),
        pending_cents: sumCents.describe('On hold.'),
        approved_cents: sumCents.describe('Approved and not in a payout yet.'),
        in_payouts_cents: sumCents.describe('In open payouts.'),
        paid_cents: sumCents.describe('In paid payouts.'),
        reversed_cents: sumCents.describe('Reversed by refunds.'),
        carried_cents: sumCents.describe(CARRIED),
        payable_cents: sumCents,
      }),
    ),
  ),
});

export const payoutRow = z.object({
  id,
  partner_id: id,
  partner_name: z.string(),
  partner_email: z.string(),
  payout_method_kind: z.enum(PAYOUT_KINDS).nullable().describe(METHOD_KIND),
  payout_method: z.string().nullable().describe(METHOD),
  account_changed_at: time.nullable().describe('When the partner was handed over to another account.'),
  currency: z.string(),
  amount_cents: z.int(),
  status: z.enum(PAYOUT_STATUSES),
  reference: z.string().nullable(),
  created_at: time,
  paid_at: time.nullable(),
  cancelled_at: time.nullable(),
  failed_at: time.nullable(),
  failure_reason: z.string().nullable().describe('Why the transfer failed or came back. The partner sees it too.'),
  failure_code: z.string().nullable().describe('The code of the bank or payment service.'),
  run_id: id.nullable().describe('The run that it is part of.'),
  not_in_file: z.string().nullable().describe('Why no file of its run holds it.'),
  sent_at: time.nullable(),
  returned_at: time.nullable(),
});
z.globalRegistry.add(payoutRow, { id: 'Payout' });
export type PayoutRow = z.input<typeof payoutRow>;

export const PAYOUT_SUMS = { amount_cents: sumCents };

export const PAYOUT_SORTS = ['created_at', 'amount_cents', 'partner_name'] as const;
export type PayoutSort = (typeof PAYOUT_SORTS)[number];

export const payoutFilters = {
  ...period,
  status: choice('status', PAYOUT_STATUSES),
  partner_id: idFilter('partner_id'),
  q: searchFilter('Start of the reference, or part of the partner’s name, case-insensitive.'),
};

export const managePayouts = defineRoute({
  ...shared,
  id: 'managePayouts',
  path: `${PROGRAM}/payouts`,
  summary: 'List payouts',
  description: 'Newest first, unless `sort` says otherwise. Partners see only their own.',
  query: z.object({
    ...listQuery,
    sort: sortBy(PAYOUT_SORTS, '-created_at'),
    totals,
    expand: expand('partner'),
    ...payoutFilters,
  }),
  reply: manyWithTotals(payoutRow.extend({ partner: expandedPartner }), PAYOUT_SUMS),
});

export const MAX_PAYOUTS_AT_ONCE = 200;
const COUNT = 'count must be a whole number, 0 or more';
const TOTALS = 'totals must be a list of sums with currency and payable_cents';

/** Who is paid when everybody is. */
export const payeeChoices = {
  with_payout_method: z
    .boolean({ error: 'with_payout_method must be true or false' })
    .default(false)
    .describe('Leaves out partners who have not said where to send the money.'),
  include_inactive: z
    .boolean({ error: 'include_inactive must be true or false' })
    .default(false)
    .describe('Pays partners who are blocked or removed too. They are left out otherwise, also with `partner_id`.'),
};

export const seenTotals = z
  .array(
    z.object({ currency: z.string({ error: TOTALS }), payable_cents: z.int({ error: TOTALS }) }, { error: TOTALS }),
    {
      error: TOTALS,
    },
  )
  .max(200, { error: TOTALS })
  .describe('What they add up to, by currency.');

export const manageMakePayouts = defineRoute({
  ...managed,
  id: 'manageMakePayouts',
  proof: { none: 'Marking a payout as paid asks; until then it can be cancelled.' },
  method: 'POST',
  path: `${PROGRAM}/payouts`,
  summary: 'Create payouts',
  description: `One for each active partner and currency with a positive balance, up to ${MAX_PAYOUTS_AT_ONCE} per request. If \`more\` is true, send the request again. With \`count\` or \`totals\`, the reply is 409 and nothing is created if the balances are not the ones you saw; that is decided while they are locked.`,
  role: 'finance',
  success: 201,
  body: z.object({
    partner_id: z
      .int({ error: 'partner_id must be a whole number' })
      .positive({ error: 'partner_id must be a whole number' })
      .optional(),
    currency: currency.optional(),
    ...payeeChoices,
    count: z
      .int({ error: COUNT })
      .nonnegative({ error: COUNT })
      .optional()
      .describe('How many balances you saw. This many are left to pay out.'),
    totals: seenTotals.optional(),
  }),
  reply: z.object({ data: z.array(payoutRow), meta: z.object({ more: z.boolean() }) }),
  statuses: [400, 401, 404, 409],
});

export const managePayout = defineRoute({
  ...shared,
  id: 'managePayout',
  path: `${PROGRAM}/payouts/:payout_id`,
  summary: 'Get a payout with its commissions',
  description: 'Lines are newest first. Lines for reversed commissions and negative adjustments are negative.',
  query: z.object(listQuery),
  reply: z.object({
    data: payoutRow.extend({
      lines: z.array(payoutLine),
    }),
    meta: z.object({ next_cursor: z.string().nullable(), limit: z.int() }),
  }),
});

export const managePayoutStatement = defineRoute({
  ...shared,
  id: 'managePayoutStatement',
  path: `${PROGRAM}/payouts/:payout_id/statement.pdf`,
  summary: 'Get the statement of a payout as PDF',
  description:
    'Every line with its sale, the base, the rule and version of the terms that paid it, and the refunds that were deducted. The same ' +
    'bytes every time, as long as the payout and the names in it stay the same.',
  reply: z.string(),
  replyType: 'application/pdf',
});

const close = {
  ...managed,
  method: 'POST',
  role: 'finance',
  reply: one(payoutRow),
  statuses: [400, 401, 404, 409],
} as const;

export const manageMarkPaid = defineRoute({
  ...close,
  id: 'manageMarkPaid',
  proof: 'recent',
  path: `${PROGRAM}/payouts/:payout_id/mark-paid`,
  summary: 'Mark a payout as paid',
  description: 'Only open and sent payouts, but none of a run that is not approved. Its commissions become paid.',
  body: z.object({ reference: optionalIdentifier('reference').describe('Reference of the bank transfer or payment.') }),
});

const PAYOUT_IDS = `ids must be a list of 1 to ${MAX_PAYOUTS_AT_ONCE} payout ids`;

export const payoutIds = z
  .array(z.int({ error: PAYOUT_IDS }).positive({ error: PAYOUT_IDS }), { error: PAYOUT_IDS })
  .min(1, { error: PAYOUT_IDS })
  .max(MAX_PAYOUTS_AT_ONCE, { error: PAYOUT_IDS })
  .transform((sent) => [...new Set(sent)]);
export const paymentReference = optionalIdentifier('reference').describe(
  'Reference of the bank transfer or payment, for all of them.',
);

export const manageMarkPayoutsPaid = defineRoute({
  ...managed,
  id: 'manageMarkPayoutsPaid',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/bulk/payouts/mark-paid`,
  summary: 'Mark payouts as paid in bulk',
  description:
    `Up to ${MAX_PAYOUTS_AT_ONCE} payouts per request, newest first, either by their \`ids\` or by the \`filter\` of the list. With a ` +
    'filter, `count` is the number of payouts you saw: if the filter matches another number now, nothing is changed and the ' +
    'reply is 409. While `next_cursor` is not null, send it as `cursor` to continue. Payouts that are neither open nor sent, or part of a draft, are skipped, and so are those that a file of a run holds which is not sent.',
  role: 'finance',
  body: z.object({
    ...selected(payoutIds, payoutFilters),
    reference: paymentReference,
  }),
  precheck: selectionProblem,
  reply: z.object({
    data: z.object({
      changed: z.int(),
      skipped: z.array(
        z.object({
          reason: z.enum(['sent', 'paid', 'failed', 'returned', 'cancelled', 'in_draft', 'not_sent', 'not_found']),
          count: z.int(),
        }),
      ),
    }),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
  statuses: [400, 401, 404, 409],
});

export const manageMarkFailed = defineRoute({
  ...close,
  id: 'manageMarkFailed',
  proof: 'recent',
  path: `${PROGRAM}/payouts/:payout_id/mark-failed`,
  summary: 'Mark a payout as failed',
  description:
    'Only open, sent and paid payouts, but none of a run that is not approved: the bank refused the transfer, it came back, or the payout was marked as paid by mistake. Its ' +
    'commissions become payable again, and the partner is mailed the reason.',
  precheck: requiredTogether('reason is required', 'reason'),
  body: z.object({ reason: requiredReason.describe('In words for the partner.') }),
});

export const manageCancelPayout = defineRoute({
  ...close,
  id: 'manageCancelPayout',
  proof: { none: 'What was cancelled is due again.' },
  path: `${PROGRAM}/payouts/:payout_id/cancel`,
  summary: 'Cancel a payout',
  description: 'Only open payouts that are not part of a run. Its commissions become payable again.',
});
