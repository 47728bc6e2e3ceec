import type { ImportCounts, ImportedKind, ImportRow, ImportStatus, KeptReason } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** One import of a program at a time writes, so that two that name the same people do not wait for each other in a circle. */
export async function lockImports(db: Queryable, programId: number): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('imports ' || $1::bigint, 0))`, [programId]);
}

export type FoundImport = { id: number; source: string; status: ImportStatus };

/** The import of the source that was not undone; null if there is none. */
export async function findCurrentImport(db: Queryable, programId: number, source: string): Promise<FoundImport | null> {
  const [found] = await db.query<FoundImport>(
    `select id, source, status from imports where program_id = $1 and source = $2 and status <> 'undone'`,
    [programId, source],
  );
  return found ?? null;
}

export async function insertImport(
  db: Queryable,
  { programId, source, userId }: { programId: number; source: string; userId: string | null },
  now: Date,
): Promise<FoundImport> {
  const [row] = await db.query<FoundImport>(
    `insert into imports (program_id, source, created_by, created_at, updated_at) values ($1, $2, $3, $4, $4)
     returning id, source, status`,
    [programId, source, userId, now],
  );
  return row as FoundImport;
}

/** The import, locked, so that undoing it twice at once changes nothing; null if the program has none with this id. */
export async function findImportForUpdate(
  db: Queryable,
  programId: number,
  importId: number,
): Promise<FoundImport | null> {
  const [found] = await db.query<FoundImport>(
    'select id, source, status from imports where program_id = $1 and id = $2 for update',
    [programId, importId],
  );
  return found ?? null;
}

export async function updateImportStatus(
  db: Queryable,
  importId: number,
  status: ImportStatus,
  now: Date,
): Promise<void> {
  await db.query(
    `update imports set status = $2, updated_at = $3, undone_at = case when $2 = 'undone' then $3::timestamptz end where id = $1`,
    [importId, status, now],
  );
}

export async function updateImportTime(db: Queryable, importId: number, now: Date): Promise<void> {
  await db.query('update imports set updated_at = $2 where id = $1', [importId, now]);
}

/** Something that belongs to an import. */
export type ImportItem = {
  itemId: number;
  isNew: boolean;
  externalId?: string | null;
  hadAccount?: boolean;
  parameter?: string | null;
  assignedAt?: Date | null;
};

/** Adds things to the import, and returns the ids of those that were no part of it before. */
export async function insertImportItems(
  db: Queryable,
  importId: number,
  kind: ImportedKind,
  items: ImportItem[],
): Promise<Set<number>> {
  if (items.length === 0) return new Set();
  const rows = items.map(({ itemId, isNew, externalId, hadAccount = false, parameter, assignedAt }) => ({
    item_id: itemId,
    is_new: isNew,
    external_id: externalId,
    had_account: hadAccount,
    parameter,
    assigned_at: assignedAt,
  }));
  const added = await db.query<{ id: number; isNew: boolean }>(
    `insert into import_items (import_id, kind, item_id, is_new, external_id, had_account, parameter, assigned_at)
     select $1, $2, item_id, is_new, external_id, had_account, parameter, assigned_at
     from json_populate_recordset(null::import_items, $3::json)
     on conflict do nothing returning item_id as id, is_new as "isNew"`,
    [importId, kind, JSON.stringify(rows)],
  );
  const created = added.filter(({ isNew }) => isNew).length;
  if (added.length > 0) await addCounts(db, importId, kind, { created, merged: added.length - created, removed: 0 });
  return new Set(added.map(({ id }) => id));
}

type Counted = { created: number; merged: number; removed: number };

async function addCounts(db: Queryable, importId: number, kind: ImportedKind, added: Counted): Promise<void> {
  await db.query(
    `insert into import_counts as c (import_id, kind, created, merged, removed) values ($1, $2, $3, $4, $5)
     on conflict (import_id, kind) do update set created = c.created + excluded.created,
       merged = c.merged + excluded.merged, removed = c.removed + excluded.removed`,
    [importId, kind, added.created, added.merged, added.removed],
  );
}

/** What is to be undone next. */
export type ItemToUndo = { itemId: number; isNew: boolean; hadAccount: boolean; assignedAt: Date | null };

export function listItemsToUndo(
  db: Queryable,
  importId: number,
  kind: ImportedKind,
  limit: number,
): Promise<ItemToUndo[]> {
  return db.query<ItemToUndo>(
    `select item_id as "itemId", is_new as "isNew", had_account as "hadAccount", assigned_at as "assignedAt"
     from import_items where import_id = $1 and kind = $2 and kept is null order by item_id limit $3`,
    [importId, kind, limit],
  );
}

/** Stores what undoing has removed, and why it has kept the rest. */
export async function updateUndone(
  db: Queryable,
  importId: number,
  kind: ImportedKind,
  { removed, kept }: { removed: number[]; kept: { id: number; reason: KeptReason }[] },
): Promise<void> {
  await db.query('delete from import_items where import_id = $1 and kind = $2 and item_id = any ($3::bigint[])', [
    importId,
    kind,
    removed,
  ]);
  for (const reason of new Set(kept.map((each) => each.reason))) {
    const ids = kept.filter((each) => each.reason === reason).map(({ id }) => id);
    await db.query(
      'update import_items set kept = $4 where import_id = $1 and kind = $2 and item_id = any ($3::bigint[])',
      [importId, kind, ids, reason],
    );
  }
  if (removed.length > 0) await addCounts(db, importId, kind, { created: 0, merged: 0, removed: removed.length });
}

const IMPORT = `i.id, i.source, i.status, i.created_at as "createdAt", i.updated_at as "updatedAt", i.undone_at as "undoneAt",
  (select u.name from users u where u.id = i.created_by) as "createdBy",
  (select coalesce(json_agg(c), '[]') from import_counts c where c.import_id = i.id) as counts`;

type Counts = Counted & { kind: ImportedKind };
export type StoredImport = FoundImport & {
  createdAt: Date;
  updatedAt: Date;
  undoneAt: Date | null;
  createdBy: string | null;
  counts: Counts[];
};

/** Imports with lower ids than `before`, newest first. */
export function listImports(
  db: Queryable,
  programId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<StoredImport[]> {
  return db.query<StoredImport>(
    `select ${IMPORT} from imports i where i.program_id = $1 and ($2::bigint is null or i.id < $2)
     order by i.id desc limit $3`,
    [programId, before, limit],
  );
}

export async function findImport(db: Queryable, programId: number, importId: number): Promise<StoredImport | null> {
  const [found] = await db.query<StoredImport>(
    `select ${IMPORT} from imports i where i.program_id = $1 and i.id = $2`,
    [programId, importId],
  );
  return found ?? null;
}

export type Kept = { kind: ImportedKind; reason: KeptReason; count: number };

/** What undoing the import has kept, by reason. */
export function listKept(db: Queryable, importId: number): Promise<Kept[]> {
  return db.query<Kept>(
    `select kind, kept as reason, count(*) as count from import_items
     where import_id = $1 and kept is not null group by 1, 2 order by 1, 2`,
    [importId],
  );
}

export type KnownPartner = { externalId: string; email: string; name: string };

/** The partners whom imports of the source knew by these ids and have left in the program. */
export function listPartnersByExternalId(
  db: Queryable,
  { programId, source }: { programId: number; source: string },
  externalIds: string[],
): Promise<KnownPartner[]> {
  return db.query<KnownPartner>(
    `select sent.id as "externalId", p.email, p.name
     from imports i cross join unnest($3::text[]) sent(id)
     cross join lateral (
       select item_id from import_items where import_id = i.id and external_id = sent.id offset 0) known
     join partners p on p.id = known.item_id
     where i.program_id = $1 and i.source = $2`,
    [programId, source, externalIds],
  );
}

/** Removes what other tools called these partners. */
export async function deleteExternalIds(db: Queryable, partnerIds: number[]): Promise<void> {
  await db.query(
    `update import_items set external_id = null where kind = 'partner' and item_id = any ($1::bigint[]) and external_id is not null`,
    [partnerIds],
  );
}

/** The import as the contract describes it. */
export function toImportRow(stored: StoredImport): ImportRow {
  return {
    id: stored.id,
    source: stored.source,
    status: stored.status,
    created: countsOf(stored, ({ created, removed }) => created - removed),
    merged: countsOf(stored, ({ merged }) => merged),
    created_by: stored.createdBy,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    undone_at: stored.undoneAt?.toISOString() ?? null,
  };
}

/** How many of each kind there are. */
export function countsOf({ counts }: Pick<StoredImport, 'counts'>, numberOf: (counts: Counts) => number): ImportCounts {
  const of = (kind: ImportedKind) => {
    const found = counts.find((each) => each.kind === kind);
    return found ? numberOf(found) : 0;
  };
  return {
    partners: of('partner'),
    links: of('link'),
    coupons: of('coupon'),
    customers: of('customer'),
    balances: of('balance'),
  };
}
