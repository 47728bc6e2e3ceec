/** Everything that a run does with partners whose names contain the text. */
export function findByName<Row extends { partner_name: string }>(rows: readonly Row[], text: string): Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ partner_name: name }) => name.toLowerCase().includes(wanted));
}

type Page<Row> = { rows: Row[]; next: string | null };

/** One page of rows that are all here; the cursor is the number of rows before it. */
export function pageOf<Row>(rows: readonly Row[], cursor: string | undefined, size: number): Page<Row> {
  const wanted = Math.max(0, Math.trunc(Number(cursor)) || 0);
  const start = wanted < rows.length ? wanted : 0;
  return { rows: rows.slice(start, start + size), next: start + size < rows.length ? String(start + size) : null };
}

/** Sums by currency, in the order of the currencies. Currencies are never added. */
export function sumsOf(
  rows: readonly { currency: string; amount_cents: number }[],
): { currency: string; cents: number }[] {
  const sums = new Map<string, number>();
  for (const { currency, amount_cents: cents } of rows) sums.set(currency, (sums.get(currency) ?? 0) + cents);
  return [...sums]
    .map(([currency, cents]) => ({ currency, cents }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** Commissions approved on this day, in UTC, are the last ones. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999Z`;
}

/** An account number without most of its digits: `DE89 •••• 3000`, or `•••• 3000` if it is short. */
export function masked(number: string): string {
  const compact = number.replaceAll(' ', '');
  const start = compact.length > 12 ? `${compact.slice(0, 4)} ` : '';
  return `${start}•••• ${compact.length > 8 ? compact.slice(-4) : ''}`.trim();
}
