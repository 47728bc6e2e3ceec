import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { bicProblem, routingNumberProblem, withoutSpacing } from '../../values/bank-details.ts';
import { isCurrency } from '../../values/currencies.ts';
import { boundedText } from '../../values/fields.ts';
import { managed, one, PROGRAM } from '../route.ts';

/** Payouts are prepared on a day that every month has. */
export const MAX_SCHEDULE_DAY = 28;
export const MAX_NET_DAYS = 90;

const MINIMUM = 'minimum_cents must be an object with whole numbers of cents, 0 or more, by currency';
const SCHEDULE = `schedule must be null, or an object with a day from 1 to ${MAX_SCHEDULE_DAY}`;
const NET_DAYS = `net_days must be a whole number from 0 to ${MAX_NET_DAYS}`;
const PAYER = 'payer must be null, or an object with a name';

const minimumCents = z
  .record(z.string(), z.int({ error: MINIMUM }).nonnegative({ error: MINIMUM }), { error: MINIMUM })
  .refine((minimums) => Object.keys(minimums).every(isCurrency), { error: 'minimum_cents must be by ISO 4217 codes' });

const schedule = z
  .object(
    {
      day: z.int({ error: SCHEDULE }).min(1, { error: SCHEDULE }).max(MAX_SCHEDULE_DAY, { error: SCHEDULE }),
    },
    { error: SCHEDULE },
  )
  .nullable()
  .describe('The day of the month, in UTC, on which a draft is prepared. Null for never.');

const required = (field: string, maxChars: number) =>
  boundedText(field, maxChars)
    .trim()
    .min(1, { error: `${field} is required` });

/** Text of a bank that is stored without spaces, and whose check says what is wrong with it. */
const checked = (field: string, maxChars: number, problemOf: (text: string, field: string) => string | null) =>
  boundedText(field, maxChars)
    .transform(withoutSpacing)
    .superRefine((value, context) => {
      const message = problemOf(value, field);
      if (message) context.addIssue({ code: 'custom', message });
    });

/** Who pays, as the files for banks and payment services name them. */
export const payer = z
  .object(
    {
      name: required('payer.name', 70).describe('As the bank knows it.'),
      // The server checks the digits: it knows the format of every country.
      iban: boundedText('payer.iban', 42).transform(withoutSpacing).optional().describe('SEPA files need it.'),
      bic: checked('payer.bic', 20, bicProblem).optional(),
      ach: z
        .object(
          {
            company_id: required('payer.ach.company_id', 10),
            company_name: required('payer.ach.company_name', 16),
            odfi_routing: checked('payer.ach.odfi_routing', 20, routingNumberProblem).describe(
              'The routing number of your bank.',
            ),
            destination_name: required('payer.ach.destination_name', 23).describe('The name of your bank.'),
          },
          { error: 'payer.ach must be an object' },
        )
        .optional()
        .describe('NACHA files need it. Your bank gives it to you.'),
      paypal_decimal: z
        .enum(['.', ','], { error: 'payer.paypal_decimal must be . or ,' })
        .optional()
        .describe('How your PayPal account writes decimals; a point by default.'),
    },
    { error: PAYER },
  )
  .nullable();
export type Payer = NonNullable<z.output<typeof payer>>;

const settings = {
  minimum_cents: minimumCents.describe(
    'The smallest payout by currency. Currencies that are not named have no minimum.',
  ),
  schedule,
  net_days: z
    .int({ error: NET_DAYS })
    .min(0, { error: NET_DAYS })
    .max(MAX_NET_DAYS, { error: NET_DAYS })
    .describe('How long after its approval a commission is paid. A run without `cutoff_at` ends so many days ago.'),
  two_persons: z
    .boolean({ error: 'two_persons must be true or false' })
    .describe('Whether a run is approved by someone other than the person who made it.'),
  payer,
};

const reply = one(
  z.object({
    ...settings,
    next_run_at: z.iso.datetime().nullable().describe('When the next draft is prepared. Null without a schedule.'),
    updated_at: z.iso.datetime().nullable().describe('Null until they are saved for the first time.'),
  }),
);
export type PayoutSettingsReply = z.input<typeof reply>['data'];

export const managePayoutSettings = defineRoute({
  ...managed,
  id: 'managePayoutSettings',
  method: 'GET',
  path: `${PROGRAM}/payout-settings`,
  summary: 'Get how the program pays',
  description: 'Minimums, schedule, approval and payer.',
  role: 'finance',
  reply,
  statuses: [401, 404],
});

export const manageSavePayoutSettings = defineRoute({
  ...managed,
  id: 'manageSavePayoutSettings',
  proof: 'recent',
  method: 'PUT',
  path: `${PROGRAM}/payout-settings`,
  summary: 'Set how the program pays',
  description:
    'Fields that you leave out stay as they are. Drafts that are already made keep what they were made with.',
  role: 'owner',
  keepsNull: ['schedule', 'payer'],
  body: z.object(settings).partial(),
  reply,
  statuses: [400, 401, 404],
});
