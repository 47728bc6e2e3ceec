import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { hashApiKey, maskApiKey, newApiKey } from './api-key.ts';
import { replaceKey } from './api-key-store.ts';
import { type NewProgram, type Program, withDefaults } from './program.ts';
import { insertProgram } from './program-store.ts';
import { checkRate } from './rate.ts';

export type CreatedProgram = { program: Program; apiKey: string; masked: string };

/** Creates a program with its first key. This is the only time the key can be read in full. */
export function createProgram(ctx: Context, program: NewProgram): Promise<CreatedProgram> {
  return ctx.db.transaction((tx) => createProgramIn(tx, program, ctx.now()));
}

/** Creates a program as part of a larger transaction. */
export async function createProgramIn(tx: Queryable, program: NewProgram, now: Date): Promise<CreatedProgram> {
  const apiKey = newApiKey();
  const masked = maskApiKey(apiKey);
  const terms = withDefaults(program);
  checkRate(terms);
  const created = await insertProgram(tx, terms, now);
  await replaceKey(tx, { programId: created.id, hash: hashApiKey(apiKey), masked }, now);
  return { program: created, apiKey, masked };
}
