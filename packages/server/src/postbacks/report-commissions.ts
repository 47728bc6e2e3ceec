import { type CommissionRow, tellsReversals } from '@svc/contract';
import type { Transaction } from '../db/db.ts';
import type { NumberedEvent } from '../feed/feed-store.ts';
import { insertCalls, listAddressed, type NewCall } from './call-store.ts';
import { postbackEventOf, postbackValues } from './postback.ts';

/** Makes one call for each event about a commission whose partner has a postback, in the transaction that numbers the events. */
export async function reportCommissions(tx: Transaction, events: NumberedEvent[], now: Date): Promise<void> {
  const told = events.flatMap((numbered) => {
    const event = postbackEventOf(numbered.type);
    const commission = numbered.body.data.commission as CommissionRow;
    return event ? [{ event, commission, programId: numbered.programId, happenedAt: numbered.body.timestamp }] : [];
  });
  if (told.length === 0) return;
  const addressed = await listAddressed(
    tx,
    told.map(({ programId, commission }) => ({
      programId,
      partnerId: commission.partner_id,
      customerId: commission.customer_id,
      saleId: commission.sale_id,
    })),
  );
  const calls = addressed.flatMap(({ index, postbackId, url, ...visit }): NewCall[] => {
    const { event, commission, happenedAt } = told[index]!;
    if (event === 'reversed' && !tellsReversals(url)) return [];
    const values = postbackValues(event, commission, happenedAt, visit);
    return [{ postbackId, event, values, customerId: commission.customer_id }];
  });
  if (calls.length > 0) await insertCalls(tx, calls, now);
}
