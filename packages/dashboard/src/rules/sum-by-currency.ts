type Sum = { currency: string; cents: number };

/** Adds up one amount of many rows, each currency by itself, in the order of their codes. Sums of zero are left out. */
export function sumByCurrency<Name extends string>(
  rows: readonly ({ currency: string } & Record<Name, number>)[],
  name: Name,
): Sum[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0) + row[name]);
  return [...sums]
    .map(([currency, cents]) => ({ currency, cents }))
    .filter(({ cents }) => cents !== 0)
    .sort((one, other) => one.currency.localeCompare(other.currency));
}
