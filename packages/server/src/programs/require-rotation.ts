import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { MarkedKey } from './api-key.ts';
import { updateKeyRotation } from './api-key-store.ts';

/** Marks the program's key: every reply warns until `rotateBy`, and from then on the key is refused. */
export async function requireRotation(ctx: Context, programId: number, rotateBy: Date): Promise<MarkedKey | null> {
  if (rotateBy <= ctx.now()) throw errors.rotateByPassed();
  return updateKeyRotation(ctx.db, programId, ctx.now(), rotateBy);
}
