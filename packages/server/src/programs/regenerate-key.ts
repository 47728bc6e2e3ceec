import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { hashApiKey, maskApiKey, newApiKey } from './api-key.ts';
import { findMaskedKey, replaceKey } from './api-key-store.ts';
import type { Program } from './program.ts';

/** Replaces the program's key and returns the new one, the only time it can be read. The old key stops immediately. */
export async function regenerateKey(
  ctx: Context,
  { id: programId, workspaceId, name }: Pick<Program, 'id' | 'workspaceId' | 'name'>,
  actor: Actor,
): Promise<{ apiKey: string; masked: string }> {
  const apiKey = newApiKey();
  const masked = maskApiKey(apiKey);
  await ctx.db.transaction(async (tx) => {
    const before = await findMaskedKey(tx, programId);
    await replaceKey(tx, { programId, hash: hashApiKey(apiKey), masked }, ctx.now());
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
