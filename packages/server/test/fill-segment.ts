import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../src/db/embedded.ts';

const SEGMENT_BYTES = 16 * 1_048_576;

/** Writes to the log of an embedded store that nobody has open, until its segment has room for only so many bytes. */
export async function fillSegment(folder: string, bytesLeft: number): Promise<void> {
  const db = await openEmbedded(folder);
  const [now] = await db.query<{ used: number }>(
    'select file_offset as used from pg_walfile_name_offset(pg_current_wal_insert_lsn())',
    [],
  );
  const bytes = SEGMENT_BYTES - (now?.used ?? 0) - bytesLeft;
  if (bytes > 0) await db.query(`select pg_logical_emit_message(true, 'test', repeat('x', $1))`, [bytes]);
  await db.close();
}

/** Removes the segments that Postgres has prepared, so that it has to create the next one when it needs it. */
export async function removePreparedSegments(folder: string): Promise<void> {
  const log = join(folder, 'pg_wal');
  const [, ...prepared] = (await readdir(log)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
  for (const name of prepared) await rm(join(log, name));
}
