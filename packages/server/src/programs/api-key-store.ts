import type { Queryable } from '../db/db.ts';
import type { MarkedKey, ProgramKey } from './api-key.ts';

const COLUMNS = `id, program_id as "programId", key_hash as hash, key_masked as masked, created_at as "createdAt",
  marked_at as "markedAt", rotate_by as "rotateBy"`;

export async function findKeyByHash(db: Queryable, hash: string): Promise<ProgramKey | null> {
  const [key] = await db.query<ProgramKey>(
    `select ${COLUMNS} from program_keys where key_hash = $1 and replaced_at is null`,
    [hash],
  );
  return key ?? null;
}

/** The key that works now. */
export async function findActiveKey(db: Queryable, programId: number): Promise<ProgramKey | null> {
  const [key] = await db.query<ProgramKey>(
    `select ${COLUMNS} from program_keys where program_id = $1 and replaced_at is null`,
    [programId],
  );
  return key ?? null;
}

type NewKey = { programId: number; hash: string; masked: string };

/** Adds the first key of a program. */
export async function insertKey(db: Queryable, { programId, hash, masked }: NewKey, now: Date): Promise<void> {
  await db.query('insert into program_keys (program_id, key_hash, key_masked, created_at) values ($1, $2, $3, $4)', [
    programId,
    hash,
    masked,
    now,
  ]);
}

/** Makes the new key active; the previous one stops working with the same commit. Concurrent calls wait for each other. */
export async function replaceKey(db: Queryable, key: NewKey, now: Date): Promise<void> {
  await db.query('select 1 from programs where id = $1 for no key update', [key.programId]);
  await db.query('update program_keys set replaced_at = $2 where program_id = $1 and replaced_at is null', [
    key.programId,
    now,
  ]);
  await insertKey(db, key, now);
}

export async function updateKeyRotation(
  db: Queryable,
  programId: number,
  markedAt: Date,
  rotateBy: Date,
): Promise<MarkedKey | null> {
  const [key] = await db.query<MarkedKey>(
    `update program_keys set marked_at = $2, rotate_by = $3 where program_id = $1 and replaced_at is null
     returning ${COLUMNS}`,
    [programId, markedAt, rotateBy],
  );
  return key ?? null;
}

/** When the program's key was last replaced by a new one; null while it still has its first. */
export async function findKeyRotatedAt(db: Queryable, programId: number): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    'select max(replaced_at) as at from program_keys where program_id = $1',
    [programId],
  );
  return row?.at ?? null;
}

export type MaskedKey = { masked: string; rotateBy: Date | null };

/** The active key, masked. */
export async function findMaskedKey(db: Queryable, programId: number): Promise<MaskedKey | null> {
  const [row] = await db.query<MaskedKey>(
    `select key_masked as masked, rotate_by as "rotateBy" from program_keys
     where program_id = $1 and replaced_at is null`,
    [programId],
  );
  return row ?? null;
}
