import type { FeedEvent } from './follow-feed.ts';

/** The line about an event: its number, when it became true, its type, and which thing it is about. */
export function eventLine({ sequence, timestamp, type, data }: FeedEvent): string {
  return `${String(sequence).padStart(6)}  ${timestamp}  ${type.padEnd(20)}  ${subjectOf(data)}`.trimEnd();
}

/** Such as `sale 31 (order_1001)`. */
function subjectOf(data: Record<string, unknown>): string {
  const [[name, row] = ['', {}]] = Object.entries(data);
  const { id, version, transaction_id: transactionId } = (row ?? {}) as Record<string, unknown>;
  return `${name} ${id ?? version ?? ''}${transactionId ? ` (${transactionId})` : ''}`;
}
