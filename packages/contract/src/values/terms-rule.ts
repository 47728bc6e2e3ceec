import { z } from 'zod';
import { COMMISSION_BASE_NAMES, COMMISSION_BASES } from './commission-types.ts';
import { isStorable } from './fields.ts';
import { MAX_COUPON_CHARS, MAX_IDENTIFIER_CHARS } from './limits.ts';

export const MAX_RULES = 1_000;
const MAX_MONTHS = 1_200;
const MAX_PAYMENTS = 100_000;

/** What a rule pays for. */
export const RULE_EVENTS = ['sale', 'lead'] as const;
/** Whom a rule pays: the partner who brought the customer, or the partner who recruited that one. */
export const BENEFICIARIES = ['partner', 'recruiter'] as const;
export type Beneficiary = (typeof BENEFICIARIES)[number];

type Issue = { code?: string; path?: PropertyKey[]; input?: unknown; keys?: string[] };

/** A message that names the rule, counted from 1, and the field: `rule 3: pays.rate must be at most 100`. */
export const inRule = (requirement: string) => (issue: Issue) => {
  const [, index, ...field] = issue.path ?? [];
  if (typeof index !== 'number') return `rules ${requirement}`;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys?.[0] : undefined;
  if (unknown !== undefined)
    return `rule ${index + 1}: ${[...field, unknown.slice(0, 100)].join('.')} is not a known field`;
  return `rule ${index + 1}: ${field.join('.') || 'it'} ${requirement}`;
};

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: inRule(`must be ${names.join(' or ')}`) });

const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`;
  const error = inRule(`must be a whole number${range}`);
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const words = (maxChars: number) => {
  const error = inRule(`must be a text of 1 to ${maxChars} characters`);
  return z.string({ error }).trim().min(1, { error }).max(maxChars, { error }).refine(isStorable, { error });
};

const part = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: inRule('must be an object') });

const MAX_FIXED = COMMISSION_BASES.fixed.maxRate;
const rate = z
  .number({ error: inRule('must be a number') })
  .min(0, { error: inRule('must be 0 or more') })
  .max(MAX_FIXED, { error: inRule(`must be at most ${MAX_FIXED}`) })
  .refine((value) => Number(value.toFixed(4)) === value, { error: inRule('keeps at most four decimals') })
  .describe('In percent, at most 100, or in whole units of the currency of the program. 0 pays nothing.');

const cap = whole(0).optional();

/**
 * One rule of a version of the terms. All of its conditions have to hold. The first rule that matches pays its beneficiary. If
 * none matches, the commission settings of the program decide what the partner gets.
 */
export const termsRule = part({
  on: oneOf(RULE_EVENTS),
  for: part({ partner_id: whole(1).optional(), group_id: whole(1).optional() })
    .optional()
    .describe('One partner, or one group of partners. Everyone by default.'),
  when: part({
    product_id: words(MAX_IDENTIFIER_CHARS).optional(),
    coupon: words(MAX_COUPON_CHARS).optional().describe('Case-insensitive.'),
    min_amount_cents: whole(1).optional().describe('The least that was paid, in the currency of the sale.'),
    customer: oneOf(['new', 'returning']).optional().describe('A new customer has no earlier sale.'),
  }).optional(),
  pays: part({
    to: oneOf(BENEFICIARIES)
      .optional()
      .describe('The partner by default. `recruiter` pays who recruited the partner, in addition to the partner.'),
    type: oneOf(['percent', 'fixed']),
    rate,
    renewals: z
      .boolean({ error: inRule('must be true or false') })
      .optional()
      .describe('Whether it fits renewals too.'),
    months: whole(1, MAX_MONTHS).optional().describe('Fits only the first months after the customer’s first sale.'),
    max_payments: whole(1, MAX_PAYMENTS).optional().describe('Fits only the first payments of the customer.'),
  }),
  caps: part({ per_sale_cents: cap, per_customer_cents: cap, per_partner_month_cents: cap })
    .optional()
    .describe('In the smallest unit of the commission’s currency. Each currency is counted separately.'),
  base: oneOf(COMMISSION_BASE_NAMES as ['net', 'gross'])
    .optional()
    .describe('What percentages are computed from. The setting of the program by default.'),
  credit: part({ amount_cents: whole(1) })
    .optional()
    .describe(
      'What a new customer is credited, once, in the currency of the program. Only recorded: no money is moved.',
    ),
  description: z
    .string({ error: inRule('must be a string') })
    .optional()
    .describe('The rule in words. Ignored in requests, so that rules can be sent back as they were read.'),
});

export type TermsRule = z.output<typeof termsRule>;

/** A rule of a version, with what it says in words. */
export const describedRule = termsRule.extend({ description: z.string() });
export type DescribedRule = z.output<typeof describedRule>;
