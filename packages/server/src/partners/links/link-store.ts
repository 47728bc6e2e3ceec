import type { Queryable } from '../../db/db.ts';
import type { CodeLinks, Link } from './link.ts';

const LINK = `l.id, l.short_link as "shortLink", l.destination_url as "destinationUrl", l.deleted_at is not null as "isDeleted",
  l.active, l.is_test as "isTest", l.program_id as "programId", l.partner_id as "partnerId",
  m.id as "membershipId", m.status as "membershipStatus"`;
const MEMBERSHIP = 'left join memberships m on m.program_id = l.program_id and m.partner_id = l.partner_id';

/** How many programs can use a code as an alias. Each workspace has one turn after the other, so that none takes all of them. */
const MAX_ALIASES = 100;
const ALIASES = `
  select a.link_id, a.created_at, a.program_id from link_aliases a join programs o on o.id = a.program_id
  join links k on k.id = a.link_id and k.deleted_at is null
  where a.code = $1
  order by row_number() over (partition by o.advertiser_id order by a.created_at, a.program_id), a.created_at, a.program_id
  limit ${MAX_ALIASES}`;

type Named = Link & { isAlias: boolean };

/** Finds the link with the short link, even if it is deleted, and the links of programs that have it as an alias, oldest first. */
export async function findCode(db: Queryable, code: string): Promise<CodeLinks | null> {
  const found = await db.query<Named>(
    `select ${LINK}, false as "isAlias" from links l ${MEMBERSHIP} where l.short_link = $1
     union all
     (select ${LINK}, true from (${ALIASES}) a join links l on l.id = a.link_id ${MEMBERSHIP}
      order by a.created_at, a.program_id)`,
    [code],
  );
  if (found.length === 0) return null;
  const link = found.find(({ isAlias }) => !isAlias);
  return { link: link ?? null, aliases: found.filter(({ isAlias }) => isAlias) };
}

/** The newest links of all programs whose codes lead nowhere else. */
export function listNewestLinks(db: Queryable, limit: number): Promise<Link[]> {
  return db.query<Link>(
    `select ${LINK} from links l ${MEMBERSHIP} where l.deleted_at is null and l.program_id is not null
       and not exists (select from link_aliases a where a.code = l.short_link)
     order by l.id desc limit $1`,
    [limit],
  );
}

/** Whether the code leads to a link of the program as an alias. */
export async function isAlias(db: Queryable, programId: number, code: string): Promise<boolean> {
  const rows = await db.query('select 1 from link_aliases where program_id = $1 and code = $2', [programId, code]);
  return rows.length > 0;
}

export type NewLink = {
  programId: number;
  partnerId: number;
  shortLink: string;
  destinationUrl: string | null;
  label?: string | null;
};

export async function insertLink(db: Queryable, link: NewLink, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into links (program_id, partner_id, short_link, destination_url, label, created_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [link.programId, link.partnerId, link.shortLink, link.destinationUrl, link.label ?? null, now],
  );
  return (row as { id: number }).id;
}

/**
 * Inserts the first link of a partner who has none, and returns its id. Partners get it once, also if several requests try at
 * the same time.
 */
export async function insertFirstLink(
  db: Queryable,
  partner: { programId: number; partnerId: number },
  shortLink: string,
  now: Date,
): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    `insert into links (program_id, partner_id, short_link, is_first, created_at)
     select $1, $2, $3, true, $4
     where not exists (select 1 from links where program_id = $1 and partner_id = $2)
     on conflict do nothing returning id`,
    [partner.programId, partner.partnerId, shortLink, now],
  );
  return row?.id ?? null;
}

/** What changes of a link need to know. Replies have the row of the list. */
export type StoredLink = {
  id: number;
  shortLink: string;
  destinationUrl: string | null;
  label: string | null;
  active: boolean;
  partnerId: number;
};

const LINK_COLUMNS = `
  l.id, l.short_link as "shortLink", l.destination_url as "destinationUrl", l.label, l.active, l.partner_id as "partnerId"`;

// A link of the program that is not deleted; with a partner, only if it belongs to that partner.
const IS_CHANGEABLE = `
  l.program_id = $1 and l.id = $2 and ($3::bigint is null or l.partner_id = $3) and not l.is_test and l.deleted_at is null`;

/** The link, locked, so that changes of it are made one at a time; null when there is no such link. */
export async function findLinkForUpdate(
  db: Queryable,
  programId: number,
  linkId: number,
  partnerId: number | null,
): Promise<StoredLink | null> {
  const [link] = await db.query<StoredLink>(
    `select ${LINK_COLUMNS} from links l where ${IS_CHANGEABLE} for no key update`,
    [programId, linkId, partnerId],
  );
  return link ?? null;
}

export type LinkChanges = { active?: boolean; destinationUrl?: string | null; label?: string | null };

/** Changes what is given; null when there is no such link. */
export async function updateLink(
  db: Queryable,
  programId: number,
  linkId: number,
  partnerId: number | null,
  changes: LinkChanges,
): Promise<StoredLink | null> {
  const [link] = await db.query<StoredLink>(
    `update links l set active = coalesce($4, active),
       destination_url = case when $5 then $6 else destination_url end, label = case when $7 then $8 else label end
     where ${IS_CHANGEABLE} returning ${LINK_COLUMNS}`,
    [
      programId,
      linkId,
      partnerId,
      changes.active ?? null,
      changes.destinationUrl !== undefined,
      changes.destinationUrl ?? null,
      changes.label !== undefined,
      changes.label ?? null,
    ],
  );
  return link ?? null;
}

/** Marks the link as deleted. It is disabled too, which nodes of the previous release go by. */
export async function updateLinkDeleted(
  db: Queryable,
  programId: number,
  linkId: number,
  partnerId: number | null,
  now: Date,
): Promise<void> {
  await db.query(`update links l set deleted_at = $4, active = false where ${IS_CHANGEABLE}`, [
    programId,
    linkId,
    partnerId,
    now,
  ]);
}
