import { COMMISSION_TYPES, type CommissionType } from './commission-types.ts';
import { unitsInWords } from './money.ts';
import type { TermsRule } from './terms-rule.ts';
import { covers } from './terms-rule-problems.ts';

/** What is paid if no rule matches. */
type Settings = { type: CommissionType; rate: number; currency: string };

/** Something that pays a percentage: a rule, counted from 1, or the settings. */
type Share = { name: string; rate: number; rule: TermsRule | null };

/** What rules allow and a brand hardly wants, as sentences. */
export function termsWarnings(rules: TermsRule[], settings: Settings): string[] {
  return [...warnOfTooMuch(rules, settings), ...warnOfRenewals(rules, settings)];
}

/**
 * A partner and their recruiter who together get more than a sale brings. Only percentages are compared, because a fixed amount
 * can be more than any small sale.
 */
function warnOfTooMuch(rules: TermsRule[], settings: Settings): string[] {
  const shares = rules.flatMap((rule, index): Share[] =>
    rule.on === 'sale' && rule.pays.type === 'percent' ? [{ name: `${index + 1}`, rate: rule.pays.rate, rule }] : [],
  );
  const isRecruiters = ({ rule }: Share) => rule?.pays.to === 'recruiter';
  const ofPartners = [...shares.filter((share) => !isRecruiters(share)), ...shareOf(settings, rules)];
  const pairs = ofPartners.flatMap((partner) =>
    shares
      .filter((share) => isRecruiters(share) && canMeet(partner, share))
      .map((recruiter) => ({ partner, recruiter })),
  );
  const together = ({ partner, recruiter }: (typeof pairs)[number]) => partner.rate + recruiter.rate;
  const most = pairs.toSorted((a, b) => together(b) - together(a))[0];
  if (!most || together(most) <= 100) return [];
  const { partner, recruiter } = most;
  const names = partner.rule
    ? `Rules ${[partner.name, recruiter.name].sort((a, b) => Number(a) - Number(b)).join(' and ')}`
    : `The commission settings and rule ${recruiter.name}`;
  return [
    `${names} can pay more than the sale brings: together ${percent(together(most))}, ${percent(partner.rate)} to the partner ` +
      `and ${percent(recruiter.rate)} to the recruiter.`,
  ];
}

/** The settings, unless a rule comes first for every sale. */
function shareOf({ type, rate }: Settings, rules: TermsRule[]): Share[] {
  const { basis, renewals } = COMMISSION_TYPES[type];
  const isReached = !rules.some((rule) => matchesEverySale(rule) && (rule.pays.renewals === true || !renewals));
  return basis === 'percent' && isReached ? [{ name: '', rate, rule: null }] : [];
}

/** Renewals aside. */
function matchesEverySale({ on, for: partners, when, pays }: TermsRule): boolean {
  const isForAll = partners === undefined && Object.keys(when ?? {}).length === 0;
  const isForPartners = on === 'sale' && pays.to !== 'recruiter' && pays.type === 'percent';
  return isForAll && isForPartners && pays.months === undefined && pays.max_payments === undefined;
}

/** Whether both can pay for the same sale: no condition of one contradicts the other. */
function canMeet({ rule: a }: Share, { rule: b }: Share): boolean {
  return (
    agree(a?.for?.partner_id, b?.for?.partner_id) &&
    agree(a?.for?.group_id, b?.for?.group_id) &&
    agree(a?.when?.product_id, b?.when?.product_id) &&
    agree(a?.when?.coupon?.toLowerCase(), b?.when?.coupon?.toLowerCase()) &&
    agree(a?.when?.customer, b?.when?.customer)
  );
}

const agree = <Value>(a: Value | undefined, b: Value | undefined) => a === undefined || b === undefined || a === b;

/** Groups and partners who get less of renewals than of sales, or less than others do. Nothing is said where renewals pay nobody. */
function warnOfRenewals(rules: TermsRule[], settings: Settings): string[] {
  const { type, rate, currency } = settings;
  const amount = (pays: Pay) => (pays.type === 'percent' ? percent(pays.rate) : unitsInWords(pays.rate, currency));
  const bySettings = COMMISSION_TYPES[type].renewals ? { type: COMMISSION_TYPES[type].basis, rate } : null;
  /** What pays for the renewals of everything that a rule matches, if it does not do so itself. */
  const renewalsOf = (renewal: TermsRule): { name: string; pays: Pay } | null => {
    const index = rules.findIndex((rule) => covers({ ...rule, pays: { ...rule.pays, type: 'percent' } }, renewal));
    if (index !== -1) return { name: `rule ${index + 1} pays`, pays: rules[index]!.pays };
    return bySettings && { name: 'the commission settings pay', pays: bySettings };
  };
  return rules.flatMap((rule, index) => {
    const { on, for: audience, pays } = rule;
    if (on !== 'sale' || audience === undefined || pays.to === 'recruiter') return [];
    const renewal = { ...rule, pays: { ...pays, renewals: true } };
    if (!pays.renewals) {
      const paid = renewalsOf(renewal);
      if (!paid || paid.pays.type !== pays.type || paid.pays.rate >= pays.rate) return [];
      return [
        `Rule ${index + 1} pays ${amount(pays)} for sales, but not for renewals: for those, ${paid.name} ${amount(paid.pays)}. Include ` +
          `renewals in the rule if they should pay ${amount(pays)} too.`,
      ];
    }
    const { for: _, ...ofEveryone } = renewal;
    const others = renewalsOf(ofEveryone);
    if (!others || others.pays.type !== pays.type || others.pays.rate <= pays.rate) return [];
    return [
      `Rule ${index + 1} pays ${amount(pays)} for renewals, less than other partners get: ${others.name} ${amount(others.pays)}.`,
    ];
  });
}

type Pay = Pick<TermsRule['pays'], 'type' | 'rate'>;

/** Rates have four decimals at most; so does their sum, whatever binary fractions make of it. */
const percent = (rate: number) => `${Number(rate.toFixed(4))}%`;
