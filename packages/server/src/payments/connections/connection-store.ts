import type { ProcessorName } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

export type ProcessorConnection = {
  accountId: string | null;
  /** Whether the account is proven to belong to the program's workspace. */
  isAccountProven: boolean;
  isSandbox: boolean;
  connectedAt: Date;
  /** Requests whose signature fits none of the secrets, since these were last changed. */
  mismatches: number;
  lastMismatchAt: Date | null;
  /** Requests whose signature fits but is too old, since the secrets were last changed. */
  lateSignatures: number;
  lastLateAt: Date | null;
};

export async function findProcessor(
  db: Queryable,
  programId: number,
  provider: ProcessorName,
): Promise<ProcessorConnection | null> {
  const [connection] = await db.query<ProcessorConnection>(
    `select c.account_id as "accountId", c.is_sandbox as "isSandbox", c.connected_at as "connectedAt",
       c.signature_mismatches as mismatches, c.last_mismatch_at as "lastMismatchAt",
       c.late_signatures as "lateSignatures", c.last_late_at as "lastLateAt", exists (
         select 1 from processor_accounts a
         where a.account_id = c.account_id and a.advertiser_id = p.advertiser_id) as "isAccountProven"
     from processor_connections c join programs p on p.id = c.program_id
     where c.program_id = $1 and c.provider = $2`,
    [programId, provider],
  );
  return connection ?? null;
}

export async function isSandbox(db: Queryable, programId: number, provider: ProcessorName): Promise<boolean> {
  return (await findProcessor(db, programId, provider))?.isSandbox ?? false;
}

/** The programs connected to an account of a Connect platform, in the workspace that it is proven to belong to. */
export async function listProgramsOfAccount(db: Queryable, accountId: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select c.program_id as id
     from processor_connections c
     join programs p on p.id = c.program_id
     join processor_accounts a on a.account_id = c.account_id and a.advertiser_id = p.advertiser_id
     where c.account_id = $1 order by c.program_id`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** Locks the workspace, so that its connections change one at a time and no account in use is freed. */
export async function lockWorkspace(tx: Queryable, workspaceId: number): Promise<void> {
  await tx.query('select 1 from advertisers where id = $1 for no key update', [workspaceId]);
}

/** The workspace that the account is proven to belong to. */
export async function findAccountOwner(db: Queryable, accountId: string): Promise<number | null> {
  const [account] = await db.query<{ workspaceId: number }>(
    'select advertiser_id as "workspaceId" from processor_accounts where account_id = $1',
    [accountId],
  );
  return account?.workspaceId ?? null;
}

/** Assigns the account to the workspace if the program has named it and no workspace has it. The first of several wins. */
export async function insertAccountOwner(db: Queryable, accountId: string, programId: number): Promise<void> {
  await db.query(
    `insert into processor_accounts (account_id, advertiser_id)
     select c.account_id, p.advertiser_id from processor_connections c join programs p on p.id = c.program_id
     where c.program_id = $2 and c.account_id = $1
     on conflict (account_id) do nothing`,
    [accountId, programId],
  );
}

/** Assigns the account to the workspace, even if another one had it. */
export async function upsertAccountOwner(tx: Queryable, accountId: string, workspaceId: number): Promise<void> {
  await tx.query(
    `insert into processor_accounts (account_id, advertiser_id) values ($1, $2)
     on conflict (account_id) do update set advertiser_id = excluded.advertiser_id`,
    [accountId, workspaceId],
  );
}

export type NewConnection = { provider: ProcessorName; accountId: string | null; isSandbox: boolean };

export async function upsertConnection(
  tx: Queryable,
  programId: number,
  { provider, accountId, isSandbox }: NewConnection,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into processor_connections (program_id, provider, account_id, is_sandbox, connected_at)
     values ($1, $2, $3, $4, $5)
     on conflict (program_id, provider) do update set account_id = excluded.account_id,
       is_sandbox = excluded.is_sandbox, connected_at = excluded.connected_at`,
    [programId, provider, accountId, isSandbox, now],
  );
}

export async function updateMismatches(
  db: Queryable,
  programId: number,
  provider: ProcessorName,
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_connections set last_mismatch_at = $3,
       signature_mismatches = least(signature_mismatches, 2147483646) + 1
     where program_id = $1 and provider = $2`,
    [programId, provider, now],
  );
}

export async function updateLateSignatures(
  db: Queryable,
  programId: number,
  provider: ProcessorName,
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_connections set last_late_at = $3, late_signatures = least(late_signatures, 2147483646) + 1
     where program_id = $1 and provider = $2`,
    [programId, provider, now],
  );
}

export async function resetMismatches(tx: Queryable, programId: number, provider: ProcessorName): Promise<void> {
  await tx.query(
    `update processor_connections set signature_mismatches = 0, last_mismatch_at = null,
       late_signatures = 0, last_late_at = null
     where program_id = $1 and provider = $2`,
    [programId, provider],
  );
}

export async function deleteConnection(tx: Queryable, programId: number, provider: ProcessorName): Promise<void> {
  await tx.query('delete from processor_connections where program_id = $1 and provider = $2', [programId, provider]);
}

/** Releases accounts that no program of the workspace uses any longer, so that other workspaces can prove them theirs. */
export async function deleteUnusedAccounts(tx: Queryable, workspaceId: number): Promise<void> {
  await tx.query(
    `delete from processor_accounts a where a.advertiser_id = $1
       and not exists (
         select 1 from processor_connections c join programs p on p.id = c.program_id
         where c.account_id = a.account_id and p.advertiser_id = a.advertiser_id)`,
    [workspaceId],
  );
}
