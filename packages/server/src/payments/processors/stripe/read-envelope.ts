import { isIdentifier, isTime } from '../../identifier-checks.ts';
import { record } from '../payload.ts';
import type { EventEnvelope } from '../processor.ts';

export function readEnvelope(payload: unknown): EventEnvelope | null {
  const { id, type, livemode, account, object, created } = record(payload) ?? {};
  const seconds = object === 'v2.core.event' ? secondsOf(created) : created;
  if (!isIdentifier(id) || !isIdentifier(type) || !isTime(seconds)) return null;
  return {
    id,
    type,
    happenedAt: new Date(seconds * 1000),
    isLive: livemode === true,
    account: isIdentifier(account) ? account : undefined,
  };
}

/** Thin events have an ISO 8601 time, all others a number of seconds. */
function secondsOf(created: unknown): number {
  return Math.floor(Date.parse(String(created)) / 1000);
}
