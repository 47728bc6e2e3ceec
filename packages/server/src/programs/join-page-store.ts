import type { Question } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Logo } from './logo.ts';

export type JoinPageChanges = { brandColor?: string | null; questions?: Question[] };

export async function updateJoinPage(db: Queryable, programId: number, changes: JoinPageChanges): Promise<void> {
  await db.query(
    `update programs set
       brand_color = case when $2 then $3 else brand_color end, questions = coalesce($4::jsonb, questions)
     where id = $1`,
    [
      programId,
      changes.brandColor !== undefined,
      changes.brandColor ?? null,
      changes.questions ? JSON.stringify(changes.questions) : null,
    ],
  );
}

export type Agreement = { version: number; text: string; createdAt: Date };

/** The agreement that new partners of the program accept; null when there is none. */
export async function findAgreement(db: Queryable, programId: number): Promise<Agreement | null> {
  const [row] = await db.query<Agreement>(
    `select a.version, a.text, a.created_at as "createdAt" from programs p
     join agreements a on a.program_id = p.id and a.version = p.agreement_version where p.id = $1`,
    [programId],
  );
  return row ?? null;
}

/** Makes the text the next version, which new partners accept from now on. The program is locked by the caller. */
export async function insertAgreement(
  db: Queryable,
  programId: number,
  agreement: { text: string; madeBy: string },
  now: Date,
): Promise<void> {
  await db.query(
    `with inserted as (
       insert into agreements (program_id, version, text, made_by, created_at)
       select $1, coalesce(max(version), 0) + 1, $2, $3, $4 from agreements where program_id = $1
       returning version
     )
     update programs set agreement_version = inserted.version from inserted where id = $1`,
    [programId, agreement.text, agreement.madeBy, now],
  );
}

/** New partners accept nothing from now on. The versions so far stay. */
export async function updateWithoutAgreement(db: Queryable, programId: number): Promise<void> {
  await db.query('update programs set agreement_version = null where id = $1', [programId]);
}

/** Replaces the logo; null removes it. */
export async function replaceLogo(db: Queryable, programId: number, logo: Logo | null, now: Date): Promise<void> {
  await db.query('delete from program_logos where program_id = $1', [programId]);
  if (logo) {
    await db.query(
      `insert into program_logos (program_id, name, media_type, content_base64, created_at) values ($1, $2, $3, $4, $5)`,
      [programId, logo.name, logo.mediaType, logo.contentBase64, now],
    );
  }
  await db.query('update programs set logo_name = $2 where id = $1', [programId, logo?.name ?? null]);
}

export async function findLogo(db: Queryable, name: string): Promise<Logo | null> {
  const [logo] = await db.query<Logo>(
    `select name, media_type as "mediaType", content_base64 as "contentBase64" from program_logos where name = $1
     limit 1`,
    [name],
  );
  return logo ?? null;
}
