import type { Context } from '../context.ts';
import type { ProgramKey } from './api-key.ts';
import { updateKeyRotation } from './api-key-store.ts';

/** Marks the program's key: it warns on every answer until `rotateBy` and is refused afterwards. */
export async function requireRotation(ctx: Context, programId: number, rotateBy: Date): Promise<ProgramKey | null> {
  return updateKeyRotation(ctx.db, programId, ctx.now(), rotateBy);
}
