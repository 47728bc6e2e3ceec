import { pageLocale } from './locale.ts';

type Paid = { money: { currency: string; revenue_cents: number; refunded_cents: number }[] };

/** What was paid and not refunded, in one currency. */
export function keptCents({ money }: Paid, currency: string): number {
  const sum = money.find((amounts) => amounts.currency === currency);
  return sum ? sum.revenue_cents - sum.refunded_cents : 0;
}

/** The months without customers before the first one with some are left out. */
export function fromFirstCustomers<Cohort extends { customers: number }>(cohorts: Cohort[]): Cohort[] {
  const first = cohorts.findIndex(({ customers }) => customers > 0);
  return first === -1 ? [] : cohorts.slice(first);
}

/** A month of the API with its year: `2026-03` is `Mar 2026`. */
export function formatMonth(month: string, locale = pageLocale): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01`));
}
