import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { newApiKey } from './api-key.ts';
import { findMaskedKey, insertKey, lockKeys, updateKeysReplaced } from './api-key-store.ts';
import type { Program } from './program.ts';

/**
 * Replaces the program's live key and returns the new one, the only time it can be read. The old key stops immediately, and a
 * second one with it. Test keys stay.
 */
export async function regenerateKey(
  ctx: Context,
  { id: programId, workspaceId, name }: Pick<Program, 'id' | 'workspaceId' | 'name'>,
  actor: Actor,
): Promise<{ apiKey: string; masked: string }> {
  const { apiKey, hash, masked } = newApiKey();
  await ctx.db.transaction(async (tx) => {
    await lockKeys(tx, programId);
    const before = await findMaskedKey(tx, programId);
    await updateKeysReplaced(tx, programId, ctx.now());
    await insertKey(tx, { programId, hash, masked, isTest: false }, ctx.now());
    const changed = { before: { api_key_masked: before?.masked ?? null }, after: { api_key_masked: masked } };
    const subject = { type: 'program', id: programId, name } as const;
    await insertAuditEvent(
      tx,
      { workspaceId, programId, actor, action: 'key.regenerated', subject, ...changed },
      ctx.now(),
    );
  });
  return { apiKey, masked };
}
