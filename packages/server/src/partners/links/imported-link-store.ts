import type { Queryable } from '../../db/db.ts';
import { isAudited, type Judged } from '../imported-partner-store.ts';
import { findNumbers } from '../result-totals-store.ts';

/** What a code leads to in a program, or who else has it. */
export type KnownCode = {
  code: string;
  linkId: number;
  shortLink: string;
  isAlias: boolean;
  isDeleted: boolean;
  /** False if the link is of another program, about which nothing else is told. */
  isOwn: boolean;
  partnerId: number | null;
  partnerName: string | null;
};

/** Those of the codes that are taken: as an alias of the program, or as a short link of any program. */
export function listKnownLinks(db: Queryable, programId: number, codes: string[]): Promise<KnownCode[]> {
  return db.query<KnownCode>(
    `with own as (
       select a.code, l.*, true as is_alias from link_aliases a join links l on l.id = a.link_id
       where a.program_id = $1 and a.code = any ($2::text[])
     ), found as (
       select code, id, short_link, is_alias, deleted_at, program_id, partner_id from own
       union all
       select l.short_link, l.id, l.short_link, false, l.deleted_at, l.program_id, l.partner_id from links l
       where l.short_link = any ($2::text[]) and not exists (select 1 from own where own.code = l.short_link))
     select f.code, f.id as "linkId", f.short_link as "shortLink", f.is_alias as "isAlias",
       f.deleted_at is not null as "isDeleted", f.program_id is not distinct from $1 as "isOwn",
       f.partner_id as "partnerId", p.name as "partnerName"
     from found f left join partners p on p.id = f.partner_id and f.program_id = $1`,
    [programId, codes],
  );
}

export type ImportedLink = { code: string; shortLink: string; partnerId: number; destinationUrl: string | null };

/** Adds links whose short links are free, and returns their ids by short link. */
export async function insertImportedLinks(
  db: Queryable,
  programId: number,
  links: ImportedLink[],
  now: Date,
): Promise<Map<string, number>> {
  if (links.length === 0) return new Map();
  const rows = links.map(({ shortLink, partnerId, destinationUrl }) => ({
    short_link: shortLink,
    partner_id: partnerId,
    destination_url: destinationUrl,
  }));
  const inserted = await db.query<{ id: number; shortLink: string }>(
    `insert into links (program_id, partner_id, short_link, destination_url, created_at)
     select $1, i.partner_id, i.short_link, i.destination_url, $3
     from json_populate_recordset(null::links, $2::json) i order by i.short_link
     on conflict (short_link) do nothing returning id, short_link as "shortLink"`,
    [programId, JSON.stringify(rows), now],
  );
  return new Map(inserted.map(({ id, shortLink }) => [shortLink, id]));
}

/** Lets codes lead to links of the program, where its visitors use them. */
export async function insertAliases(
  db: Queryable,
  programId: number,
  aliases: { code: string; linkId: number }[],
  now: Date,
): Promise<void> {
  if (aliases.length === 0) return;
  await db.query(
    `insert into link_aliases (program_id, code, link_id, created_at)
     select $1, i.code, i."linkId", $3 from json_to_recordset($2::json) as i(code text, "linkId" bigint)`,
    [programId, JSON.stringify(aliases), now],
  );
}

/** Locks links, and says why each has to stay: null for those to which nothing has happened since an import. */
export async function judgeLinks(db: Queryable, programId: number, ids: number[]): Promise<Judged[]> {
  const judged = await db.query<Judged>(
    `with locked as materialized (
       select * from links where program_id = $1 and id = any ($2::bigint[]) order by id for update)
     select l.id, case
       when not l.active or l.deleted_at is not null or l.label is not null or ${isAudited('link', 'l.id')} then 'changed'
       when exists (select 1 from customers c where c.partner_id = l.partner_id and c.link_id = l.id) then 'customers'
       when exists (select 1 from sales s where s.partner_id = l.partner_id and s.link_id = l.id) then 'sales' end as kept
     from locked l`,
    [programId, ids],
  );
  const numbersOf = await findNumbers(db, 'link', programId, ids);
  return judged.map(({ id, kept }) => ({ id, kept: kept !== 'changed' && numbersOf(id).clicks > 0 ? 'clicks' : kept }));
}

/** Removes links that the transaction has judged, with their aliases. */
export async function deleteLinks(db: Queryable, programId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('delete from links where program_id = $1 and id = any ($2::bigint[])', [programId, ids]);
}
