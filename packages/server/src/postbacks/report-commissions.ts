import { type CommissionRow, POSTBACK_EVENTS, tellsReversals } from '@svc/contract';
import type { Transaction } from '../db/db.ts';
import type { NumberedRange } from '../feed/feed-store.ts';
import { renderEvent } from '../feed/render-event.ts';
import { type Addressed, insertCalls, listAddressed, type NewCall } from './call-store.ts';
import { postbackEventOf, postbackValues } from './postback.ts';

const TOLD_TYPES = POSTBACK_EVENTS.map((event) => `commission.${event}` as const);

/**
 * Makes one call for each event about a commission whose partner has a postback, in the transaction that numbers the events.
 * Returns how many.
 */
export async function reportCommissions(tx: Transaction, numbered: NumberedRange[], now: Date): Promise<number> {
  const calls = (await listAddressed(tx, numbered, TOLD_TYPES)).flatMap(callsAbout);
  if (calls.length > 0) await insertCalls(tx, calls, now);
  return calls.length;
}

function callsAbout(addressed: Addressed): NewCall[] {
  const { postbackId, url, customerId } = addressed;
  const event = postbackEventOf(addressed.type);
  if (!event || (event === 'reversed' && !tellsReversals(url))) return [];
  const { data, timestamp } = renderEvent(addressed);
  const values = postbackValues(event, data.commission as CommissionRow, timestamp, addressed);
  return [{ postbackId, event, values, customerId }];
}
