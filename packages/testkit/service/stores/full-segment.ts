import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../../server/src/db/db.ts';
import { openEmbedded } from '../../../server/src/db/engines/embedded.ts';

const SEGMENT_BYTES = 16 * 1_048_576;

/** Creates an embedded store and writes to its log until the segment has room for only so many bytes. */
export async function createWithFullSegment(
  folder: string,
  bytesLeft: number,
  use: (db: Db) => Promise<void> = async () => {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const db = await openEmbedded(folder, { checkpointSegments: 1 });
  await use(db);
  const [now] = await db.query<{ used: number }>(
    'select file_offset as used from pg_walfile_name_offset(pg_current_wal_insert_lsn())',
    [],
  );
  const bytes = SEGMENT_BYTES - (now?.used ?? 0) - bytesLeft;
  if (bytes > 0) await db.query(`select pg_logical_emit_message(true, 'test', repeat('x', $1))`, [bytes]);
  await db.close();
}

/** The segments of the log, in order. */
export async function listSegments(folder: string): Promise<string[]> {
  return (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
}

/** Removes the segments that Postgres has prepared, so that it has to create the next one when it needs it. */
export async function removePreparedSegments(folder: string): Promise<void> {
  const [, ...prepared] = await listSegments(folder);
  for (const name of prepared) await rm(join(folder, 'pg_wal', name));
}
