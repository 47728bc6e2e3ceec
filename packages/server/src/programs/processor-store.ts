import type { Queryable } from '../db/db.ts';

export type ProcessorConnection = { provider: 'stripe'; accountId: string | null; connectedAt: Date };

export async function findProcessor(db: Queryable, programId: number): Promise<ProcessorConnection | null> {
  const [connection] = await db.query<ProcessorConnection>(
    `select provider, account_id as "accountId", connected_at as "connectedAt"
     from processor_connections where program_id = $1`,
    [programId],
  );
  return connection ?? null;
}

export async function replaceProcessor(
  db: Queryable,
  programId: number,
  connection: { provider: 'stripe'; accountId: string | null; secretEncrypted: string },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into processor_connections (program_id, provider, account_id, secret_encrypted, connected_at)
     values ($1, $2, $3, $4, $5)
     on conflict (program_id) do update set provider = excluded.provider, account_id = excluded.account_id,
       secret_encrypted = excluded.secret_encrypted, connected_at = excluded.connected_at`,
    [programId, connection.provider, connection.accountId, connection.secretEncrypted, now],
  );
}

export async function deleteProcessor(db: Queryable, programId: number): Promise<void> {
  await db.query('delete from processor_connections where program_id = $1', [programId]);
}
