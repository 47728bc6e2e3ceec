import { findProgram } from '../programs/program-store.ts';
import { repeatAccountErasure } from './erase-account.ts';
import { repeatErasure } from './erase-customer.ts';
import type { Erasure } from './erasure-store.ts';
import type { PrivacyContext } from './privacy-context.ts';

/** Repeats erasures on a store that may be older than they are, and returns how many people it erased again. */
export async function applyErasures(ctx: PrivacyContext, erasures: Erasure[]): Promise<number> {
  let erased = 0;
  for (const erasure of erasures) if (await applyErasure(ctx, erasure)) erased += 1;
  return erased;
}

async function applyErasure(ctx: PrivacyContext, erasure: Erasure): Promise<boolean> {
  if (erasure.programId === null) return repeatAccountErasure(ctx, erasure);
  const program = await findProgram(ctx.db, erasure.programId);
  return program !== null && repeatErasure(ctx, program, erasure);
}
