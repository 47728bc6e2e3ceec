import { type FeedEvent, maskEmail } from '@svc/contract';
import { type Reason, reasons } from '../decisions/reasons.ts';
import type { WaitingEvent } from '../outbox/outbox-store.ts';

/** How the row of a subject is made from what was read when the event was written. */
export type RowOf = (facts: Record<string, unknown>) => object;

type Numbered = WaitingEvent & { sequence: number; reason: Reason | undefined };

/** The event as the outside sees it, and whom it is about. */
export function renderEvent(waiting: Numbered, rowOf: RowOf) {
  const { eventId, type, subject, facts, gone, more, decisionId, reason } = waiting;
  const row = (gone ?? rowOf(facts ?? {})) as { partner_id?: number | null; customer_id?: number | null; id?: number };
  const data = withoutAddresses({
    [subject]: row,
    ...more,
    ...(more?.previous !== undefined && { previous: changedFrom(more.previous as object, row) }),
    ...(decisionId !== null && reason && { decision: { id: decisionId, reason, sentence: reasons[reason] } }),
  }) as Record<string, unknown>;
  const event: FeedEvent = {
    id: eventIdOf(eventId),
    type,
    timestamp: waiting.createdAt.toISOString(),
    program_id: waiting.programId,
    sequence: waiting.sequence,
    data,
  };
  return {
    body: event,
    customerId: (subject === 'customer' ? row.id : row.customer_id) ?? null,
    partnerId: (subject === 'partner' ? row.id : row.partner_id) ?? null,
  };
}

/** The fields that were different before. */
function changedFrom(previous: object, row: object): object {
  const now = row as Record<string, unknown>;
  return Object.fromEntries(Object.entries(previous).filter(([field, value]) => value !== now[field]));
}

/** The id of an event as the outside sees it. */
export const eventIdOf = (uuid: string) => `evt_${uuid.replaceAll('-', '')}`;

const ADDRESS = /[^\s@<>"',;:()[\]]+@[^\s@<>"',;:()[\]]+/g;

/** Masks every e-mail address in the texts of a value: customer keys and names can be one, too. */
function withoutAddresses(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(ADDRESS, maskEmail);
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutAddresses(part)]));
}
