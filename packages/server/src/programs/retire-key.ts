import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { listKeys, lockKeys, updateKeyRetired } from './api-key-store.ts';
import type { Program } from './program.ts';

/** Ends a key of the program for good. At least one live key goes on working, however many are retired at once. */
export async function retireKey(
  ctx: Context,
  { id: programId, workspaceId, name }: Pick<Program, 'id' | 'workspaceId' | 'name'>,
  keyId: number,
  actor: Actor,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockKeys(tx, programId);
    const key = await updateKeyRetired(tx, programId, keyId, ctx.now());
    if (!key) {
      const isThere = (await listKeys(tx, programId)).some(({ id }) => id === keyId);
      throw isThere ? errors.lastKey() : errors.notFound();
    }
    const subject = { type: 'program', id: programId, name } as const;
    const before = { api_key_masked: key.masked, mode: key.isTest ? 'test' : 'live' };
    await insertAuditEvent(tx, { workspaceId, programId, actor, action: 'key.retired', subject, before }, ctx.now());
  });
}
