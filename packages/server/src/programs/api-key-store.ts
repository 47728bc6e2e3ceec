import { MAX_KEYS } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { MarkedKey, ProgramKey } from './api-key.ts';

const COLUMNS = `id, program_id as "programId", key_hash as hash, key_masked as masked, is_test as "isTest",
  created_at as "createdAt", marked_at as "markedAt", rotate_by as "rotateBy", last_used_at as "lastUsedAt"`;

export async function findKeyByHash(db: Queryable, hash: string): Promise<ProgramKey | null> {
  const [key] = await db.query<ProgramKey>(
    `select ${COLUMNS} from program_keys where key_hash = $1 and replaced_at is null`,
    [hash],
  );
  return key ?? null;
}

/** The keys that have not been replaced or retired, newest first. */
export function listKeys(db: Queryable, programId: number): Promise<ProgramKey[]> {
  return db.query<ProgramKey>(
    `select ${COLUMNS} from program_keys where program_id = $1 and replaced_at is null order by id desc`,
    [programId],
  );
}

type NewKey = { programId: number; hash: string; masked: string; isTest: boolean };

/** Locks the program, so that changes to its keys wait for each other. */
export async function lockKeys(db: Queryable, programId: number): Promise<void> {
  await db.query('select 1 from programs where id = $1 for no key update', [programId]);
}

/** Adds a key, unless the program has as many of its mode as it can have. */
export async function insertKey(db: Queryable, key: NewKey, now: Date): Promise<ProgramKey | null> {
  const [added] = await db.query<ProgramKey>(
    `insert into program_keys (program_id, key_hash, key_masked, is_test, slot, created_at)
     select $1::bigint, $2, $3, $4::boolean, free.slot, $5::timestamptz from generate_series(1, ${MAX_KEYS}) as free (slot)
     where not exists (
       select 1 from program_keys k
       where k.program_id = $1 and k.is_test = $4 and k.slot = free.slot and k.replaced_at is null)
     order by free.slot limit 1
     returning ${COLUMNS}`,
    [key.programId, key.hash, key.masked, key.isTest, now],
  );
  return added ?? null;
}

/** Ends all live keys of the program. */
export async function updateKeysReplaced(db: Queryable, programId: number, now: Date): Promise<void> {
  await db.query(
    'update program_keys set replaced_at = $2 where program_id = $1 and replaced_at is null and not is_test',
    [programId, now],
  );
}

/** Ends a key of the program, unless no live key would work then. */
export async function updateKeyRetired(
  db: Queryable,
  programId: number,
  keyId: number,
  now: Date,
): Promise<ProgramKey | null> {
  const [key] = await db.query<ProgramKey>(
    `update program_keys set replaced_at = $3 where program_id = $1 and id = $2 and replaced_at is null and (
       is_test or exists (
         select 1 from program_keys other
         where other.program_id = $1 and other.id <> $2 and other.replaced_at is null and not other.is_test
           and (other.rotate_by is null or other.rotate_by > $3)))
     returning ${COLUMNS}`,
    [programId, keyId, now],
  );
  return key ?? null;
}

/** Marks the program's live key; of two, the older one that still works. A key past its deadline stays refused beside another. */
export async function updateKeyRotation(
  db: Queryable,
  programId: number,
  markedAt: Date,
  rotateBy: Date,
): Promise<MarkedKey | null> {
  const [key] = await db.query<MarkedKey>(
    `update program_keys set marked_at = $2, rotate_by = $3 where program_id = $1 and replaced_at is null and id = (
       select id from program_keys where program_id = $1 and replaced_at is null and not is_test
       order by (rotate_by is not null and rotate_by <= $2), id limit 1)
     returning ${COLUMNS}`,
    [programId, markedAt, rotateBy],
  );
  return key ?? null;
}

/** Records a use, unless one was recorded since `before`, so that nodes and concurrent requests write once. */
export async function updateKeyUsed(
  db: Queryable,
  { id, programId }: Pick<ProgramKey, 'id' | 'programId'>,
  now: Date,
  before: Date,
): Promise<void> {
  await db.query(
    `update program_keys set last_used_at = $3
     where id = $1 and program_id = $2 and (last_used_at is null or last_used_at <= $4)`,
    [id, programId, now, before],
  );
}

/** When a live key of the program was last replaced or retired; null while it still has its first. */
export async function findKeyRotatedAt(db: Queryable, programId: number): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    'select max(replaced_at) as at from program_keys where program_id = $1 and not is_test',
    [programId],
  );
  return row?.at ?? null;
}

export type MaskedKey = { masked: string; rotateBy: Date | null };

/** The newest live key, masked, and the earliest deadline of one. */
export async function findMaskedKey(db: Queryable, programId: number): Promise<MaskedKey | null> {
  const [row] = await db.query<MaskedKey>(
    `select (array_agg(key_masked order by id desc))[1] as masked, min(rotate_by) as "rotateBy" from program_keys
     where program_id = $1 and replaced_at is null and not is_test having count(*) > 0`,
    [programId],
  );
  return row ?? null;
}
