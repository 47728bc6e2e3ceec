import { type FeedEvent, type FeedEventType, type FeedSubject, maskEmail } from '@svc/contract';
import { type Reason, reasons } from '../decisions/reasons.ts';
import { FEED_ROW_OF } from './feed-rows.ts';

/** A numbered event as it is stored: the row as it was read when the event was written, or the row itself if it was deleted. */
export type StoredEvent = {
  eventId: string;
  programId: number;
  sequence: number;
  type: FeedEventType;
  subject: FeedSubject;
  facts: Record<string, unknown> | null;
  gone: object | null;
  /** What the type has besides, and the row from before the change or some of its fields. */
  more: { before?: Record<string, unknown>; previous?: Record<string, unknown> } | null;
  decisionId: number | null;
  reason: Reason | null;
  createdAt: Date | string;
};

/** The event as the outside sees it. */
export function renderEvent(stored: StoredEvent): FeedEvent {
  const { subject, facts, gone, decisionId, reason } = stored;
  const { before, previous, ...more } = stored.more ?? {};
  const row = gone ?? FEED_ROW_OF[subject](facts ?? {});
  const was = { ...(before ? FEED_ROW_OF[subject](before) : {}), ...previous };
  const data = withoutAddresses({
    [subject]: row,
    ...more,
    ...((before || previous) && { previous: changedFrom(was, row) }),
    ...(decisionId !== null && reason && { decision: { id: decisionId, reason, sentence: reasons[reason] } }),
  }) as Record<string, unknown>;
  return {
    id: eventIdOf(stored.eventId),
    type: stored.type,
    timestamp: new Date(stored.createdAt).toISOString(),
    program_id: stored.programId,
    sequence: stored.sequence,
    data,
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
