import type { Context } from '../context.ts';
import { hashApiKey, maskApiKey, newApiKey } from './api-key.ts';
import { replaceKey } from './api-key-store.ts';
import type { NewProgram, Program } from './program.ts';
import { insertProgram } from './program-store.ts';

/** Creates a program with its first key, which is returned in full this one time. */
export async function createProgram(
  ctx: Context,
  program: NewProgram,
): Promise<{ program: Program; apiKey: string; masked: string }> {
  const apiKey = newApiKey();
  const masked = maskApiKey(apiKey);
  return ctx.db.transaction(async (tx) => {
    const created = await insertProgram(tx, program, ctx.now());
    await replaceKey(tx, { programId: created.id, hash: hashApiKey(apiKey), masked }, ctx.now());
    return { program: created, apiKey, masked };
  });
}
