import type { CreativeFileType, CreativeKind, CreativeRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { CreativeFile } from './creative-file.ts';

type StoredCreative = Omit<CreativeRow, 'created_at'> & { created_at: Date };

const SELECT = `
  select c.id, c.kind, c.title, c.status, c.group_id, c.url, c.text,
    case when f.creative_id is not null then json_build_object('name', f.name, 'media_type', f.media_type,
      'size_bytes', f.size_bytes, 'width', f.width, 'height', f.height) end as file,
    c.created_at
  from creatives c left join creative_files f on f.creative_id = c.id`;

/** Published, and for all partners or the group of the partner with the id in `$2`, as long as they are active. */
const SEEN_BY_PARTNER = `c.status = 'published' and exists (
  select from memberships m where m.program_id = c.program_id and m.partner_id = $2 and m.status = 'active'
    and (c.group_id is null or c.group_id = coalesce(m.group_id,
      (select g.id from partner_groups g where g.program_id = c.program_id and g.is_default))))`;

const rowOf = ({ created_at, ...row }: StoredCreative): CreativeRow => ({
  ...row,
  created_at: created_at.toISOString(),
});

/** All creatives of the program in their order. */
export async function listCreatives(db: Queryable, programId: number): Promise<CreativeRow[]> {
  const rows = await db.query<StoredCreative>(`${SELECT} where c.program_id = $1 order by c.position, c.id`, [
    programId,
  ]);
  return rows.map(rowOf);
}

/** Those that the partner sees, without saying for whom they are. */
export async function listCreativesFor(db: Queryable, programId: number, partnerId: number): Promise<CreativeRow[]> {
  const rows = await db.query<StoredCreative>(
    `${SELECT} where c.program_id = $1 and ${SEEN_BY_PARTNER} order by c.position, c.id`,
    [programId, partnerId],
  );
  return rows.map((row) => ({ ...rowOf(row), group_id: null }));
}

export async function findCreative(db: Queryable, programId: number, creativeId: number): Promise<CreativeRow | null> {
  const [row] = await db.query<StoredCreative>(`${SELECT} where c.program_id = $1 and c.id = $2`, [
    programId,
    creativeId,
  ]);
  return row ? rowOf(row) : null;
}

/** The same, and nobody changes it until the transaction ends. */
export async function findCreativeForUpdate(
  db: Queryable,
  programId: number,
  creativeId: number,
): Promise<CreativeRow | null> {
  const of = [programId, creativeId];
  await db.query('select 1 from creatives where program_id = $1 and id = $2 for no key update', of);
  return findCreative(db, programId, creativeId);
}

export type ServedFile = Pick<CreativeFile, 'name' | 'sha256' | 'contentBase64'> & { mediaType: CreativeFileType };

/** The file of a creative: any of the program or, with a partner, one that they see. */
export async function findCreativeFile(
  db: Queryable,
  { programId, partnerId }: { programId: number; partnerId: number | null },
  creativeId: number,
): Promise<ServedFile | null> {
  const [file] = await db.query<ServedFile>(
    `select f.name, f.media_type as "mediaType", f.sha256, f.content_base64 as "contentBase64"
     from creatives c join creative_files f on f.creative_id = c.id
     where c.program_id = $1 and c.id = $3 and ($2::bigint is null or ${SEEN_BY_PARTNER})`,
    [programId, partnerId, creativeId],
  );
  return file ?? null;
}

/** How many creatives the program has, how large their files are, and the last position. The program is locked by the caller. */
export async function countCreatives(
  db: Queryable,
  programId: number,
): Promise<{ count: number; bytes: number; last: number }> {
  const [counted] = await db.query<{ count: number; bytes: number; last: number }>(
    `select count(*) as count, coalesce(max(c.position), 0) as last, coalesce(sum(f.size_bytes), 0) as bytes
     from creatives c left join creative_files f on f.creative_id = c.id where c.program_id = $1`,
    [programId],
  );
  return counted!;
}

export type NewCreative = {
  kind: CreativeKind;
  title: string;
  status: CreativeRow['status'];
  groupId: number | null;
  url: string | null;
  text: string | null;
  file: CreativeFile | null;
};

export async function insertCreative(
  db: Queryable,
  programId: number,
  { kind, title, status, groupId, url, text, file }: NewCreative,
  { position, now }: { position: number; now: Date },
): Promise<number> {
  const [added] = await db.query<{ id: number }>(
    `insert into creatives (program_id, kind, title, status, group_id, position, url, text, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [programId, kind, title, status, groupId, position, url, text, now],
  );
  const { id } = added!;
  if (file) {
    await db.query(
      `insert into creative_files
         (creative_id, program_id, name, media_type, size_bytes, width, height, sha256, content_base64)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        programId,
        file.name,
        file.mediaType,
        file.sizeBytes,
        file.width,
        file.height,
        file.sha256,
        file.contentBase64,
      ],
    );
  }
  return id;
}

export type CreativeState = Pick<NewCreative, 'title' | 'status' | 'groupId' | 'url' | 'text'>;

export async function updateCreative(
  db: Queryable,
  creativeId: number,
  { title, status, groupId, url, text }: CreativeState,
): Promise<void> {
  await db.query('update creatives set title = $2, status = $3, group_id = $4, url = $5, text = $6 where id = $1', [
    creativeId,
    title,
    status,
    groupId,
    url,
    text,
  ]);
}

/** Deletes a creative of the program with its file, and returns its title; null when there is none. */
export async function deleteCreative(db: Queryable, programId: number, creativeId: number): Promise<string | null> {
  const [deleted] = await db.query<{ title: string }>(
    'delete from creatives where program_id = $1 and id = $2 returning title',
    [programId, creativeId],
  );
  return deleted?.title ?? null;
}

/** Puts the creatives in the order of the ids. */
export async function updateOrder(db: Queryable, programId: number, ids: number[]): Promise<void> {
  await db.query(
    `update creatives c set position = i.position
     from unnest($2::bigint[]) with ordinality i (id, position) where c.program_id = $1 and c.id = i.id`,
    [programId, ids],
  );
}
