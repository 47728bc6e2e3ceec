import { errors, MAX_PROCESSOR_SECRETS, type ProcessorName } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import type { Encryption } from '../../encryption.ts';
import type { Program } from '../../programs/program.ts';
import { processors } from '../processors/processors.ts';
import { secretProblem } from '../processors/secret-format.ts';
import { findProcessor, lockWorkspace, resetMismatches } from './connection-store.ts';
import { deleteSecrets, findSecretProvider, insertSecret, listSecrets, type NewStoredSecret } from './secret-store.ts';

export type NewSecret = {
  value: string;
  label?: string | undefined;
  /** Whether it signs tests only. Left out where the processor's events say so themselves. */
  isTest?: boolean | undefined;
};

export type SecretsContext = Pick<Context, 'db' | 'now'> & { encryption: Encryption };

type SecretsOf = Pick<Program, 'id' | 'workspaceId'>;

/** Adds a signing secret to a connection. Events signed with any of its secrets are accepted. */
export async function addSecret(
  ctx: SecretsContext,
  program: SecretsOf,
  provider: ProcessorName,
  secret: NewSecret,
  actor: Actor,
): Promise<void> {
  const sealed = sealNew(ctx, provider, secret);
  await ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    if (!(await findProcessor(tx, program.id, provider))) throw errors.processorNotConnected();
    const stored = await listSecrets(tx, program.id, provider);
    if (stored.some((other) => ctx.encryption.open(other.sealed) === secret.value)) throw errors.secretKnown();
    if (stored.length >= MAX_PROCESSOR_SECRETS) throw errors.tooManySecrets(MAX_PROCESSOR_SECRETS);
    await addSealed(tx, program.id, provider, sealed, ctx.now());
    const after = { label: sealed.label, test_mode: sealed.isTest };
    await insertAuditEvent(
      tx,
      { ...connectionChange(program, provider, actor), action: 'processor.secret_added', after },
      ctx.now(),
    );
  });
}

/** Removes a signing secret and returns whose it was. The last one stays, unless a platform signs the account's events. */
export function removeSecret(
  ctx: Pick<Context, 'db' | 'now'>,
  program: SecretsOf,
  id: number,
  { hasPlatform, actor }: { hasPlatform: boolean; actor: Actor },
): Promise<ProcessorName> {
  return ctx.db.transaction(async (tx) => {
    await lockWorkspace(tx, program.workspaceId);
    const provider = await findSecretProvider(tx, program.id, id);
    if (provider === null) throw errors.notFound();
    const stored = await listSecrets(tx, program.id, provider);
    const isLast = stored.length === 1;
    const connection = await findProcessor(tx, program.id, provider);
    if (isLast && !(hasPlatform && connection?.accountId)) throw errors.lastSecret();
    await deleteSecrets(tx, program.id, provider, id);
    const removed = stored.find((secret) => secret.id === id);
    const before = { label: removed?.label ?? null, test_mode: removed?.isTest ?? false };
    const event = {
      ...connectionChange(program, provider, actor),
      action: 'processor.secret_removed',
      before,
    } as const;
    await insertAuditEvent(tx, event, ctx.now());
    return provider;
  });
}

/** The connection that a change is about. Of secrets, the audit log holds only what people call them. */
export function connectionChange({ id, workspaceId }: SecretsOf, provider: ProcessorName, actor: Actor) {
  const subject = { type: 'processor', id: provider, name: processors[provider].title } as const;
  return { workspaceId, programId: id, actor, subject };
}

/** Checks and encrypts a new secret. */
export function sealNew(
  { encryption }: { encryption: Encryption },
  provider: ProcessorName,
  { value, label, isTest }: NewSecret,
): NewStoredSecret {
  const { title, secret, tellsTestMode } = processors[provider];
  const problem = secretProblem(title, secret, value);
  if (problem !== null) throw errors.invalidField({ message: problem, field: 'webhook_secret' });
  if (!tellsTestMode && isTest === undefined) throw errors.testModeRequired(title);
  return { label: label ?? null, sealed: encryption.seal(value), isTest: isTest ?? false };
}

/** Stores the secret and resets the count of mismatches, because this secret may be the one that was missing. */
export async function addSealed(
  tx: Queryable,
  programId: number,
  provider: ProcessorName,
  sealed: NewStoredSecret,
  now: Date,
): Promise<void> {
  await insertSecret(tx, programId, provider, sealed, now);
  await resetMismatches(tx, programId, provider);
}
