import { columnsTreated, ERASURE, type Treatment } from '../../server/src/db/schema/erasure.ts';
import type { TestService } from './service.ts';

/** `table.column` of every column that erasure treats in one of these ways. */
export function columnsOf(...treatments: Treatment[]): string[] {
  return Object.keys(ERASURE)
    .flatMap((table) => treatments.flatMap((one) => columnsTreated(table, one).map((column) => `${table}.${column}`)))
    .sort();
}

/** How many values each of the columns holds; with words, only values that contain one of them, in any case or encoding. */
export async function countValues(
  service: TestService,
  columns: string[],
  words?: string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of columns) {
    const [table, column] = name.split('.');
    const rows = await service.sql<{ value: string }>(
      `select "${column}"::text as value from "${table}" where "${column}" is not null`,
    );
    counts[name] = words ? rows.filter(({ value }) => hasWord(value, words)).length : rows.length;
  }
  return counts;
}

function hasWord(value: string, words: string[]): boolean {
  const decoded = value.replaceAll(/(%[\da-f]{2})+/gi, (encoded) => decodeURIComponent(encoded));
  return words.some((word) => `${value} ${decoded}`.toLowerCase().includes(word.toLowerCase()));
}

/** The columns that hold something in the first count, and less in the second. */
export const emptied = (before: Record<string, number>, after: Record<string, number>) =>
  Object.keys(before).filter((name) => (after[name] ?? 0) < (before[name] ?? 0));
