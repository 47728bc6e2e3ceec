import type { MembershipStatus } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import { placementAt } from './event-page.ts';

/** A customer who came through a click, and what decides which click is credited. */
export type CreditedCustomer = {
  id: number;
  clickedAt: Date;
  /** When they signed up, even if only a page has said so. */
  leadAt: Date | null;
  isSignupSettled: boolean;
  convertedAt: Date | null;
  /** Since when a person or a coupon has decided. */
  assignedSince: Date | null;
  /** The partner of the first click. */
  firstPartnerId: number | null;
  firstPartnerStatus: MembershipStatus | null;
};

/** Of these customers, those who came through a click. */
export function listCreditedCustomers(db: Queryable, programId: number, ids: number[]): Promise<CreditedCustomer[]> {
  return db.query<CreditedCustomer>(
    `select c.id, c.clicked_at as "clickedAt", c.lead_at as "leadAt",
       c.lead_state is not distinct from 'settled' as "isSignupSettled", c.converted_at as "convertedAt",
       coalesce((select min(a.since) from attributions a where a.customer_id = c.id and a.assigned_at is not null),
         c.assigned_at) as "assignedSince",
       f.partner_id as "firstPartnerId", m.status as "firstPartnerStatus"
     from customers c
     left join attributions a on a.customer_id = c.id and a.since = '-infinity'
     cross join lateral (
       select case when a.customer_id is null then c.partner_id else a.partner_id end as partner_id) f
     left join memberships m on m.program_id = c.program_id and m.partner_id = f.partner_id
     where c.program_id = $1 and c.id = any ($2::bigint[]) and c.clicked_at is not null`,
    [programId, ids],
  );
}

export type PlacedPartner = { partnerId: number; groupId: number | null; recruiterId: number | null };

/** Where partners stood at times, in the same order. */
export async function listPlacementsAt(
  db: Queryable,
  programId: number,
  asked: { partnerId: number; at: Date }[],
): Promise<PlacedPartner[]> {
  if (asked.length === 0) return [];
  const rows = asked.map(({ partnerId, at }, position) => ({ position, partner_id: partnerId, at }));
  return db.query<PlacedPartner>(
    `select i.partner_id as "partnerId", l.group_id as "groupId", l.recruiter_id as "recruiterId"
     from json_to_recordset($2::json) as i(position int, partner_id bigint, at timestamptz)
     ${placementAt('i.partner_id', 'i.at')} order by i.position`,
    [programId, JSON.stringify(rows)],
  );
}
