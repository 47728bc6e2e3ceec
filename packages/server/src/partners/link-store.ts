import type { Queryable } from '../db/db.ts';
import type { Link } from './link.ts';

export async function findLink(db: Queryable, shortLink: string): Promise<Link | null> {
  const [link] = await db.query<Link>(
    `select l.id, l.short_link as "shortLink", l.active, l.is_test as "isTest", l.program_id as "programId",
       l.partner_id as "partnerId", m.id as "membershipId", m.status as "membershipStatus"
     from links l
     left join memberships m on m.program_id = l.program_id and m.partner_id = l.partner_id
     where l.short_link = $1`,
    [shortLink],
  );
  return link ?? null;
}

export type NewLink = { programId: number; partnerId: number; shortLink: string; destinationUrl: string | null };

export async function insertLink(db: Queryable, link: NewLink, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into links (program_id, partner_id, short_link, destination_url, created_at)
     values ($1, $2, $3, $4, $5) returning id`,
    [link.programId, link.partnerId, link.shortLink, link.destinationUrl, now],
  );
  return (row as { id: number }).id;
}

export async function updateLinkActive(db: Queryable, shortLink: string, active: boolean): Promise<boolean> {
  const rows = await db.query('update links set active = $2 where short_link = $1 returning id', [shortLink, active]);
  return rows.length > 0;
}
