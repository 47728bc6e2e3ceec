import { describeSettings, isDecidedByRules, nameTerms } from '@svc/contract';
import type { Rewards } from './reward.ts';
import type { Terms } from './terms.ts';

/** What is known of the terms that a sale was judged by. Sales of earlier releases did not keep all of it. */
type KnownTerms = Pick<Terms, 'type' | 'rate' | 'currency' | 'base' | 'recurringMonths' | 'rules'> & {
  version: number | null;
  since: Date | null;
};

/** The terms among the facts of a decision, and the rule that paid. */
export function termsFacts(terms: KnownTerms, { own, override, credit }: Rewards) {
  const rule = own ? terms.rules[own.rule - 1] : undefined;
  const { currency, recurringMonths } = terms;
  const { type, rate, base } = own ?? terms;
  return {
    terms_version: terms.version ?? undefined,
    terms_since: terms.since ?? undefined,
    // Without rules, there is nothing to choose from.
    rule: own && terms.rules.length > 0 ? own.rule : undefined,
    commission:
      rule?.description ??
      describeSettings({
        commission_type: type,
        commission_rate: Number(rate),
        currency,
        recurring_months: recurringMonths,
      }),
    commission_type: type,
    commission_rate: rate,
    commission_base: base,
    capped: own?.isCapped || undefined,
    override_rule: override?.rule,
    override: override ? terms.rules[override.rule - 1]?.description : undefined,
    override_partner_id: override?.partnerId,
    override_cents: override?.earned.cents.toString(),
    override_currency: override?.earned.currency,
    credit_cents: credit?.cents,
    credit_currency: credit?.currency,
  };
}

const DAY = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

type Decided = { kind: string; outcome: string; facts: Record<string, unknown> };

/** The commission rules that a decision followed, in words; null if others decided it. */
export function describeTerms({ facts, ...decision }: Decided): string | null {
  if (!isDecidedByRules(decision)) return null;
  const { terms_version: version, terms_since: since, commission, rule } = facts;
  if (typeof version !== 'number' || typeof since !== 'string' || typeof commission !== 'string') return null;
  const named = nameTerms(version, typeof rule === 'number' ? rule : null);
  return `${named} of the commission rules: ${commission}, in force since ${DAY.format(new Date(since))}.`;
}
