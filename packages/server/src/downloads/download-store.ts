import type { Queryable } from '../db/db.ts';

/** A file that is served under an address that never serves anything else. */
export type Download = { path: string; mediaType: string; contentBase64: string };

export async function findDownload(db: Queryable, path: string): Promise<Download | null> {
  const [row] = await db.query<Download>(
    `select path, media_type as "mediaType", content_base64 as "contentBase64" from downloads where path = $1`,
    [path],
  );
  return row ?? null;
}

/** Keeps a file for good. The path contains a hash of the content, so a row that exists is the same file. */
export async function insertDownload(db: Queryable, file: Download, now: Date): Promise<void> {
  await db.query(
    `insert into downloads (path, media_type, content_base64, created_at) values ($1, $2, $3, $4)
     on conflict (path) do nothing`,
    [file.path, file.mediaType, file.contentBase64, now],
  );
}
