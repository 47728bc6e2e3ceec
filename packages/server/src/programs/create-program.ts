import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { newApiKey } from './api-key.ts';
import { insertKey } from './api-key-store.ts';
import { type NewProgram, type Program, withDefaults } from './program.ts';
import { countProgramsForUpdate, insertProgram } from './program-store.ts';
import { checkRate } from './rate.ts';

export type CreatedProgram = { program: Program; apiKey: string; masked: string };

/**
 * Creates a program with its first key, in a workspace that may have more. This is the only time the key can be read in
 * full.
 */
export function createProgram(
  ctx: Context & { maxPrograms: number },
  program: NewProgram,
  actor: Actor,
): Promise<CreatedProgram> {
  const { maxPrograms } = ctx;
  return ctx.db.transaction(async (tx) => {
    if ((await countProgramsForUpdate(tx, program.workspaceId)) >= maxPrograms)
      throw errors.tooManyPrograms(maxPrograms);
    return createProgramIn(tx, program, actor, ctx.now());
  });
}

/** Creates a program as part of a larger transaction. */
export async function createProgramIn(
  tx: Queryable,
  program: NewProgram,
  actor: Actor,
  now: Date,
): Promise<CreatedProgram> {
  const { apiKey, hash, masked } = newApiKey();
  const terms = withDefaults(program);
  checkRate(terms);
  const created = await insertProgram(tx, terms, now);
  await insertKey(tx, { programId: created.id, hash, masked, isTest: false }, now);
  const { id, workspaceId, name, domain, commissionType, commissionRate, currency } = created;
  const after = { name, domain, commission_type: commissionType, commission_rate: Number(commissionRate), currency };
  const subject = { type: 'program', id, name } as const;
  await insertAuditEvent(tx, { workspaceId, programId: id, actor, action: 'program.created', subject, after }, now);
  return { program: created, apiKey, masked };
}
