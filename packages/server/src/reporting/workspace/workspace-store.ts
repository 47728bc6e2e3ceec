import type { Queryable } from '../../db/db.ts';

export type Waiting = { programId: number; applications: number; openAlerts: number };

/** How many applications and open alerts each of the programs has. */
export function listWaiting(db: Queryable, programIds: number[]): Promise<Waiting[]> {
  return db.query<Waiting>(
    `select o.id as "programId",
       (select count(*) from memberships m join partners p on p.id = m.partner_id
        where m.program_id = o.id and m.status = 'applied' and not p.is_test) as applications,
       (select count(*) from alerts a where a.program_id = o.id and a.closed_at is null) as "openAlerts"
     from unnest($1::bigint[]) as o (id)`,
    [programIds],
  );
}
