import type { Queryable } from '../db/db.ts';
import { type Condition, whereClause } from '../db/list-query.ts';
import { type Coupon, couponKey } from './coupon.ts';

const SELECT_COUPON = `
  select k.id, k.code, k.partner_id as "partnerId", p.name as "partnerName", k.active, k.created_at as "createdAt"
  from coupons k join partners p on p.id = k.partner_id`;

export type CouponFilter = {
  partnerId: number | null;
  active?: boolean;
  /** The start of the code, as codes are compared. */
  prefix?: string;
};

/** The program's coupons with lower ids than `before`, newest first. */
export function listCoupons(
  db: Queryable,
  programId: number,
  { partnerId, active, prefix }: CouponFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<Coupon[]> {
  const params: unknown[] = [];
  const conditions: Condition[] = [
    ['k.program_id = ?', programId],
    ['k.partner_id = ?', partnerId],
    ['k.active = ?', active],
    ['starts_with(k.code_key, ?)', prefix],
    ['k.id < ?', before],
  ];
  const where = whereClause(conditions, params);
  params.push(limit);
  return db.query<Coupon>(`${SELECT_COUPON} ${where} order by k.id desc limit $${params.length}`, params);
}

/** The first of the codes that the program has, as it was sent; null when it has none of them. */
export async function findKnownCode(db: Queryable, programId: number, codes: string[]): Promise<string | null> {
  if (codes.length === 0) return null;
  const rows = await db.query<{ key: string }>(
    'select code_key as key from coupons where program_id = $1 and code_key = any ($2::text[])',
    [programId, codes.map(couponKey)],
  );
  return codes.find((code) => rows.some(({ key }) => key === couponKey(code))) ?? null;
}

/** Whom an active code of the program belongs to, if they are an active partner. */
export async function findActiveCoupon(
  db: Queryable,
  programId: number,
  code: string,
): Promise<{ partnerId: number; membershipId: number } | null> {
  const [holder] = await db.query<{ partnerId: number; membershipId: number }>(
    `select k.partner_id as "partnerId", m.id as "membershipId"
     from coupons k join memberships m on m.program_id = k.program_id and m.partner_id = k.partner_id
     where k.program_id = $1 and k.code_key = $2 and k.active and m.status = 'active'`,
    [programId, couponKey(code)],
  );
  return holder ?? null;
}

/** How many coupons the partner has. The membership is locked, so that they are added one at a time. */
export async function countCouponsForUpdate(db: Queryable, programId: number, partnerId: number): Promise<number> {
  const partner = [programId, partnerId];
  await db.query('select 1 from memberships where program_id = $1 and partner_id = $2 for no key update', partner);
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from coupons where program_id = $1 and partner_id = $2',
    partner,
  );
  return (row as { count: number }).count;
}

export type NewCoupon = { programId: number; partnerId: number; code: string; codeKey: string };

/** Inserts a coupon and returns its id; null when the program has the code already. */
export async function insertCoupon(db: Queryable, coupon: NewCoupon, now: Date): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    `insert into coupons (program_id, partner_id, code, code_key, created_at) values ($1, $2, $3, $4, $5)
     on conflict (program_id, code_key) do nothing returning id`,
    [coupon.programId, coupon.partnerId, coupon.code, coupon.codeKey, now],
  );
  return row?.id ?? null;
}

/** Switches a coupon of the program on or off and returns it as it was before; null when there is none. */
export async function updateCouponActive(
  db: Queryable,
  programId: number,
  couponId: number,
  active: boolean,
): Promise<Coupon | null> {
  const [before] = await db.query<Coupon>(
    `${SELECT_COUPON} where k.program_id = $1 and k.id = $2 for no key update of k`,
    [programId, couponId],
  );
  if (!before) return null;
  await db.query('update coupons set active = $2 where id = $1', [couponId, active]);
  return before;
}
