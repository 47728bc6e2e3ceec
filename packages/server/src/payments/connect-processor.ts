import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import {
  deleteConnection,
  deleteUnusedAccounts,
  findAccountOwner,
  findProcessor,
  insertAccountOwner,
  lockWorkspace,
  upsertAccountOwner,
  upsertConnection,
} from './connection-store.ts';
import type { Encryption } from './encryption.ts';

export type ProcessorSettings = {
  provider: 'stripe';
  accountId: string | null;
  /** The signing secret; without one the stored secret stays. */
  secret: string | undefined;
  isSandbox: boolean;
};

type ConnectedProgram = Pick<Program, 'id' | 'workspaceId'>;

/**
 * Connects the program to its payment processor, or changes the connection. Account ids are not secret: anyone can name one, and
 * naming one proves nothing: a platform's events reach the program only after `proveAccount` or `assignAccount`.
 */
export function connectProcessor(
  ctx: Pick<Context, 'db' | 'now'> & { encryption: Encryption },
  program: ConnectedProgram,
  { provider, accountId, secret, isSandbox }: ProcessorSettings,
  { hasPlatform }: { hasPlatform: boolean },
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    // Events of a platform's account are signed with the secret of the platform.
    const needsSecret = !(hasPlatform && accountId) && !(await findProcessor(tx, program.id))?.hasSecret;
    if (needsSecret && !secret) throw errors.webhookSecretRequired();
    const owner = accountId === null ? null : await findAccountOwner(tx, accountId);
    if (owner !== null && owner !== program.workspaceId) throw errors.accountTaken();
    const secretEncrypted = secret ? ctx.encryption.seal(secret) : null;
    await upsertConnection(tx, program.id, { provider, accountId, secretEncrypted, isSandbox }, ctx.now());
    await deleteUnusedAccounts(tx, program.workspaceId);
  });
}

/** Disconnects the program; its processor's events are refused from then on. */
export function disconnectProcessor(ctx: Pick<Context, 'db'>, program: ConnectedProgram): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    await deleteConnection(tx, program.id);
    await deleteUnusedAccounts(tx, program.workspaceId);
  });
}

/**
 * Takes a signed event of a platform as proof that its account belongs to the program that the event's metadata names, if that
 * program has named the account too. Only someone who controls the account can write such metadata. The first proof counts.
 */
export async function proveAccount(
  ctx: Pick<Context, 'db'>,
  accountId: string,
  programId: number | undefined,
): Promise<void> {
  if (programId === undefined || (await findAccountOwner(ctx.db, accountId)) !== null) return;
  await insertAccountOwner(ctx.db, accountId, programId);
}

/** Assigns the account to the program and its workspace on the operator's authority, even if another workspace had it. */
export function assignAccount(
  ctx: Pick<Context, 'db' | 'now'>,
  program: ConnectedProgram,
  accountId: string,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    const isSandbox = (await findProcessor(tx, program.id))?.isSandbox ?? false;
    await upsertConnection(
      tx,
      program.id,
      { provider: 'stripe', accountId, secretEncrypted: null, isSandbox },
      ctx.now(),
    );
    await upsertAccountOwner(tx, accountId, program.workspaceId);
    await deleteUnusedAccounts(tx, program.workspaceId);
  });
}
