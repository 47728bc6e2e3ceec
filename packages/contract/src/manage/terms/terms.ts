import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { COMMISSION_BASE_NAMES, COMMISSION_TYPE_NAMES } from '../../values/commission-types.ts';
import { boundedText, isStorableTime, sumCents } from '../../values/fields.ts';
import { MAX_LARGE_BODY_BYTES } from '../../values/limits.ts';
import { ATTRIBUTION_NAMES } from '../../values/program.ts';
import { describedRule, MAX_RULES } from '../../values/terms-rule.ts';
import { termsRules } from '../../values/terms-rules.ts';
import { boundary, listed, listQuery, managed, many, one, PROGRAM, requiredTogether } from '../route.ts';

const TERMS = `${PROGRAM}/terms`;
const time = z.iso.datetime();
const attribution = z
  .enum(ATTRIBUTION_NAMES, { error: `attribution must be ${ATTRIBUTION_NAMES.join(' or ')}` })
  .optional();
const rules = termsRules.describe(`Up to ${MAX_RULES} rules, tried in order.`);

const version = z.object({
  version: z.int(),
  effective_from: time.describe('The first version also covers payments from before the program existed.'),
  effective_until: time.nullable().describe('Null for the last version.'),
  commission: z.string().describe('What is paid if no rule matches, such as `20% per sale`.'),
  commission_type: z.enum(COMMISSION_TYPE_NAMES),
  commission_rate: z.number(),
  commission_base: z.enum(COMMISSION_BASE_NAMES),
  currency: z.string(),
  recurring_months: z.int().nullable(),
  hold_days: z.int(),
  attribution: z.enum(ATTRIBUTION_NAMES).describe('Whether the first or the last click of a visitor is credited.'),
  rules: z.array(describedRule).describe('The first rule that matches pays.'),
  warnings: z
    .array(z.string())
    .describe('What the terms allow and a brand hardly wants, such as paying more than a sale brings.'),
  note: z.string().nullable(),
  made_by: z.string().nullable().describe('The name of the user. Null for the terms that a program was created with.'),
});

export const manageTerms = defineRoute({
  ...listed,
  id: 'manageTerms',
  path: TERMS,
  summary: 'List the versions of the terms',
  description:
    'Newest first. A payment is judged by the version in force when it was made, even if it is reported later. Changing the ' +
    'commission settings adds a version with the same rules; a version never changes.',
  query: z.object(listQuery),
  reply: many(version),
});

const FROM = 'effective_from must be an ISO 8601 time';

export const manageAddTerms = defineRoute({
  ...managed,
  id: 'manageAddTerms',
  proof: 'recent',
  method: 'POST',
  path: TERMS,
  summary: 'Publish new terms',
  description:
    'A new version with these rules and the current commission settings, in force from now on or from `effective_from`. It ' +
    'has to begin after every other version. Commissions that exist already never change.',
  role: 'member',
  success: 201,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  precheck: requiredTogether('rules is required', 'rules'),
  body: z.object({
    rules,
    attribution: attribution.describe(
      'Which click of a visitor is credited: the first one, or the last one before the first signup or sale. As before by default. ' +
        'Customers who have signed up or bought stay with their partner.',
    ),
    effective_from: z.iso
      .datetime({ offset: true, error: FROM })
      .transform((value) => new Date(value))
      .refine(isStorableTime, { error: FROM })
      .optional()
      .describe('Now by default.'),
    note: boundedText('note', 500)
      .transform((text) => text.trim() || undefined)
      .optional()
      .describe('Why the terms change.'),
    backdate: z
      .boolean({ error: 'backdate must be true or false' })
      .default(false)
      .describe('Allows an `effective_from` in the past. Payments that are reported from now on are judged by it.'),
  }),
  example: {
    rules: [{ on: 'sale', for: { group_id: 7 }, pays: { type: 'percent', rate: 25 } }],
    note: 'Gold earns more',
  },
  reply: one(version),
  statuses: [400, 401, 404, 409, 413],
});

export const manageWithdrawTerms = defineRoute({
  ...managed,
  id: 'manageWithdrawTerms',
  proof: 'recent',
  method: 'DELETE',
  path: `${TERMS}/versions/:version`,
  summary: 'Withdraw scheduled terms',
  description: 'Only a version that is not in force yet.',
  role: 'member',
  reply: one(z.object({})),
  statuses: [401, 404, 409],
});

const difference = {
  currency: z.string(),
  actual_cents: sumCents.describe('What was paid or is due, before refunds.'),
  simulated_cents: sumCents.describe('What the proposed terms would have paid, before refunds.'),
};

/** Which groups the proposed rules find partners in: those at the time of a sale, or today's. */
export const SIMULATED_GROUPS = ['then', 'now'] as const;
export type SimulatedGroups = (typeof SIMULATED_GROUPS)[number];

export const manageSimulateTerms = defineRoute({
  ...managed,
  id: 'manageSimulateTerms',
  proof: { none: 'It changes nothing.' },
  method: 'POST',
  path: `${TERMS}/simulate`,
  summary: 'Simulate terms',
  description:
    'What the proposed rules would have paid for the sales and leads of a period, compared with what was paid. Nothing ' +
    'changes. Amounts are those before refunds.',
  role: 'viewer',
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  precheck: requiredTogether('rules, from and to are required', 'rules', 'from', 'to'),
  body: z
    .object({
      rules,
      attribution: attribution.describe(
        'Which click is credited. If it is not the one that decided at the time, the stored clicks decide again. As in force by default.',
      ),
      from: boundary('from').describe('Inclusive: a time, or a date, which means its start in UTC.'),
      to: boundary('to').describe('Exclusive.'),
      groups: z
        .enum(SIMULATED_GROUPS, { error: `groups must be ${SIMULATED_GROUPS.join(' or ')}` })
        .default('then')
        .describe('The groups that partners were in at the time, or those that they are in now.'),
    })
    .refine(({ from, to }) => from < to, { error: 'to must be after from', path: ['to'] }),
  example: { rules: [{ on: 'sale', pays: { type: 'percent', rate: 25 } }], from: '2026-07-01', to: '2026-10-01' },
  reply: one(
    z.object({
      matches_actual: z
        .boolean()
        .describe('Whether the terms in force, simulated in the same way, give every commission to the cent.'),
      warnings: z.array(z.string()).describe('What the version would be published with.'),
      sales: z.int().describe('How many sales were simulated.'),
      leads: z.int(),
      totals: z.array(z.object(difference)),
      partners: z
        .array(z.object({ partner_id: z.int(), partner_name: z.string(), ...difference }))
        .describe('Partners with sales or leads in the period, the largest changes first; at most 1,000.'),
      largest: z
        .array(
          z.object({
            partner_id: z.int(),
            partner_name: z.string(),
            sale_id: z.int().nullable().describe('Null for a lead.'),
            transaction_id: z.string().nullable(),
            customer_id: z.int().nullable(),
            actual_rule: z.string().nullable().describe('Which rule paid; null if none did.'),
            simulated_rule: z.string().nullable(),
            ...difference,
          }),
        )
        .describe('The twenty largest changes.'),
    }),
  ),
  statuses: [400, 401, 404, 413],
});
