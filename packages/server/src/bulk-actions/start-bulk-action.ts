import { errors, MAX_BULK_ROWS } from '@svc/contract';
import { insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { deleteFinished, insertBulkAction, insertSlices, type NewBulkAction } from './bulk-action-store.ts';
import { KINDS } from './kinds.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;

export type AskedBulkAction = Pick<NewBulkAction, 'kind' | 'change' | 'actor'> & {
  /** The rows, as the kind wants them, or what selects them in the transaction that stores them. */
  items: unknown[] | ((tx: Transaction) => Promise<unknown[]>);
};

/** Stores what is to be done to which rows. From then on it is done, whatever becomes of the caller. */
export async function startBulkAction(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  { kind, change, actor, items: asked }: AskedBulkAction,
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const items = typeof asked === 'function' ? await asked(tx) : asked;
    if (items.length > MAX_BULK_ROWS) throw errors.tooManySelected(MAX_BULK_ROWS);
    await deleteFinished(tx, programId, new Date(now.getTime() - KEPT_DAYS * DAY_MS));
    const id = await insertBulkAction(tx, { programId, kind, change, total: items.length, actor }, now);
    if (id === null) throw errors.bulkActionRunning();
    await insertSlices(tx, id, slicesOf(items, KINDS[kind].sliceSize));
    await insertAuditEvent(
      tx,
      {
        workspaceId,
        programId,
        actor,
        action: 'bulk_action.started',
        subject: { type: 'bulk_action', id },
        after: { kind, total: items.length, ...change },
      },
      now,
    );
    return id;
  });
}

function slicesOf(items: unknown[], size: number): unknown[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
