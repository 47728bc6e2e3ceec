import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText, currency, optionalIdentifier, sumCents } from '../../values/fields.ts';
import { MAX_LARGE_BODY_BYTES, MAX_REASON_CHARS } from '../../values/limits.ts';
import { boundary, choice, listed, listQuery, managed, one, PROGRAM, page } from '../route.ts';
import { PAYOUT_STATUSES } from './payouts.ts';

const id = z.int();
const time = z.iso.datetime();

export const PAYOUT_RUN_STATUSES = ['draft', 'approved', 'sent', 'settled', 'cancelled'] as const;
export type PayoutRunStatus = (typeof PAYOUT_RUN_STATUSES)[number];

/** Why a partner is left out of a run, in the order in which the reasons are looked for. */
export const OMISSION_REASONS = {
  excluded: 'Excluded, or not active in the program',
  negative_balance: 'Owes more than is due',
  no_method: 'Has no payout method',
  method_held: 'Changed the payout method less than 72 hours ago',
  currency_not_payable: 'The payout method cannot receive this currency',
  country_not_payable: 'The payout method cannot be paid in this country',
  tax_form_missing: 'A tax form is missing',
  below_minimum: 'Below the minimum',
} as const;
export type OmissionReason = keyof typeof OMISSION_REASONS;
export const OMISSION_REASON_NAMES = Object.keys(OMISSION_REASONS) as [OmissionReason, ...OmissionReason[]];

export const PAYOUT_FILES = {
  'paypal.csv': 'text/csv',
  'wise.csv': 'text/csv',
  'sepa.xml': 'application/xml',
  'nacha.txt': 'text/plain',
  'payouts.csv': 'text/csv',
} as const;
export type PayoutFileName = keyof typeof PAYOUT_FILES;
export const PAYOUT_FILE_NAMES = Object.keys(PAYOUT_FILES) as [PayoutFileName, ...PayoutFileName[]];

const person = z.object({ user_id: z.string(), name: z.string() }).nullable();

const total = z.object({ currency: z.string(), amount_cents: sumCents, payouts: z.int() });

const leftOut = z.object({
  partner_id: id,
  partner_name: z.string(),
  currency: z.string(),
  amount_cents: sumCents.describe('What the partner keeps; negative if they owe it.'),
  reason: z
    .enum(OMISSION_REASON_NAMES)
    .describe('`tax_form_missing` is reserved: the service keeps no tax forms, and gives this reason to nobody.'),
  note: z.string().nullable().describe('Why, in words of the person who excluded the partner or of the service.'),
});
export type LeftOut = z.input<typeof leftOut>;

const runPayout = z.object({
  id,
  partner_id: id,
  partner_name: z.string(),
  currency: z.string(),
  amount_cents: z.int(),
  method: z
    .object({ kind: z.string(), masked: z.string() })
    .nullable()
    .describe('What it is paid to. Null once the account is deleted.'),
  status: z.enum(PAYOUT_STATUSES),
  not_in_file: z
    .string()
    .nullable()
    .describe('Why no file for a bank or payment service holds it. It is paid by hand.'),
  reference: z.string().nullable(),
  failure_code: z.string().nullable(),
  failure_reason: z.string().nullable(),
});
export type RunPayout = z.input<typeof runPayout>;

const runFile = z.object({
  name: z.enum(PAYOUT_FILE_NAMES),
  currency: z.string().nullable().describe('Null where a file holds several.'),
  part: z.int().describe('1, 2, 3, … where one file cannot hold all of them.'),
  rows: z.int(),
  amount_cents: sumCents.nullable(),
  sha256: z.string().nullable().describe('Null for those who may not download it.'),
});
export type RunFile = z.input<typeof runFile>;

const spelling = z.object({
  payout_id: id.nullable().describe('Null for the name of the payer.'),
  field: z.enum(['holder_name', 'note', 'payer_name']),
  from: z.string().describe('As it was written.'),
  to: z.string().describe('As the bank reads it, because its format has fewer letters or less space.'),
});
export type Spelling = z.input<typeof spelling>;

const runFields = {
  id,
  number: z.int().describe('Counts the runs of the program: 1, 2, 3, …'),
  status: z.enum(PAYOUT_RUN_STATUSES),
  cutoff_at: time.describe('Commissions approved at or before are in it.'),
  two_persons: z.boolean().describe('Whether someone other than the person who made it has to approve it.'),
  totals: z.array(total),
  scheduled: z.boolean().describe('Whether the schedule made it, and not a person.'),
  made_by: person.describe('Null if the schedule made it, or if the account is gone.'),
  approved_by: person,
  created_at: time,
  approved_at: time.nullable(),
  sent_at: time.nullable(),
  settled_at: time.nullable(),
  cancelled_at: time.nullable(),
};

export const payoutRunSummary = z.object({
  ...runFields,
  left_out_count: z.int(),
});
export type PayoutRunSummary = z.input<typeof payoutRunSummary>;

export const payoutRun = z.object({
  ...runFields,
  payouts: z.array(runPayout).describe('By the name of the partner.'),
  left_out: z.array(leftOut),
  files: z.array(runFile).describe('Empty until it is approved.'),
  request: z
    .object({
      currency: z.string().nullable(),
      partner_ids: z.array(id).nullable(),
      excluded_partner_ids: z.array(id),
      exclusion_notes: z.record(z.string(), z.string()),
    })
    .describe('What it was asked for. With `cutoff_at`, it makes the run again.'),
  spellings: z.array(spelling).describe('What banks will read otherwise than it was written. Only of drafts.'),
});
z.globalRegistry.add(payoutRun, { id: 'PayoutRun' });
export type PayoutRun = z.input<typeof payoutRun>;

const preparation = z.object({
  started_at: time,
  partners_done: z
    .int()
    .describe('How many partners have had their turn: they are in the run, or left out with a reason.'),
  partners_total: z
    .int()
    .nullable()
    .describe(
      'How many were due when it was started. Null if that would have taken long to count, or if a node of an earlier release has started it.',
    ),
});
export type PayoutRunPreparation = z.input<typeof preparation>;

const RUNS = `${PROGRAM}/payout-runs`;
const RUN = `${RUNS}/:run_id`;

export const managePayoutRuns = defineRoute({
  ...listed,
  id: 'managePayoutRuns',
  path: RUNS,
  summary: 'List payout runs',
  description:
    'Newest first. A run that is being prepared is not in the list yet; `meta.preparing` says how far it is.',
  query: z.object({ ...listQuery, status: choice('status', PAYOUT_RUN_STATUSES) }),
  reply: z.object({
    data: z.array(payoutRunSummary),
    meta: z.object({
      ...page,
      preparing: preparation.nullable().describe('Null while no run is being prepared.'),
    }),
  }),
});

export const MAX_NAMED_PARTNERS = 5_000;

const partnerIds = (field: string) => {
  const error = `${field} must be a list of at most ${MAX_NAMED_PARTNERS} partner ids`;
  return z
    .array(z.int({ error }).positive({ error }), { error })
    .max(MAX_NAMED_PARTNERS, { error })
    .transform((ids) => [...new Set(ids)])
    .optional();
};

const NOTES = 'exclusion_notes must be an object with texts by partner id';

export const manageMakePayoutRun = defineRoute({
  ...managed,
  id: 'manageMakePayoutRun',
  proof: { none: 'Nothing is paid before someone approves it, which asks.' },
  method: 'POST',
  path: RUNS,
  summary: 'Make a payout run',
  description:
    'A draft with a payout for each partner and currency that can be paid, and everybody who is left out with the reason. If ' +
    'nobody would be paid, the reply is 409 with `left_out` in its details, and nothing is made. What is in a draft is in no ' +
    'other payout.',
  role: 'finance',
  success: 201,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  body: z.object({
    cutoff_at: boundary('cutoff_at')
      .optional()
      .describe('Commissions approved at or before. By default `net_days` ago. What partners owe is always deducted.'),
    currency: currency.optional(),
    partner_ids: partnerIds('partner_ids').describe('Only these partners.'),
    excluded_partner_ids: partnerIds('excluded_partner_ids').describe('All but these partners.'),
    exclusion_notes: z
      .record(z.string().regex(/^[1-9]\d{0,15}$/, { error: NOTES }), boundedText('exclusion_notes', MAX_REASON_CHARS), {
        error: NOTES,
      })
      .optional()
      .describe('Why partners are excluded, by their ids.'),
  }),
  reply: one(payoutRun),
  statuses: [400, 401, 404, 409],
});

export const managePayoutRun = defineRoute({
  ...listed,
  id: 'managePayoutRun',
  path: RUN,
  summary: 'Get a payout run',
  description: 'With all its payouts and everybody who is left out.',
  reply: one(payoutRun),
  statuses: [401, 404],
});

const step = {
  ...managed,
  method: 'POST',
  role: 'finance',
  reply: one(payoutRun),
  statuses: [400, 401, 404, 409],
} as const;

export const manageApprovePayoutRun = defineRoute({
  ...step,
  id: 'manageApprovePayoutRun',
  proof: 'recent',
  path: `${RUN}/approve`,
  summary: 'Approve a payout run',
  description:
    'Only drafts. Its files are made now, once. With `two_persons`, the person who made the run gets 403. If balances or ' +
    'payout methods have changed since it was made, the reply is 409 with `differences` in its details, and it stays a draft: ' +
    'cancel it and make another.',
});

export const manageCancelPayoutRun = defineRoute({
  ...step,
  id: 'manageCancelPayoutRun',
  proof: { none: 'What was cancelled is due again.' },
  path: `${RUN}/cancel`,
  summary: 'Cancel a payout run',
  description: 'Only before it is sent. All its payouts are cancelled, and what they cover is due again.',
});

export const manageSendPayoutRun = defineRoute({
  ...step,
  id: 'manageSendPayoutRun',
  proof: 'recent',
  path: `${RUN}/mark-sent`,
  summary: 'Mark a payout run as sent',
  description:
    'Only approved runs, once the files are with the bank. Its payouts become sent. Those that no file holds stay open until ' +
    'they are marked as paid.',
});

const SETTLED = ['paid', 'failed', 'returned'] as const;
export const MAX_SETTLEMENTS = 5_000;
const PAYOUTS = `payouts must be a list of 1 to ${MAX_SETTLEMENTS} objects with id and status`;

const settlement = z.object(
  {
    id: z.int({ error: PAYOUTS }).positive({ error: PAYOUTS }),
    status: z.enum(SETTLED, { error: `status must be one of ${SETTLED.join(', ')}` }),
    reference: optionalIdentifier('reference').describe('Reference of the bank transfer or payment.'),
    code: boundedText('code', 35).optional().describe('The code of the bank or payment service, such as `AC04`.'),
    reason: boundedText('reason', MAX_REASON_CHARS)
      .optional()
      .describe('In words for the partner. By default those of the code.'),
  },
  { error: PAYOUTS },
);

export const manageSettlePayoutRun = defineRoute({
  ...step,
  id: 'manageSettlePayoutRun',
  proof: 'recent',
  path: `${RUN}/settle`,
  summary: 'Settle payouts of a run',
  description:
    'Only sent runs; all of the given payouts or none. What failed or came back is due again, and the partner is mailed why. ' +
    'The run is settled once none of its payouts is open or sent.',
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  precheck: ({ payouts, all }) =>
    (payouts === undefined) === (all === undefined)
      ? { message: 'Send either payouts or all', field: 'payouts' }
      : null,
  body: z.object({
    payouts: z
      .array(settlement, { error: PAYOUTS })
      .min(1, { error: PAYOUTS })
      .max(MAX_SETTLEMENTS, { error: PAYOUTS })
      .optional(),
    all: z.literal('paid', { error: 'all must be paid' }).optional().describe('Every payout of the run that is sent.'),
    reference: optionalIdentifier('reference').describe('With `all`, for all of them.'),
  }),
});
