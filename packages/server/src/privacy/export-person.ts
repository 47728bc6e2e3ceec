import { readArchivedClicks } from '../archive/read-archived-clicks.ts';
import type { Context } from '../context.ts';
import {
  findStoredAccount,
  findStoredCustomer,
  MAX_EXPORTED,
  type StoredAccount,
  type StoredCustomer,
  type StoredRow,
} from './export-store.ts';
import type { PrivacyContext } from './privacy-context.ts';
import { readContent } from './read-event-contents.ts';

export type ExportedCustomer = Omit<StoredCustomer, 'processorEvents'> & { processorEvents: StoredRow[] };

/** Everything stored about a customer, with the contents of processor events in the clear. Null if there is no such customer. */
export async function exportCustomer(
  ctx: PrivacyContext,
  programId: number,
  customerId: number,
): Promise<ExportedCustomer | null> {
  const stored = await findStoredCustomer(ctx.db, programId, customerId);
  if (!stored) return null;
  const processorEvents = stored.processorEvents.map(({ payload_sealed: sealed, ...event }) => ({
    ...event,
    content: sealed === null ? null : readContent(ctx.encryption, sealed),
  }));
  const archived = await readArchivedClicks(ctx, programId, customerId, MAX_EXPORTED);
  return { ...stored, clicks: [...stored.clicks, ...archived].slice(0, MAX_EXPORTED), processorEvents };
}

export function exportAccount(ctx: Context, userId: string): Promise<StoredAccount | null> {
  return findStoredAccount(ctx.db, userId);
}
