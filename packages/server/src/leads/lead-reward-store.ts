import type { MembershipStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** What the terms may ask about a lead, and what decides whether it is paid. */
export type LeadStanding = {
  customerId: number;
  membershipStatus: MembershipStatus | null;
  groupId: number | null;
  recruiterId: number | null;
  emailIdentityHash: string | null;
  /** The addresses of the partner and of their account. */
  partnerEmail: string | null;
  accountEmail: string | null;
  /** A lead is paid once, no matter who reports it again. */
  isPaid: boolean;
};

/** Looks up the partners of leads as they stood when the customers signed up. */
export function listLeadStandings(
  db: Queryable,
  leads: { customerId: number; programId: number; partnerId: number; at: Date }[],
): Promise<LeadStanding[]> {
  return db.query<LeadStanding>(
    `select i.customer_id as "customerId", m.status as "membershipStatus", l.group_id as "groupId",
       r.partner_id as "recruiterId", c.email_identity_hash as "emailIdentityHash", p.email as "partnerEmail",
       u.email as "accountEmail", exists (
         select from commissions k where k.customer_id = i.customer_id and k.kind in ('lead', 'override')) as "isPaid"
     from json_to_recordset($1::json) as i(customer_id bigint, program_id bigint, partner_id bigint, at timestamptz)
     join customers c on c.id = i.customer_id
     join partners p on p.id = i.partner_id
     left join users u on u.id = p.user_id
     left join memberships m on m.program_id = i.program_id and m.partner_id = i.partner_id
     left join lateral (
       select group_id, recruiter_id from partner_placements l
       where l.program_id = i.program_id and l.partner_id = i.partner_id and l.since <= i.at
       order by l.since desc, l.id desc limit 1) l on true
     left join memberships r on r.program_id = i.program_id and r.partner_id = l.recruiter_id and r.status = 'active'`,
    [
      JSON.stringify(
        leads.map((lead) => ({
          customer_id: lead.customerId,
          program_id: lead.programId,
          partner_id: lead.partnerId,
          at: lead.at,
        })),
      ),
    ],
  );
}
