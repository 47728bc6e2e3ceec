import type { Queryable } from '../db/db.ts';

export type ProcessorConnection = {
  provider: 'stripe';
  accountId: string | null;
  hasSecret: boolean;
  isSandbox: boolean;
  connectedAt: Date;
};

export async function findProcessor(db: Queryable, programId: number): Promise<ProcessorConnection | null> {
  const [connection] = await db.query<ProcessorConnection>(
    `select provider, account_id as "accountId", secret_encrypted is not null as "hasSecret",
       is_sandbox as "isSandbox", connected_at as "connectedAt"
     from processor_connections where program_id = $1`,
    [programId],
  );
  return connection ?? null;
}

export async function findProcessorSecret(db: Queryable, programId: number): Promise<string | null> {
  const [row] = await db.query<{ secret: string | null }>(
    'select secret_encrypted as secret from processor_connections where program_id = $1',
    [programId],
  );
  return row?.secret ?? null;
}

export async function isSandbox(db: Queryable, programId: number): Promise<boolean> {
  return (await findProcessor(db, programId))?.isSandbox ?? false;
}

/** The programs connected to an account of a Connect platform. */
export async function listProgramsOfAccount(db: Queryable, accountId: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'select program_id as id from processor_connections where account_id = $1 order by program_id',
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** Locks the workspace, so that its connections change one at a time and no account in use is freed. */
export async function lockWorkspace(tx: Queryable, workspaceId: number): Promise<void> {
  await tx.query('select 1 from advertisers where id = $1 for no key update', [workspaceId]);
}

/**
 * Makes the account the workspace's own, and says whether it is. Of two workspaces that claim an account at the same
 * moment, the second waits in the insert until the first has committed, and then reads its row.
 */
export async function claimAccount(tx: Queryable, workspaceId: number, accountId: string): Promise<boolean> {
  await tx.query(
    'insert into processor_accounts (account_id, advertiser_id) values ($1, $2) on conflict (account_id) do nothing',
    [accountId, workspaceId],
  );
  const [account] = await tx.query<{ workspaceId: number }>(
    'select advertiser_id as "workspaceId" from processor_accounts where account_id = $1',
    [accountId],
  );
  return account?.workspaceId === workspaceId;
}

export type NewConnection = {
  provider: 'stripe';
  accountId: string | null;
  /** Null keeps the current one. */
  secretEncrypted: string | null;
  isSandbox: boolean;
};

export async function upsertConnection(
  tx: Queryable,
  programId: number,
  connection: NewConnection,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into processor_connections as c
       (program_id, provider, account_id, secret_encrypted, is_sandbox, connected_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (program_id) do update set provider = excluded.provider, account_id = excluded.account_id,
       secret_encrypted = coalesce(excluded.secret_encrypted, c.secret_encrypted),
       is_sandbox = excluded.is_sandbox, connected_at = excluded.connected_at`,
    [programId, connection.provider, connection.accountId, connection.secretEncrypted, connection.isSandbox, now],
  );
}

export async function deleteConnection(tx: Queryable, programId: number): Promise<void> {
  await tx.query('delete from processor_connections where program_id = $1', [programId]);
}

/** Releases accounts that no program of the workspace uses any more, so that other workspaces can connect them. */
export async function deleteUnusedAccounts(tx: Queryable, workspaceId: number): Promise<void> {
  await tx.query(
    `delete from processor_accounts a where a.advertiser_id = $1
       and not exists (select 1 from processor_connections c where c.account_id = a.account_id)`,
    [workspaceId],
  );
}
