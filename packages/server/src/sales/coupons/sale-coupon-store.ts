import type { MembershipStatus } from '@svc/contract';
import { couponKey } from '../../coupons/coupon.ts';
import type { Queryable } from '../../db/db.ts';
import type { SaleAttempt } from '../sale.ts';
import { placementJoins } from '../sale-facts-store.ts';
import type { FoundCoupon } from './coupon-credit.ts';

const FIND_COUPONS = `
  select i.position, k.partner_id as "partnerId", m.id as "membershipId", m.status as "membershipStatus",
    k.active as "isActive", p.email as "partnerEmail", u.email as "accountEmail", placed.group_id as "groupId",
    r.partner_id as "recruiterId"
  from json_to_recordset($1::json) as i(position int, program_id bigint, code_key text, paid_at timestamptz)
  join coupons k on k.program_id = i.program_id and k.code_key = i.code_key
  join memberships m on m.program_id = k.program_id and m.partner_id = k.partner_id
  join partners p on p.id = k.partner_id
  left join users u on u.id = p.user_id
  ${placementJoins('i.paid_at')}`;

type Row = Omit<FoundCoupon, 'partnerEmails'> & {
  position: number;
  membershipStatus: MembershipStatus;
  partnerEmail: string | null;
  accountEmail: string | null;
};

/** The coupons that the sales name, in the same order. Nothing is read if no sale names one. */
export async function findSaleCoupons(db: Queryable, attempts: SaleAttempt[]): Promise<(FoundCoupon | null)[]> {
  const named = attempts.flatMap(({ program, sale }, position) =>
    sale.couponCode === undefined
      ? []
      : [{ position, program_id: program.id, code_key: couponKey(sale.couponCode), paid_at: sale.paidAt }],
  );
  const found: (FoundCoupon | null)[] = attempts.map(() => null);
  if (named.length === 0) return found;
  for (const { position, partnerEmail, accountEmail, ...coupon } of await db.query<Row>(FIND_COUPONS, [
    JSON.stringify(named),
  ])) {
    found[position] = { ...coupon, partnerEmails: [partnerEmail, accountEmail] };
  }
  return found;
}
