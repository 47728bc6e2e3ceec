import type { ReadinessReply } from '@svc/contract';
import type { Context } from '../context.ts';
import { findKeyRotatedAt } from '../programs/api-key-store.ts';
import type { Program } from '../programs/program.ts';
import { judgeReadiness } from './readiness.ts';
import { findSignals } from './readiness-facts-store.ts';

const POLL_SECONDS = 5;

/** Reports how far the program's integration has come. Writes nothing. */
export async function reportReadiness(ctx: Context, program: Program): Promise<ReadinessReply> {
  const [signals, keyRotatedAt] = await Promise.all([
    findSignals(ctx.db, program.id, ctx.now()),
    findKeyRotatedAt(ctx.db, program.id),
  ]);
  const { click, lead, sale } = signals.lastEventAt;
  return {
    program_id: program.id,
    ...judgeReadiness(program, signals),
    last_event_at: {
      click: click?.toISOString() ?? null,
      lead: lead?.toISOString() ?? null,
      sale: sale?.toISOString() ?? null,
    },
    counts_24h: signals.counts24h,
    key_rotated_at: keyRotatedAt?.toISOString() ?? null,
    poll: { retry_after_seconds: POLL_SECONDS },
  };
}
