import type { ReportOutcome } from '@svc/contract';
import { payoutIdOf } from '../payout-files/payout-item.ts';
import type { ReportRow } from '../payout-files/report-row.ts';
import type { RunPayoutRow } from './run-payout-store.ts';
import type { Settlement } from './settle-run.ts';
import { canBecome } from './settlement.ts';

/** What a row of a report does to the run. */
export type JudgedRow = {
  row: ReportRow;
  payoutId: number | null;
  outcome: ReportOutcome;
  settlement: Settlement | null;
};

/** Judges every row of a report, in its order. A row about something else than a payout of the run changes nothing. */
export function judgeReport(rows: ReportRow[], ofRun: Map<number, RunPayoutRow>, others: Set<number>): JudgedRow[] {
  return rows.map((row) => {
    const id = payoutIdOf(row.endToEndId);
    const payout = id === null ? undefined : ofRun.get(id);
    if (!payout) {
      const isKnown = id !== null && others.has(id);
      return { row, payoutId: isKnown ? id : null, outcome: isKnown ? 'other_run' : 'unknown', settlement: null };
    }
    const unchanged = (outcome: ReportOutcome) => ({ row, payoutId: payout.id, outcome, settlement: null });
    const { status, code, reason } = row;
    if (status === payout.status) return unchanged('already');
    if (status === 'accepted') return unchanged('pending');
    if (!canBecome(status, payout)) return unchanged('refused');
    const settlement = { id: payout.id, outcome: status, reference: null, code, reason };
    return { row, payoutId: payout.id, outcome: 'changed', settlement };
  });
}
