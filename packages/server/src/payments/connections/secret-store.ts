import type { ProcessorName } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

export type StoredSecret = {
  id: number;
  label: string | null;
  sealed: string;
  isTest: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** The signing secrets of a connection, oldest first. */
export function listSecrets(db: Queryable, programId: number, provider: ProcessorName): Promise<StoredSecret[]> {
  return db.query<StoredSecret>(
    `select id, label, secret_encrypted as sealed, is_test as "isTest", created_at as "createdAt",
       last_used_at as "lastUsedAt"
     from processor_secrets where program_id = $1 and provider = $2 order by id`,
    [programId, provider],
  );
}

/** The processor that a secret of the program is for. */
export async function findSecretProvider(db: Queryable, programId: number, id: number): Promise<ProcessorName | null> {
  const [secret] = await db.query<{ provider: ProcessorName }>(
    'select provider from processor_secrets where program_id = $1 and id = $2',
    [programId, id],
  );
  return secret?.provider ?? null;
}

export type NewStoredSecret = { label: string | null; sealed: string; isTest: boolean };

export async function insertSecret(
  tx: Queryable,
  programId: number,
  provider: ProcessorName,
  { label, sealed, isTest }: NewStoredSecret,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into processor_secrets (program_id, provider, label, secret_encrypted, is_test, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [programId, provider, label, sealed, isTest, now],
  );
}

/** Deletes one secret of the connection, or all of them. */
export async function deleteSecrets(
  tx: Queryable,
  programId: number,
  provider: ProcessorName,
  id: number | null,
): Promise<void> {
  await tx.query(
    'delete from processor_secrets where program_id = $1 and provider = $2 and ($3::bigint is null or id = $3)',
    [programId, provider, id],
  );
  // Nodes of the previous release read the secret from here.
  await tx.query('update processor_connections set secret_encrypted = null where program_id = $1 and provider = $2', [
    programId,
    provider,
  ]);
}

const MINUTE_MS = 60_000;

/** Stores when a secret was last used, to the minute, so that a burst of events does not write it for each of them. */
export async function updateSecretUse(db: Queryable, { id, lastUsedAt }: StoredSecret, now: Date): Promise<void> {
  if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < MINUTE_MS) return;
  await db.query('update processor_secrets set last_used_at = $2 where id = $1', [id, now]);
}
