import type { Queryable } from '../db/db.ts';
import type { Domain } from './domain.ts';

const COLUMNS = 'd.id, d.program_id as "programId", d.host, d.status';

/** The hosts of a program, in the order in which they were added. */
export function listDomains(db: Queryable, programId: number): Promise<Domain[]> {
  return db.query<Domain>(`select ${COLUMNS} from link_domains d where d.program_id = $1 order by d.id`, [programId]);
}

export async function findDomain(db: Queryable, programId: number, domainId: number): Promise<Domain | null> {
  const [domain] = await db.query<Domain>(
    `select ${COLUMNS} from link_domains d where d.program_id = $1 and d.id = $2`,
    [programId, domainId],
  );
  return domain ?? null;
}

export async function findDomainByHost(db: Queryable, programId: number, host: string): Promise<Domain | null> {
  const [domain] = await db.query<Domain>(
    `select ${COLUMNS} from link_domains d where d.program_id = $1 and d.host = $2`,
    [programId, host],
  );
  return domain ?? null;
}

/** Lets one transaction at a time decide whose host it is. */
export async function lockHost(db: Queryable, host: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('svc link host ' || $1, 0))`, [host]);
}

/** The program other than this one that has its links on the host. Deleted programs have none. */
export async function findOtherHolder(db: Queryable, { programId, host }: NewDomain): Promise<number | null> {
  const [holder] = await db.query<{ programId: number }>(
    `select d.program_id as "programId" from link_domains d join programs p on p.id = d.program_id
     where d.host = $2 and d.status = 'active' and d.program_id <> $1 and p.deleted_at is null`,
    [programId, host],
  );
  return holder?.programId ?? null;
}

export type NewDomain = { programId: number; host: string };

/** Adds a pending host unless the program has `max` of them; null then. The transaction has locked the program. */
export async function insertDomain(
  db: Queryable,
  { programId, host }: NewDomain,
  max: number,
  now: Date,
): Promise<Domain | null> {
  const [domain] = await db.query<Domain>(
    `insert into link_domains as d (program_id, host, created_at) select $1, $2, $3
     where (select count(*) from link_domains where program_id = $1) < $4 returning ${COLUMNS}`,
    [programId, host, now, max],
  );
  return domain ?? null;
}

/** Whose host it was, with the workspace whose audit log says so. */
export type LostDomain = Domain & { workspaceId: number };

/** Makes the host pending for the programs other than this one, and returns those that had it. */
export function updateLost(db: Queryable, { programId, host }: NewDomain): Promise<LostDomain[]> {
  return db.query<LostDomain>(
    `update link_domains d set status = 'pending' from programs p
     where d.host = $2 and d.status = 'active' and d.program_id <> $1 and p.id = d.program_id
     returning ${COLUMNS}, p.advertiser_id as "workspaceId"`,
    [programId, host],
  );
}

/** Activates a pending host of the program; null when it has no such host. The transaction has locked the host. */
export async function updateActive(db: Queryable, programId: number, domainId: number): Promise<Domain | null> {
  const [domain] = await db.query<Domain>(
    `update link_domains d set status = 'active' where d.program_id = $1 and d.id = $2 and d.status = 'pending'
     returning ${COLUMNS}`,
    [programId, domainId],
  );
  return domain ?? null;
}

/** Deletes a host of the program and returns it; null when there is no such host. */
export async function deleteDomain(db: Queryable, programId: number, domainId: number): Promise<Domain | null> {
  const [domain] = await db.query<Domain>(
    `delete from link_domains d where d.program_id = $1 and d.id = $2 returning ${COLUMNS}`,
    [programId, domainId],
  );
  return domain ?? null;
}

/** Every active host with the program that it belongs to, and the site that it leads to; those of a program in their order. */
export function listActiveHosts(db: Queryable): Promise<{ host: string; programId: number; site: string }[]> {
  return db.query(
    `select d.host, d.program_id as "programId", p.domain as site from link_domains d join programs p on p.id = d.program_id
     where d.status = 'active' and p.deleted_at is null order by d.id`,
  );
}
