import { errors, IMPORTED_KINDS, type ImportedKind, type KeptReason } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { deleteManualCommissions } from '../commissions/manual-commission-store.ts';
import type { Context } from '../context.ts';
import { deleteCoupons, judgeCoupons } from '../coupons/imported-coupon-store.ts';
import { deleteAssignment, listPartnersOfCustomers } from '../customers/attribution-store.ts';
import { movedCustomers } from '../customers/customer-list-store.ts';
import { deleteImportedCustomers, judgeCustomers } from '../customers/imported-customer-store.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { announce } from '../outbox/announce.ts';
import { type Announcement, type FeedRows, readRows } from '../outbox/outbox-store.ts';
import { deleteMembers, endMembers, type Judged, judgeMembers } from '../partners/imported-partner-store.ts';
import { deleteLinks, judgeLinks } from '../partners/links/imported-link-store.ts';
import { LINK_ROWS } from '../partners/links/link-list-store.ts';
import { PARTNER_ROWS } from '../partners/partner-list-store.ts';
import { deleteIdentities, deleteImportedIdentities } from '../payments/payer-store.ts';
import type { Program } from '../programs/program.ts';
import { deleteBalances, listBalancesForUpdate } from './balance-store.ts';
import {
  type FoundImport,
  findImportForUpdate,
  type ItemToUndo,
  listItemsToUndo,
  lockImports,
  updateImportStatus,
  updateUndone,
} from './import-store.ts';

/** How many things one transaction judges, and how many transactions one request has. */
const BATCH = 1_000;
const MAX_BATCHES = 10;

/** What belongs to a partner goes before them. */
const ORDER = IMPORTED_KINDS.toReversed() satisfies ImportedKind[];

type UndoneProgram = Pick<Program, 'id' | 'workspaceId'>;

/**
 * Removes what the import created and what nothing has happened to since, and notes why it keeps the rest. It works in small
 * transactions, so one that is cut off goes on where it stopped.
 */
export async function undoImport(ctx: Context, program: UndoneProgram, importId: number, actor: Actor): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const isDone = await retryOnConflict(() =>
      ctx.db.transaction((tx) => undoBatch(tx, ctx, program, importId, actor)),
    );
    if (isDone) return;
  }
}

async function undoBatch(
  tx: Transaction,
  ctx: Context,
  program: UndoneProgram,
  importId: number,
  actor: Actor,
): Promise<boolean> {
  await lockImports(tx, program.id);
  const found = await findImportForUpdate(tx, program.id, importId);
  if (!found) throw errors.notFound();
  if (found.status === 'undone') return true;
  for (const kind of ORDER) {
    const items = await listItemsToUndo(tx, importId, kind, BATCH);
    if (items.length === 0) continue;
    if (found.status === 'open') await updateImportStatus(tx, importId, 'undoing', ctx.now());
    const judged = await UNDO[kind](tx, ctx, { programId: program.id, importId }, items);
    await updateUndone(tx, importId, kind, split(items, judged));
    return false;
  }
  await updateImportStatus(tx, importId, 'undone', ctx.now());
  await insertAuditEvent(tx, undoneEvent(program, found, actor), ctx.now());
  return true;
}

function undoneEvent({ id: programId, workspaceId }: UndoneProgram, { id, source }: FoundImport, actor: Actor) {
  const subject = { type: 'import', id, name: source } as const;
  return { workspaceId, programId, actor, action: 'import.undone', subject } as const;
}

/** What is gone, no matter who removed it, counts as removed. */
function split(items: ItemToUndo[], judged: Judged[]) {
  const reasons = new Map(judged.map(({ id, kept }) => [id, kept]));
  const reasonOf = ({ itemId, isNew }: ItemToUndo): KeptReason | null =>
    isNew ? (reasons.get(itemId) ?? null) : 'was_there';
  return {
    removed: items.filter((item) => reasonOf(item) === null).map(({ itemId }) => itemId),
    kept: items.flatMap((item) => {
      const reason = reasonOf(item);
      return reason === null ? [] : [{ id: item.itemId, reason }];
    }),
  };
}

type Undo = (
  tx: Transaction,
  ctx: Context,
  undone: { programId: number; importId: number },
  items: ItemToUndo[],
) => Promise<Judged[]>;

const newIds = (items: ItemToUndo[]) => items.filter(({ isNew }) => isNew).map(({ itemId }) => itemId);
const gone = (judged: Judged[]) => judged.filter(({ kept }) => kept === null).map(({ id }) => id);

/** Judges new things of a kind, removes those to which nothing has happened, and says why the others stay. */
const UNDO: Record<ImportedKind, Undo> = {
  async balance(tx, ctx, { programId }, items) {
    const balances = await listBalancesForUpdate(tx, programId, newIds(items));
    const commissionIds = balances.flatMap(({ commissionId }) => (commissionId === null ? [] : [commissionId]));
    const revoked = new Set(await deleteManualCommissions(tx, programId, commissionIds, ctx.now()));
    const judged = balances.map(({ id, commissionId }): Judged => {
      return { id, kept: commissionId === null || revoked.has(commissionId) ? null : 'payouts' };
    });
    await deleteBalances(tx, programId, gone(judged));
    return judged;
  },

  async customer(tx, ctx, { programId }, items) {
    const isCreated = items.filter(({ isNew }) => isNew);
    const customers = isCreated.map(({ itemId, assignedAt }) => ({ id: itemId, assignedAt: assignedAt as Date }));
    const judged = await judgeCustomers(tx, programId, customers);
    await deleteIdentities(tx, programId, gone(judged));
    await deleteImportedCustomers(tx, programId, gone(judged));
    await returnCustomers(
      tx,
      ctx,
      programId,
      items.filter(({ isNew, assignedAt }) => !isNew && assignedAt !== null),
    );
    return judged;
  },

  async coupon(tx, _ctx, { programId }, items) {
    const judged = await judgeCoupons(tx, programId, newIds(items));
    await deleteCoupons(tx, programId, gone(judged));
    return judged;
  },

  async link(tx, ctx, { programId }, items) {
    const judged = await judgeLinks(tx, programId, newIds(items));
    const after = { active: false, deleted_at: ctx.now().toISOString() };
    const events = await announcedAs(tx, LINK_ROWS, 'link.changed', { programId, ids: gone(judged), after });
    await deleteLinks(tx, programId, gone(judged));
    announce(ctx, tx, [{ rows: LINK_ROWS, events }]);
    return judged;
  },

  async partner(tx, ctx, { programId, importId }, items) {
    const members = items.filter(({ isNew }) => isNew).map(({ itemId, hadAccount }) => ({ id: itemId, hadAccount }));
    const judged = await judgeMembers(tx, programId, members);
    // Nothing has happened to them but the import itself, which the books keep. Ending their membership is as good as it gets.
    const ended = judged.filter(({ kept }) => kept === 'books').map(({ id }) => id);
    const ids = [...gone(judged), ...ended];
    const after = { status: 'removed' };
    const events = await announcedAs(tx, PARTNER_ROWS, 'partner.changed', { programId, ids, after });
    await deleteMembers(tx, programId, gone(judged));
    await endMembers(tx, programId, importId, ended);
    announce(ctx, tx, [{ rows: PARTNER_ROWS, events }]);
    return judged.map(({ id, kept }) => ({ id, kept: kept === 'books' ? null : kept }));
  },
};

/**
 * Customers who were there before have no partner again, and processors' ids are nobody's, unless they have bought since or were
 * given to another partner.
 */
async function returnCustomers(tx: Transaction, ctx: Context, programId: number, items: ItemToUndo[]): Promise<void> {
  const returned = await listPartnersOfCustomers(
    tx,
    programId,
    items.map(({ itemId, assignedAt }) => ({ id: itemId, assignedAt: assignedAt as Date })),
  );
  await deleteImportedIdentities(tx, programId, returned);
  for (const assignment of returned) {
    announce(ctx, tx, [movedCustomers(await deleteAssignment(tx, assignment), () => undefined)]);
  }
}

type Gone = { programId: number; ids: number[]; after: object };

/** What the feed says about rows that are about to be removed. */
async function announcedAs(
  tx: Transaction,
  rows: FeedRows,
  type: Announcement['type'],
  { programId, ids, after }: Gone,
): Promise<Announcement[]> {
  const before = await readRows(
    tx,
    rows,
    ids.map((id) => ({ programId, id })),
  );
  return ids.flatMap((id): Announcement[] => {
    const facts = before.get(id);
    const row = facts && { ...(rows.source.rowOfJson(facts) as object), ...after };
    return row ? [{ type, programId, id, row, before: facts }] : [];
  });
}
