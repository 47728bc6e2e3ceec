import { type HolderKind, PAYOUT_METHOD_WAIT_HOURS, type PayoutKind } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** How an account is paid. */
export type StoredMethod = {
  id: number;
  kind: PayoutKind;
  detailsSealed: string;
  masked: string;
  holderName: string;
  holderKind: HolderKind;
  country: string | null;
  usableFrom: Date;
  createdAt: Date;
};

const SHOWN = `m.kind, m.masked, m.holder_name as "holderName", m.holder_kind as "holderKind", m.country`;
const METHOD = `${SHOWN}, m.details_sealed as "detailsSealed"`;

/** The method of the account; null when it has none. */
export async function findMethod(db: Queryable, userId: string): Promise<StoredMethod | null> {
  const [method] = await db.query<StoredMethod>(
    `select m.id, ${METHOD}, m.usable_from as "usableFrom", m.created_at as "createdAt"
     from payout_methods m where m.user_id = $1 and m.replaced_at is null`,
    [userId],
  );
  return method ?? null;
}

/** Whether the account has, or ever had, a method. */
export async function hasHadMethod(db: Queryable, userId: string): Promise<boolean> {
  return (await db.query('select 1 from payout_methods where user_id = $1 limit 1', [userId])).length > 0;
}

/** Adds the method of an account that has none. The database refuses a second one. */
export async function insertMethod(
  db: Queryable,
  userId: string,
  method: Omit<StoredMethod, 'id' | 'createdAt'>,
  now: Date,
): Promise<void> {
  const { kind, detailsSealed, masked, holderName, holderKind, country, usableFrom } = method;
  await db.query(
    `insert into payout_methods
       (user_id, kind, details_sealed, masked, holder_name, holder_kind, country, usable_from, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [userId, kind, detailsSealed, masked, holderName, holderKind, country, usableFrom, now],
  );
}

/** Ends the method of the account and forgets where it led. The row stays: the next method is a changed one. */
export async function updateMethodEnded(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(
    'update payout_methods set replaced_at = $2, details_sealed = null where user_id = $1 and replaced_at is null',
    [userId, now],
  );
}

/** A partner whom the account is, in the workspace of a brand. */
export type Payee = { partnerId: number; name: string; workspaceId: number };

/** The partners whom the account is. */
export function listPayees(db: Queryable, userId: string): Promise<Payee[]> {
  return db.query<Payee>(
    'select id as "partnerId", name, advertiser_id as "workspaceId" from partners where user_id = $1 order by id',
    [userId],
  );
}

/** How a partner is paid, as a program sees it. */
export type PartnerMethod = Omit<StoredMethod, 'id' | 'createdAt'> & {
  partnerId: number;
  methodId: number;
};

/** The same without the account that it leads to. */
export type PayableMethod = Omit<PartnerMethod, 'detailsSealed'>;

// With `offset 0`, methods are looked up one by one: planned while there are few, a plain join would read all of them.
//
// A person who takes a partner over waits as long as one who changes their method. A lift ends the waits before it: one
// from before a hand-over was about another partner, or about another account.
const listOf = (columns: string) => `
  select p.id as "partnerId", m.id as "methodId", ${columns},
    case when l.created_at >= coalesce(p.account_changed_at, l.created_at) then m.created_at
      else greatest(m.usable_from, p.account_changed_at + interval '${PAYOUT_METHOD_WAIT_HOURS} hours') end as "usableFrom"
  from partners p
    cross join lateral (
      select * from payout_methods own where own.user_id = p.user_id and own.replaced_at is null offset 0
    ) m
    left join payout_method_lifts l on l.program_id = $1 and l.method_id = m.id
  where p.id = any ($2::bigint[])`;
const LIST_PARTNER_METHODS = listOf(METHOD);
const LIST_PAYABLE_METHODS = listOf(SHOWN);
const LOCK_PAYABLE_METHODS = `${LIST_PAYABLE_METHODS} for key share of m`;

/** The methods of these partners of the program. Those without a method are left out. */
export function listPartnerMethods(db: Queryable, programId: number, partnerIds: number[]): Promise<PartnerMethod[]> {
  return db.query<PartnerMethod>(LIST_PARTNER_METHODS, [programId, partnerIds]);
}

/** The same, where only the way of paying matters. */
export function listPayableMethods(db: Queryable, programId: number, partnerIds: number[]): Promise<PayableMethod[]> {
  return db.query<PayableMethod>(LIST_PAYABLE_METHODS, [programId, partnerIds]);
}

/** The same, so that no account is erased with its method before the transaction ends. A method that is being erased is left out. */
export function lockPayableMethods(db: Queryable, programId: number, partnerIds: number[]): Promise<PayableMethod[]> {
  return db.query<PayableMethod>(LOCK_PAYABLE_METHODS, [programId, partnerIds]);
}

/** Every method that the account has or had, locked, so that no more payouts are made to them. Returns their ids. */
export async function lockMethods(db: Queryable, userId: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'select id from payout_methods where user_id = $1 order by id for update',
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** The method of a partner of the program; null when they have none. It stays theirs until the transaction ends. */
export async function findPartnerMethodForUpdate(
  db: Queryable,
  programId: number,
  partnerId: number,
): Promise<PartnerMethod | null> {
  const [method] = await db.query<PartnerMethod>(`${LIST_PARTNER_METHODS} for no key update of p, m`, [
    programId,
    [partnerId],
  ]);
  return method ?? null;
}

/** Lets the program use the method at once. */
export async function upsertLift(
  db: Queryable,
  lift: { programId: number; methodId: number; reason: string; liftedBy: string | null },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into payout_method_lifts (program_id, method_id, reason, lifted_by, created_at) values ($1, $2, $3, $4, $5)
     on conflict (program_id, method_id) do update
     set reason = excluded.reason, lifted_by = excluded.lifted_by, created_at = excluded.created_at`,
    [lift.programId, lift.methodId, lift.reason, lift.liftedBy, now],
  );
}
