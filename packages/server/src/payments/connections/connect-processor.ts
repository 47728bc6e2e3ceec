import { errors, type ProcessorName } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Program } from '../../programs/program.ts';
import { deleteSeenTypes } from '../events/event-type-store.ts';
import { processors } from '../processors/processors.ts';
import { addSealed, connectionChange, type NewSecret, type SecretsContext, sealNew } from './change-secrets.ts';
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
import { deleteSecrets, listSecrets } from './secret-store.ts';

export type ProcessorSettings = {
  provider: ProcessorName;
  accountId: string | null;
  /** A signing secret that replaces the stored ones; without it these stay. */
  secret: NewSecret | undefined;
  isSandbox: boolean;
};

type ConnectedProgram = Pick<Program, 'id' | 'workspaceId'>;

/**
 * Connects the program to a payment processor, or changes the connection. Account ids are not secret: anyone can name one, and
 * naming one proves nothing: a platform's events reach the program only after `proveAccount` or `assignAccount`.
 */
export async function connectProcessor(
  ctx: SecretsContext,
  program: ConnectedProgram,
  { provider, accountId, secret, isSandbox }: ProcessorSettings,
  { hasPlatform, actor }: { hasPlatform: boolean; actor: Actor },
): Promise<void> {
  const { title, hasPlatforms } = processors[provider];
  if (accountId !== null && !hasPlatforms) throw errors.accountNotUsed(title);
  const sealed = secret && sealNew(ctx, provider, secret);
  await ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    // Events of a platform's account are signed with the secret of the platform.
    const needsSecret = !(hasPlatform && accountId) && (await listSecrets(tx, program.id, provider)).length === 0;
    if (needsSecret && !secret) throw errors.webhookSecretRequired();
    const owner = accountId === null ? null : await findAccountOwner(tx, accountId);
    if (owner !== null && owner !== program.workspaceId) throw errors.accountTaken();
    await upsertConnection(tx, program.id, { provider, accountId, isSandbox }, ctx.now());
    if (sealed) {
      await deleteSecrets(tx, program.id, provider, null);
      await addSealed(tx, program.id, provider, sealed, ctx.now());
    }
    await deleteUnusedAccounts(tx, program.workspaceId);
    const after = { account_id: accountId, sandbox: isSandbox, new_secret: Boolean(sealed) };
    await insertAuditEvent(
      tx,
      { ...connectionChange(program, provider, actor), action: 'processor.connected', after },
      ctx.now(),
    );
  });
}

/** Disconnects the program; the processor's events are refused from then on. */
export function disconnectProcessor(
  ctx: Pick<Context, 'db' | 'now'>,
  program: ConnectedProgram,
  provider: ProcessorName,
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    const known = await findProcessor(tx, program.id, provider);
    if (!known) return;
    await deleteConnection(tx, program.id, provider);
    await deleteSeenTypes(tx, program.id, provider);
    await deleteUnusedAccounts(tx, program.workspaceId);
    const before = { account_id: known.accountId, sandbox: known.isSandbox };
    await insertAuditEvent(
      tx,
      { ...connectionChange(program, provider, actor), action: 'processor.disconnected', before },
      ctx.now(),
    );
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
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    const isSandbox = (await findProcessor(tx, program.id, 'stripe'))?.isSandbox ?? false;
    await upsertConnection(tx, program.id, { provider: 'stripe', accountId, isSandbox }, ctx.now());
    await upsertAccountOwner(tx, accountId, program.workspaceId);
    await deleteUnusedAccounts(tx, program.workspaceId);
    const after = { account_id: accountId };
    await insertAuditEvent(
      tx,
      { ...connectionChange(program, 'stripe', actor), action: 'processor.account_assigned', after },
      ctx.now(),
    );
  });
}
