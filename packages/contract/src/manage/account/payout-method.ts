import { z } from 'zod';
import type { FieldProblem } from '../../errors/errors.ts';
import { defineRoute } from '../../routing/route.ts';
import { accountNumberProblem, bicProblem, routingNumberProblem, withoutSpacing } from '../../values/bank-details.ts';
import { isCountry } from '../../values/countries.ts';
import { boundedText } from '../../values/fields.ts';
import { PAYOUT_KINDS, type PayoutKind } from '../../values/payout-reach.ts';
import { MANAGE, managed, one } from '../route.ts';

const METHOD = `${MANAGE}/me/payout-method`;
const time = z.iso.datetime();

export const MAX_HOLDER_NAME_CHARS = 140;
export const MAX_PAYOUT_TEXT_CHARS = 500;
/** How long payouts to a changed method wait. */
export const PAYOUT_METHOD_WAIT_HOURS = 72;

export const HOLDER_KINDS = ['person', 'company'] as const;
export type HolderKind = (typeof HOLDER_KINDS)[number];

export const US_ACCOUNT_TYPES = ['checking', 'savings'] as const;

/** What has to be sent with each kind, besides what all have. */
const REQUIRED: Record<PayoutKind, readonly string[]> = {
  paypal: ['email'],
  wise: ['email'],
  iban: ['iban'],
  us_bank: ['routing_number', 'account_number', 'account_type'],
  other: ['text'],
};
const OPTIONAL: Partial<Record<PayoutKind, readonly string[]>> = { iban: ['bic'] };
const ALL_DETAILS = [...Object.values(REQUIRED), ...Object.values(OPTIONAL)].flat();

const KIND = `kind must be one of ${PAYOUT_KINDS.join(', ')}`;

/** The fields of other kinds are refused, because they would not be stored. */
function detailsProblem(sent: Record<string, unknown>): FieldProblem | null {
  const kind = PAYOUT_KINDS.find((known) => known === sent.kind);
  if (!kind) return { message: KIND, field: 'kind' };
  const missing = [...REQUIRED[kind], 'holder_name', 'holder_kind', 'country'].find(
    (name) => sent[name] === undefined || sent[name] === '',
  );
  if (missing) return { message: `${missing} is required`, field: missing };
  return null;
}

const checked = (field: string, maxChars: number, problemOf: (text: string) => string | null) =>
  boundedText(field, maxChars)
    .transform(withoutSpacing)
    .superRefine((value, context) => {
      const message = problemOf(value);
      if (message) context.addIssue({ code: 'custom', message });
    });

const EMAIL = 'email must be an email address';
const COUNTRY = 'country must be a two-letter country code, such as DE';

/** What starts another line, or turns the direction of the text around it. */
const NOT_OF_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

export const payoutMethodRow = z.object({
  kind: z.enum(PAYOUT_KINDS),
  masked: z.string().describe('Enough to recognize it, such as `DE****3000`. The number itself is never shown again.'),
  holder_name: z.string(),
  holder_kind: z.enum(HOLDER_KINDS),
  country: z.string().nullable().describe('Null for a text from before methods had a country.'),
  usable_from: time.describe('Payouts can use it from then on.'),
  updated_at: time,
});
z.globalRegistry.add(payoutMethodRow, { id: 'PayoutMethod' });
export type PayoutMethodRow = z.input<typeof payoutMethodRow>;

/** What brands, and lists, show of a method. */
export const shownMethod = payoutMethodRow.pick({ kind: true, masked: true, usable_from: true });
export type ShownMethod = z.input<typeof shownMethod>;

export const managePayoutMethod = defineRoute({
  ...managed,
  id: 'managePayoutMethod',
  method: 'GET',
  path: METHOD,
  summary: 'Get your payout method',
  description: 'Where you want to be paid; null before you have said so. The same for all programs.',
  reply: one(payoutMethodRow.nullable()),
  statuses: [401],
});

export const manageSetPayoutMethod = defineRoute({
  ...managed,
  id: 'manageSetPayoutMethod',
  proof: 'recent',
  method: 'PUT',
  path: METHOD,
  summary: 'Set your payout method',
  description:
    '`paypal` and `wise` need `email`; `iban` needs `iban` and may have `bic`; `us_bank` needs `routing_number`, ' +
    '`account_number` and `account_type`; `other` needs `text`. Your first method can be used at once, a changed one after ' +
    `${PAYOUT_METHOD_WAIT_HOURS} hours. Sending the same again changes nothing. You get an email about every change.`,
  precheck: detailsProblem,
  body: z
    .object({
      kind: z.enum(PAYOUT_KINDS, { error: KIND }),
      email: boundedText('email', 254)
        .trim()
        .regex(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, { error: EMAIL })
        .optional()
        .describe('Of your PayPal or Wise account.'),
      // The server checks the digits: it knows the format of every country.
      iban: boundedText('iban', 64).transform(withoutSpacing).optional(),
      bic: checked('bic', 32, bicProblem).optional(),
      routing_number: checked('routing_number', 32, routingNumberProblem).optional(),
      account_number: checked('account_number', 64, accountNumberProblem).optional(),
      account_type: z
        .enum(US_ACCOUNT_TYPES, { error: `account_type must be one of ${US_ACCOUNT_TYPES.join(', ')}` })
        .optional(),
      text: boundedText('text', MAX_PAYOUT_TEXT_CHARS).trim().min(1, { error: 'text is required' }).optional(),
      holder_name: boundedText('holder_name', MAX_HOLDER_NAME_CHARS)
        .trim()
        .min(1, { error: 'holder_name is required' })
        .refine((value) => !NOT_OF_ONE_LINE.test(value), {
          error: 'holder_name must be one line without control characters',
        })
        .describe('As your bank knows you.'),
      holder_kind: z.enum(HOLDER_KINDS, { error: `holder_kind must be one of ${HOLDER_KINDS.join(', ')}` }),
      country: z
        .string({ error: COUNTRY })
        .transform((code) => code.trim().toUpperCase())
        .refine(isCountry, { error: COUNTRY }),
    })
    .superRefine((sent, context) => {
      const allowed = [...REQUIRED[sent.kind], ...(OPTIONAL[sent.kind] ?? [])];
      const other = ALL_DETAILS.find((name) => name in sent && !allowed.includes(name));
      if (!other) return;
      context.addIssue({ code: 'custom', path: [other], message: `${other} does not belong to ${sent.kind}` });
    }),
  example: {
    kind: 'iban',
    iban: 'DE89 3704 0044 0532 0130 00',
    holder_name: 'Jane Doe',
    holder_kind: 'person',
    country: 'DE',
  },
  reply: one(payoutMethodRow),
  statuses: [400, 401, 403],
});

export const manageDeletePayoutMethod = defineRoute({
  ...managed,
  id: 'manageDeletePayoutMethod',
  proof: 'recent',
  method: 'DELETE',
  path: METHOD,
  summary: 'Remove your payout method',
  description: `Brands cannot pay you until you set another one, which can be used after ${PAYOUT_METHOD_WAIT_HOURS} hours. Safe to repeat.`,
  reply: one(z.object({})),
  statuses: [401, 403],
});
