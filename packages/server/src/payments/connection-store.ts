import { type Db, DbError, type Queryable } from '../db/db.ts';

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

export type NewConnection = {
  provider: 'stripe';
  accountId: string | null;
  /** Null keeps the current one. */
  secretEncrypted: string | null;
  isSandbox: boolean;
};

/** Connects the program, or changes its connection. False when the account belongs to another workspace. */
export async function replaceProcessor(
  db: Db,
  program: { id: number; workspaceId: number },
  connection: NewConnection,
  now: Date,
): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await lockWorkspace(tx, program.workspaceId);
      await upsertConnection(tx, program, connection, now);
      await deleteUnusedAccounts(tx, program.workspaceId);
    });
    return true;
  } catch (error) {
    // The upsert sets the owner to null for an account of another workspace, which the column refuses.
    if (error instanceof DbError && error.sqlState === '23502') return false;
    throw error;
  }
}

async function upsertConnection(
  db: Queryable,
  program: { id: number; workspaceId: number },
  connection: NewConnection,
  now: Date,
): Promise<void> {
  await db.query(
    `with owned as (
       insert into processor_accounts (account_id, advertiser_id)
       select $3, $2 where $3::text is not null
       on conflict (account_id) do update set advertiser_id =
         case when processor_accounts.advertiser_id = excluded.advertiser_id then excluded.advertiser_id end
     )
     insert into processor_connections as c
       (program_id, provider, account_id, secret_encrypted, is_sandbox, connected_at)
     values ($1, $4, $3, $5, $6, $7)
     on conflict (program_id) do update set provider = excluded.provider, account_id = excluded.account_id,
       secret_encrypted = coalesce(excluded.secret_encrypted, c.secret_encrypted),
       is_sandbox = excluded.is_sandbox, connected_at = excluded.connected_at`,
    [
      program.id,
      program.workspaceId,
      connection.accountId,
      connection.provider,
      connection.secretEncrypted,
      connection.isSandbox,
      now,
    ],
  );
}

/** Disconnects the program. */
export async function deleteProcessor(db: Db, program: { id: number; workspaceId: number }): Promise<void> {
  await db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    await tx.query('delete from processor_connections where program_id = $1', [program.id]);
    await deleteUnusedAccounts(tx, program.workspaceId);
  });
}

/** Serializes changes within a workspace, so that an account is not released just as another program connects it. */
async function lockWorkspace(db: Queryable, workspaceId: number): Promise<void> {
  await db.query('select 1 from advertisers where id = $1 for no key update', [workspaceId]);
}

/** Releases accounts that no program of the workspace uses any more, so that other workspaces can connect them. */
async function deleteUnusedAccounts(db: Queryable, workspaceId: number): Promise<void> {
  await db.query(
    `delete from processor_accounts a where a.advertiser_id = $1
       and not exists (select 1 from processor_connections c where c.account_id = a.account_id)`,
    [workspaceId],
  );
}
