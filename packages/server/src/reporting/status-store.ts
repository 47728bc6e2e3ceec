import type { Queryable } from '../db/db.ts';

export type StatusCounts = {
  activePartners: number;
  pendingCommissions: number;
  isStripeConnected: boolean;
  hasStripeSent: boolean;
};

export async function findStatusCounts(db: Queryable, programId: number): Promise<StatusCounts> {
  const [row] = await db.query<StatusCounts>(
    `select
       (select count(*) from memberships m join partners p on p.id = m.partner_id
        where m.program_id = $1 and m.status = 'active' and not p.is_test) as "activePartners",
       (select count(*) from commissions
        where program_id = $1 and stage = 'pending' and reversal <> 'full') as "pendingCommissions",
       exists (select 1 from processor_connections
        where program_id = $1 and provider = 'stripe') as "isStripeConnected",
       exists (select 1 from processor_events where program_id = $1 and provider = 'stripe') as "hasStripeSent"`,
    [programId],
  );
  return row as StatusCounts;
}
