import { errors, type KeyMode, MAX_KEYS } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { newApiKey, type ProgramKey } from './api-key.ts';
import { insertKey, lockKeys } from './api-key-store.ts';
import type { Program } from './program.ts';

/** Adds a key beside those that the program has, and returns it, the only time it can be read. */
export function addKey(
  ctx: Context,
  { id: programId, workspaceId, name }: Pick<Program, 'id' | 'workspaceId' | 'name'>,
  mode: KeyMode,
  actor: Actor,
): Promise<{ apiKey: string; key: ProgramKey }> {
  const { apiKey, hash, masked } = newApiKey(mode);
  return ctx.db.transaction(async (tx) => {
    await lockKeys(tx, programId);
    const key = await insertKey(tx, { programId, hash, masked, isTest: mode === 'test' }, ctx.now());
    if (!key) throw errors.tooManyKeys(mode, MAX_KEYS);
    const subject = { type: 'program', id: programId, name } as const;
    const after = { api_key_masked: masked, mode };
    await insertAuditEvent(tx, { workspaceId, programId, actor, action: 'key.created', subject, after }, ctx.now());
    return { apiKey, key };
  });
}
