import { type CouponRow, couponKey, couponRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { inProgram, type ProgramScope, type Selection } from '../db/lists/list-query.ts';
import { findRows, listSource } from '../db/lists/sorted-list.ts';

export const COUPONS = listSource<CouponRow, 'created_at'>({
  row: couponRow,
  table: 'coupons',
  as: 'k',
  joins: 'join partners p on p.id = k.partner_id',
  columns: { partner_name: 'p.name' },
  computed: {},
  sorts: { created_at: 'time' },
});

const SCOPE = { program: 'k.program_id', partner: 'k.partner_id' };

export type CouponFilter = {
  active?: boolean;
  /** The start of the code, as codes are compared. */
  prefix?: string;
};

export function selectCoupons(scope: ProgramScope, { active, prefix }: CouponFilter): Selection {
  return {
    scope: inProgram(SCOPE, scope),
    filters: [
      ['k.active = ?', active],
      ['starts_with(k.code_key, ?)', prefix],
    ],
  };
}

/** Coupons with lower ids than `before`, newest first. */
export function listCoupons(
  db: Queryable,
  { scope, filters }: Selection,
  { before, limit }: { before: number | null; limit: number },
): Promise<CouponRow[]> {
  return findRows(db, COUPONS, { scope, filters: [...filters, ['k.id < ?', before]] }, limit);
}

/** Those of the codes that the program has, active or not, as codes are compared. */
export async function listKnownCodes(db: Queryable, programId: number, codes: string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set();
  const rows = await db.query<{ key: string }>(
    'select code_key as key from coupons where program_id = $1 and code_key = any ($2::text[])',
    [programId, codes.map(couponKey)],
  );
  return new Set(rows.map(({ key }) => key));
}

/** The first of the codes that the program has, as it was sent; null when it has none of them. */
export async function findKnownCode(db: Queryable, programId: number, codes: string[]): Promise<string | null> {
  const known = await listKnownCodes(db, programId, codes);
  return codes.find((code) => known.has(couponKey(code))) ?? null;
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

export async function lockCoupon(db: Queryable, programId: number, couponId: number): Promise<void> {
  await db.query('select 1 from coupons where program_id = $1 and id = $2 for no key update', [programId, couponId]);
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
): Promise<{ code: string; active: boolean } | null> {
  const [before] = await db.query<{ code: string; active: boolean }>(
    'select code, active from coupons where program_id = $1 and id = $2 for no key update',
    [programId, couponId],
  );
  if (!before) return null;
  await db.query('update coupons set active = $2 where id = $1', [couponId, active]);
  return before;
}
