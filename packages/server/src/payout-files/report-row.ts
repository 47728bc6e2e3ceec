import { describeReason } from './reasons.ts';

/** What a report says about one payout. `accepted` means that the provider has it and has not decided. */
export type ReportRow = {
  endToEndId: string;
  status: 'accepted' | 'paid' | 'failed' | 'returned';
  code: string | null;
  /** In our words where we have some for the code, otherwise in those of the report. */
  reason: string | null;
};

/** Explains a code, or repeats what the report says. */
export function reasonOf(code: string | null, said: string | null): string | null {
  const known = code === null ? null : describeReason(code);
  return known ? `${known.says} ${known.todo}` : said;
}

/**
 * One row for each payout. What is accepted may be decided later in the same report, and what was paid may come back. Rows that
 * contradict each other otherwise are left out and named, because a wrong guess would move money.
 */
export function withoutRepeats(rows: ReportRow[]): { rows: ReportRow[]; contradicted: string[]; problems: string[] } {
  const found = new Map<string, ReportRow>();
  const contradicted = new Set<string>();
  for (const row of rows) {
    const before = found.get(row.endToEndId);
    if (!before || isOvertaken(before, row)) found.set(row.endToEndId, row);
    else if (before.status !== row.status && !isOvertaken(row, before)) contradicted.add(row.endToEndId);
  }
  return {
    rows: [...found.values()].filter(({ endToEndId }) => !contradicted.has(endToEndId)),
    contradicted: [...contradicted],
    problems: [...contradicted].map((id) => `The report contradicts itself about ${id}, so it was left out.`),
  };
}

function isOvertaken(before: ReportRow, by: ReportRow): boolean {
  if (before.status === 'accepted') return by.status !== 'accepted';
  return before.status === 'paid' && by.status === 'returned';
}
