import type { Queryable } from '../db/db.ts';
import { listQuery } from '../db/list-query.ts';
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

export type ListedLink = {
  id: number;
  shortLink: string;
  destinationUrl: string | null;
  active: boolean;
  partnerId: number;
  partnerName: string;
  createdAt: Date;
};

const SELECT_LINK = `
  select l.id, l.short_link as "shortLink", l.destination_url as "destinationUrl", l.active,
    l.partner_id as "partnerId", p.name as "partnerName", l.created_at as "createdAt"
  from links l join partners p on p.id = l.partner_id`;

export type LinkFilter = {
  partnerId: number | null;
  active?: boolean;
  search?: string;
  beforeId: number | null;
  limit: number;
};

export function listLinks(db: Queryable, programId: number, filter: LinkFilter): Promise<ListedLink[]> {
  return db.query<ListedLink>(
    ...listQuery(
      SELECT_LINK,
      [
        ['l.program_id = ?', programId],
        ['not l.is_test'],
        ['l.partner_id = ?', filter.partnerId],
        ['l.active = ?', filter.active],
        ['strpos(lower(l.short_link), lower(?)) > 0', filter.search],
        ['l.id < ?', filter.beforeId],
      ],
      'l.id desc',
      filter.limit,
    ),
  );
}

/** The link with this id in the program; with a `partnerId`, only if it belongs to that partner. */
export async function findListedLink(
  db: Queryable,
  programId: number,
  linkId: number,
  partnerId: number | null,
): Promise<ListedLink | null> {
  const [link] = await db.query<ListedLink>(
    `${SELECT_LINK} where l.program_id = $1 and l.id = $2 and not l.is_test and ($3::bigint is null or l.partner_id = $3)`,
    [programId, linkId, partnerId],
  );
  return link ?? null;
}

export async function updateLinkActive(db: Queryable, linkId: number, active: boolean): Promise<void> {
  await db.query('update links set active = $2 where id = $1', [linkId, active]);
}
