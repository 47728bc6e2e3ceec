import { formatCount } from './money.ts';

/** Why rows were left as they are, and how many. */
type Skipped = { reason: string; count: number };
export type BulkResult = { changed: number; skipped: Skipped[] };

const REASONS: Record<string, string> = {
  pending: 'pending',
  approved: 'already approved',
  paid: 'already paid',
  reversed: 'reversed by a refund',
  partially_reversed: 'partially reversed',
  rejected: 'rejected',
  in_payout: 'in a payout',
  in_draft: 'in a draft',
  not_sent: 'in a run that is not sent',
  cancelled: 'canceled',
  not_found: 'no longer there',
};

/** Adds the results of two requests. */
export function addResults(one: BulkResult, other: BulkResult): BulkResult {
  const counts = new Map<string, number>();
  for (const { reason, count } of [...one.skipped, ...other.skipped]) {
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return {
    changed: one.changed + other.changed,
    skipped: [...counts].map(([reason, count]) => ({ reason, count })),
  };
}

/** What was done, and what was not and why: “12 commissions approved. 3 skipped: 2 already paid, 1 in a payout.” */
export function describeResult({ changed, skipped }: BulkResult, noun: string, done: string): string {
  const total = skipped.reduce((sum, { count }) => sum + count, 0);
  const result = `${countOf(changed, noun)} ${done}`;
  if (total === 0) return result;
  const reasons = skipped.map(({ reason, count }) => `${formatCount(count)} ${REASONS[reason] ?? reason}`);
  return `${result}. ${formatCount(total)} skipped: ${reasons.join(', ')}.`;
}

/** A number with its noun in the singular or plural, which ends in s. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun.replace(/s$/, '') : noun}`;
}
