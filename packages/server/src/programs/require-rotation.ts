import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { queueMailToAll } from '../mail/queue-mail.ts';
import { listOwnerIds } from '../mail/recipient-store.ts';
import type { MarkedKey } from './api-key.ts';
import { updateKeyRotation } from './api-key-store.ts';
import { findProgram } from './program-store.ts';

/** Marks the program's key: every reply warns until `rotateBy`, and from then on the key is refused. */
export async function requireRotation(ctx: Context, programId: number, rotateBy: Date): Promise<MarkedKey | null> {
  if (rotateBy <= ctx.now()) throw errors.rotateByPassed();
  return ctx.db.transaction(async (tx) => {
    const key = await updateKeyRotation(tx, programId, ctx.now(), rotateBy);
    const program = key && ctx.mail && (await findProgram(tx, programId));
    if (program) {
      const deadline = rotateBy.toISOString();
      const mail = {
        kind: 'key_deadline',
        cause: `${programId} ${deadline}`,
        programId,
        fields: { rotateBy: deadline },
      } as const;
      await queueMailToAll(tx, ctx, await listOwnerIds(tx, program.workspaceId), mail);
    }
    return key;
  });
}
