import { readCsv } from './read-csv.ts';
import { type ReportRow, reasonOf, withoutRepeats } from './report-row.ts';

export type PaypalReport = { reportId: string | null; rows: ReportRow[]; problems: string[] };

// PayPal names its columns differently in its reports, and people choose which to download. The first one found counts.
const ID = ['unique id', 'customer id', 'sender item id', 'unique id customer id', 'custom number'];
const STATUS = ['status', 'transaction status', 'payout item status', 'payout status', 'payment status'];
const CODE = ['reason code', 'error code', 'error name', 'error'];
const REASON = ['reason', 'error message', 'failure reason', 'status reason'];
const BATCH = ['payout batch id', 'batch id'];

/** A run has at most some thousand payouts. Reading more would block all other requests. */
const MAX_ROWS = 50_000;
const MAX_CELLS = 2_000_000;

const STATUSES: Readonly<Record<string, ReportRow['status']>> = {
  completed: 'paid',
  success: 'paid',
  unclaimed: 'accepted',
  pending: 'accepted',
  processing: 'accepted',
  onhold: 'accepted',
  returned: 'returned',
  refunded: 'returned',
  reversed: 'returned',
  failed: 'failed',
  denied: 'failed',
  blocked: 'failed',
  canceled: 'failed',
  cancelled: 'failed',
};

/**
 * Reads a report of PayPal about payouts: CSV, or the tabs of its batch log. Lines before the header and rows about something else, such
 * as totals, are passed over. An unknown status is a problem, never a guess.
 */
export function readPaypalReport(bytes: Uint8Array): PaypalReport {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (isTooLarge(text)) {
    const problem = 'The file has more than 50,000 rows or 2,000,000 cells, which no report of a run has.';
    return { reportId: null, rows: [], problems: [problem] };
  }
  for (const delimiter of [',', ';', '\t']) {
    const table = readCsv(text, delimiter);
    const header = table.findIndex((cells) => columnOf(cells, ID) >= 0 && columnOf(cells, STATUS) >= 0);
    if (header >= 0) return readRows(table, header);
  }
  const problem = 'The file is not a PayPal report: it has no columns for the customer ID and the status.';
  return { reportId: null, rows: [], problems: [problem] };
}

function isTooLarge(text: string): boolean {
  let [rows, cells] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\n' || (character === '\r' && text[at + 1] !== '\n')) rows++;
    if (character === ',' || character === ';' || character === '\t') cells++;
  }
  return rows > MAX_ROWS || cells > MAX_CELLS;
}

function readRows(table: string[][], header: number): PaypalReport {
  const titles = table[header] ?? [];
  const [idAt, statusAt, codeAt, reasonAt, batchAt] = [ID, STATUS, CODE, REASON, BATCH].map((names) =>
    columnOf(titles, names),
  );
  const cell = (cells: string[], at = -1) => cells[at]?.trim() ?? '';
  const problems: string[] = [];
  let reportId: string | null = null;
  const listed = table.slice(header + 1).flatMap((cells, index): ReportRow[] => {
    const [endToEndId, said] = [cell(cells, idAt), cell(cells, statusAt)];
    if (endToEndId === '') {
      if (said !== '') problems.push(`Row ${header + index + 2} has a status but no customer ID, so it was left out.`);
      return [];
    }
    const key = said.toLowerCase().replaceAll(/[^a-z]/g, '');
    const status = Object.hasOwn(STATUSES, key) ? STATUSES[key] : undefined;
    if (!status) {
      problems.push(
        `The status "${said.slice(0, 40)}" of ${endToEndId.slice(0, 40)} is not known, so it was left out.`,
      );
      return [];
    }
    reportId ??= cell(cells, batchAt) || null;
    const code = cell(cells, codeAt) || null;
    return [{ endToEndId, status, code, reason: reasonOf(code, cell(cells, reasonAt) || null) }];
  });
  const { rows, problems: contradictions } = withoutRepeats(listed);
  return { reportId, rows, problems: [...problems, ...contradictions] };
}

function columnOf(titles: string[], names: string[]): number {
  const normal = titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, ' ')
      .trim(),
  );
  return names.map((name) => normal.indexOf(name)).find((at) => at >= 0) ?? -1;
}
