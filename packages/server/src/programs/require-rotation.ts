import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { queueMailToAll } from '../mail/queue-mail.ts';
import { listOwnerIds } from '../mail/recipient-store.ts';
import type { MarkedKey } from './api-key.ts';
import { updateKeyRotation } from './api-key-store.ts';
import type { Program } from './program.ts';

/** Marks the program's key: every reply warns until `rotateBy`, and from then on the key is refused. */
export async function requireRotation(
  ctx: Context,
  { id: programId, workspaceId, name }: Pick<Program, 'id' | 'workspaceId' | 'name'>,
  rotateBy: Date,
  actor: Actor,
): Promise<MarkedKey | null> {
  if (rotateBy <= ctx.now()) throw errors.rotateByPassed();
  return ctx.db.transaction(async (tx) => {
    const key = await updateKeyRotation(tx, programId, ctx.now(), rotateBy);
    if (!key) return null;
    const subject = { type: 'program', id: programId, name } as const;
    const after = { api_key_masked: key.masked, rotate_by: rotateBy };
    const action = 'key.rotation_required';
    await insertAuditEvent(tx, { workspaceId, programId, actor, action, subject, after }, ctx.now());
    if (ctx.mail) {
      const fields = { rotateBy: rotateBy.toISOString() };
      const mail = { kind: 'key_deadline', cause: `${programId} ${fields.rotateBy}`, programId, fields } as const;
      await queueMailToAll(tx, ctx, await listOwnerIds(tx, workspaceId), mail);
    }
    return key;
  });
}
