import type { Queryable } from '../db/db.ts';
import { isAudited, type Judged } from '../partners/imported-partner-store.ts';
import type { NewCoupon } from './coupon-store.ts';

export type KnownCoupon = { id: number; codeKey: string; partnerId: number; partnerName: string };

/** The coupons of the program with these codes, as codes are compared. */
export function listCouponsByKey(db: Queryable, programId: number, keys: string[]): Promise<KnownCoupon[]> {
  return db.query<KnownCoupon>(
    `select k.id, k.code_key as "codeKey", k.partner_id as "partnerId", p.name as "partnerName"
     from unnest($2::text[]) sent(key)
     cross join lateral (select * from coupons where program_id = $1 and code_key = sent.key limit 1) k
     join partners p on p.id = k.partner_id`,
    [programId, keys],
  );
}

/** How many coupons each of the partners has in the program. */
export async function countCoupons(
  db: Queryable,
  programId: number,
  partnerIds: number[],
): Promise<Map<number, number>> {
  const rows = await db.query<{ partnerId: number; count: number }>(
    `select sent.id as "partnerId", k.count from unnest($2::bigint[]) sent(id)
     cross join lateral (select count(*) filter (where program_id = $1) as count from coupons where partner_id = sent.id) k`,
    [programId, partnerIds],
  );
  return new Map(rows.map(({ partnerId, count }) => [partnerId, count]));
}

/** Adds coupons, and returns the ids of those whose codes were free, by code as codes are compared. */
export async function insertCoupons(db: Queryable, coupons: NewCoupon[], now: Date): Promise<Map<string, number>> {
  if (coupons.length === 0) return new Map();
  const rows = coupons.map(({ programId, partnerId, code, codeKey }) => ({
    program_id: programId,
    partner_id: partnerId,
    code,
    code_key: codeKey,
  }));
  const inserted = await db.query<{ id: number; codeKey: string }>(
    `insert into coupons (program_id, partner_id, code, code_key, created_at)
     select i.program_id, i.partner_id, i.code, i.code_key, $2
     from json_populate_recordset(null::coupons, $1::json) i order by i.code_key
     on conflict (program_id, code_key) do nothing returning id, code_key as "codeKey"`,
    [JSON.stringify(rows), now],
  );
  return new Map(inserted.map(({ id, codeKey }) => [codeKey, id]));
}

/** Locks coupons, and says why each has to stay: null for those to which nothing has happened since an import. */
export function judgeCoupons(db: Queryable, programId: number, ids: number[]): Promise<Judged[]> {
  return db.query<Judged>(
    `with locked as materialized (
       select * from coupons where program_id = $1 and id = any ($2::bigint[]) order by id for update)
     select k.id, case
       when not k.active or ${isAudited('coupon', 'k.id')} then 'changed'
       when exists (
         select 1 from sales s where s.partner_id = k.partner_id and s.program_id = $1 and s.coupon_code is not null)
         then 'sales' end as kept
     from locked k`,
    [programId, ids],
  );
}

/** Removes coupons that the transaction has judged. */
export async function deleteCoupons(db: Queryable, programId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('delete from coupons where program_id = $1 and id = any ($2::bigint[])', [programId, ids]);
}
