import type { Queryable } from '../db/db.ts';

export type Amounts = { currency: string; pendingCents: number; approvedCents: number; paidCents: number };
export type StoredBalance = Amounts & { id: number; partnerId: number; commissionId: number | null; isNew: boolean };

/** Adds opening balances to an import, unless it has one of the partner and currency. Returns all that it has of the partners then. */
export async function insertBalances(
  db: Queryable,
  { importId, programId }: { importId: number; programId: number },
  balances: (Amounts & { partnerId: number })[],
  now: Date,
): Promise<StoredBalance[]> {
  if (balances.length === 0) return [];
  const rows = balances.map(({ partnerId, currency, pendingCents, approvedCents, paidCents }) => ({
    partner_id: partnerId,
    currency,
    pending_cents: pendingCents,
    approved_cents: approvedCents,
    paid_cents: paidCents,
  }));
  const added = await db.query<{ id: number }>(
    `insert into opening_balances (import_id, program_id, partner_id, currency, pending_cents, approved_cents, paid_cents, created_at)
     select $1, $2, partner_id, currency, pending_cents, approved_cents, paid_cents, $4
     from json_populate_recordset(null::opening_balances, $3::json)
     on conflict (import_id, partner_id, currency) do nothing returning id`,
    [importId, programId, JSON.stringify(rows), now],
  );
  const stored = await db.query<Omit<StoredBalance, 'isNew'>>(
    `select b.id, b.partner_id as "partnerId", b.currency, b.pending_cents as "pendingCents",
       b.approved_cents as "approvedCents", b.paid_cents as "paidCents", b.commission_id as "commissionId"
     from opening_balances b where b.import_id = $1 and b.partner_id = any ($2::bigint[])`,
    [importId, balances.map(({ partnerId }) => partnerId)],
  );
  const newIds = new Set(added.map(({ id }) => id));
  return stored.map((balance) => ({ ...balance, isNew: newIds.has(balance.id) }));
}

/** Those of the partners and currencies of which an opening balance was made payable, by any import of the program. */
export function listPaidBalances(
  db: Queryable,
  programId: number,
  partnerIds: number[],
): Promise<{ partnerId: number; currency: string }[]> {
  return db.query<{ partnerId: number; currency: string }>(
    `select partner_id as "partnerId", currency from opening_balances
     where program_id = $1 and partner_id = any ($2::bigint[]) and commission_id is not null`,
    [programId, partnerIds],
  );
}

/** Stores which adjustments make balances payable. The database refuses a second one of a partner and currency. */
export async function updateBalanceCommissions(
  db: Queryable,
  programId: number,
  payable: { id: number; commissionId: number }[],
): Promise<void> {
  if (payable.length === 0) return;
  await db.query(
    `update opening_balances b set commission_id = i."commissionId"
     from json_to_recordset($2::json) as i(id bigint, "commissionId" bigint)
     where b.program_id = $1 and b.id = i.id and b.commission_id is null`,
    [programId, JSON.stringify(payable)],
  );
}

/** Locks balances that are being undone, and returns the adjustments that make them payable. */
export function listBalancesForUpdate(
  db: Queryable,
  programId: number,
  ids: number[],
): Promise<{ id: number; commissionId: number | null }[]> {
  return db.query<{ id: number; commissionId: number | null }>(
    `select id, commission_id as "commissionId" from opening_balances
     where program_id = $1 and id = any ($2::bigint[]) order by id for update`,
    [programId, ids],
  );
}

export async function deleteBalances(db: Queryable, programId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('delete from opening_balances where program_id = $1 and id = any ($2::bigint[])', [programId, ids]);
}

export type ShownBalance = Omit<StoredBalance, 'isNew'> & { source: string; createdAt: Date };

/** Opening balances with lower ids than `before`, newest first; with a partner, only theirs. */
export function listOpeningBalances(
  db: Queryable,
  { programId, partnerId }: { programId: number; partnerId: number | null },
  { before, limit }: { before: number | null; limit: number },
): Promise<ShownBalance[]> {
  return db.query<ShownBalance>(
    `select b.id, i.source, b.partner_id as "partnerId", b.currency, b.pending_cents as "pendingCents",
       b.approved_cents as "approvedCents", b.paid_cents as "paidCents", b.commission_id as "commissionId",
       b.created_at as "createdAt"
     from opening_balances b join imports i on i.id = b.import_id
     where b.program_id = $1 and ($2::bigint is null or b.partner_id = $2) and ($3::bigint is null or b.id < $3)
     order by b.id desc limit $4`,
    [programId, partnerId, before, limit],
  );
}
