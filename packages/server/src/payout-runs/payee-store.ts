import type { MembershipStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type PayeeRow = { partnerId: number; name: string; status: MembershipStatus | null };

/** The names of these partners of the program, and where they stand in it. Partners of other workspaces are left out. */
// With `offset 0`, they are looked up by ID. Without it, all partners of the workspace may be read as well, to keep those that are in both.
export function listPayees(db: Queryable, programId: number, partnerIds: number[]): Promise<PayeeRow[]> {
  return db.query<PayeeRow>(
    `select p.id as "partnerId", p.name, m.status
     from (select id, name, advertiser_id from partners where id = any ($2::bigint[]) offset 0) p
       join programs g on g.id = $1 and g.advertiser_id = p.advertiser_id
       left join memberships m on m.program_id = g.id and m.partner_id = p.id`,
    [programId, partnerIds],
  );
}
