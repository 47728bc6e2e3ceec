import type { MembershipStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type PayeeRow = { partnerId: number; name: string; status: MembershipStatus | null };

/** The names of these partners of the program, and where they stand in it. Partners of other workspaces are left out. */
export function listPayees(db: Queryable, programId: number, partnerIds: number[]): Promise<PayeeRow[]> {
  return db.query<PayeeRow>(
    `select p.id as "partnerId", p.name, m.status
     from partners p join programs g on g.id = $1 and g.advertiser_id = p.advertiser_id
       left join memberships m on m.program_id = g.id and m.partner_id = p.id
     where p.id = any ($2::bigint[])`,
    [programId, partnerIds],
  );
}
