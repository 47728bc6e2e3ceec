import type { Context } from '../context.ts';
import { hashApiKey, maskApiKey, newApiKey } from './api-key.ts';
import { replaceKey } from './api-key-store.ts';

/** Replaces the program's key and returns the new one, the only time it can be read. The old key stops immediately. */
export async function regenerateKey(ctx: Context, programId: number): Promise<{ apiKey: string; masked: string }> {
  const apiKey = newApiKey();
  const masked = maskApiKey(apiKey);
  await ctx.db.transaction((tx) => replaceKey(tx, { programId, hash: hashApiKey(apiKey), masked }, ctx.now()));
  return { apiKey, masked };
}
