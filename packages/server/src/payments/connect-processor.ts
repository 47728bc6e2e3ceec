import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import {
  claimAccount,
  deleteConnection,
  deleteUnusedAccounts,
  findProcessor,
  lockWorkspace,
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
 * Connects the program to its payment processor, or changes the connection. An account belongs to the workspace that
 * connected it first, for as long as one of its programs uses it.
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
    if (accountId !== null && !(await claimAccount(tx, program.workspaceId, accountId))) throw errors.accountTaken();
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
