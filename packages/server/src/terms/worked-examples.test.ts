import { readFile } from 'node:fs/promises';
import { describeRule, termsRules } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { openCapBook } from './cap-book.ts';
import { rewardsFor } from './reward.ts';
import type { RewardFacts } from './rule-match.ts';
import type { Terms } from './terms.ts';

const page = await readFile(new URL('../../../../docs/terms.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/### ([^\n]+)\n\n```json\n(.*?)```(.*?)(?=\n##)/gs)].map(
  ([, name, rules, rest]) => ({
    name: name as string,
    rules: termsRules.parse(JSON.parse(rules as string)),
    rows: [...(rest as string).matchAll(/\| `(\{.*?\})` \| (\d+) \| (\d+) \|/g)].map(([, sale, cents, rule]) => ({
      sale: JSON.parse(sale as string),
      cents: Number(cents),
      rule: Number(rule),
    })),
  }),
);

const AT = new Date('2026-03-10T12:00:00Z');
const names = { currency: 'USD', groups: new Map([[7, 'Gold']]), partners: new Map<number, string>() };

// biome-ignore lint/suspicious/noExplicitAny: what the page shows
const factsOf = (sale: any): RewardFacts => ({
  sale: sale.lead
    ? null
    : {
        amountCents: sale.amount_cents,
        taxCents: sale.tax_cents,
        currency: 'USD',
        productId: sale.product_id,
        coupon: sale.coupon,
      },
  at: AT,
  partnerId: 1,
  groupId: sale.group_id ?? 1,
  recruiterId: null,
  period: sale.is_recurring ? 'renewal' : 'first',
  firstSaleAt: sale.first_sale ? new Date(sale.first_sale) : null,
  paymentNumber: sale.payment_number ?? 1,
});

it('the page about terms has examples', () => {
  expect(examples.map(({ rows }) => rows.length)).toEqual([3, 3, 3, 3, 2]);
});

describe.each(examples)('the example “$name”', ({ rules, rows }) => {
  it('pays what the page says', () => {
    const terms: Terms = {
      version: 1,
      since: new Date(0),
      rules: rules.map((rule) => ({ ...rule, description: describeRule(rule, names) })),
      type: 'percent',
      rate: '20',
      currency: 'USD',
      recurringMonths: null,
      holdDays: 30,
      base: 'net',
      attribution: 'first',
    };
    const book = openCapBook();
    const place = { programId: 1, customerId: 1, at: AT };
    const paid = rows.map(({ sale }) => {
      const rewards = rewardsFor(terms, factsOf(sale), book.usedOf(place));
      book.add(place, rewards);
      return { sale, cents: Number(rewards.own?.earned.cents ?? 0), rule: rewards.own?.rule };
    });
    expect(paid).toEqual(rows);
  });
});
