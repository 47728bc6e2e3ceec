/** Periods that a report can be about, by the name they have in the address. */
export const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '12m': 365 } as const;
export type PeriodName = keyof typeof PERIODS;

export type Period = { from: string; to: string; days: number };

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whole days in UTC, today included; own dates win over a named period, and what makes no sense is the last 30 days. */
export function periodOf(search: { period?: string; from?: string; to?: string }, now: Date): Period {
  const { from, to } = search;
  if (isDate(from) && isDate(to) && from <= to) return between(Date.parse(from), Date.parse(to));
  const days = PERIODS[search.period as PeriodName] ?? PERIODS['30d'];
  const today = Date.parse(now.toISOString().slice(0, 10));
  return between(today - (days - 1) * DAY_MS, today);
}

/** From the first moment of one day to the last of another, both in UTC. */
function between(first: number, last: number): Period {
  return {
    from: new Date(first).toISOString(),
    to: new Date(last + DAY_MS).toISOString(),
    days: (last - first) / DAY_MS + 1,
  };
}

/** The change against what was before, in words; null where there was nothing before. */
export function changeInWords(now: number, before: number, locale?: string): string | null {
  if (before === 0) return null;
  const share = (now - before) / before;
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format(share);
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && DATE.test(text) && !Number.isNaN(Date.parse(text));
}
