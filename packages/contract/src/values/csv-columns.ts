import type { Cell } from './csv.ts';
import { currencyExponent } from './currencies.ts';
import { formatDecimal } from './decimal.ts';

export type CsvColumn = { title: string; cell: (row: object) => Cell };

const CENTS = '_cents';

/** The columns of a file: every field of the list and, beside every amount, the same amount as a decimal number. */
export function csvColumns(names: string[]): CsvColumn[] {
  return names.flatMap((name): CsvColumn[] => {
    const column: CsvColumn = { title: name, cell: (row) => cellOf(field(row, name)) };
    if (!name.endsWith(CENTS)) return [column];
    const title = name.slice(0, -CENTS.length);
    const currency = currencyField(title, names);
    return [{ title, cell: (row) => decimalCell(field(row, name), field(row, currency)) }, column];
  });
}

const field = (row: object, name: string): unknown => row[name as keyof typeof row];

/** What is more than a value is JSON. */
function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}

/** Some amounts are in another currency than the rest of their row: `sale_cents` is in `sale_currency`. */
function currencyField(amount: string, names: string[]): string {
  const [first] = amount.split('_');
  return names.find((name) => name === `${first}_currency`) ?? 'currency';
}

function decimalCell(cents: unknown, currency: unknown): Cell {
  if (typeof cents !== 'number' || typeof currency !== 'string') return null;
  return { amount: formatDecimal(cents, currencyExponent(currency)) };
}
