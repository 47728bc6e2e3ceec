import type { Context } from '../context.ts';
import { type AttemptVerdict, judgeAttempt } from './attempt.ts';
import type { Attempt } from './call-kind.ts';
import { type Attempted, type Sending, updateAttempted } from './delivery-store.ts';
import { updateDisabled, updateHealth } from './endpoint-store.ts';
import { tellDisabled } from './tell-owners.ts';

type Judged = Attempt<Sending> & { verdict: AttemptVerdict };

/** Stores what became of attempts, and what that says about their endpoints. */
export async function storeAttempts(
  ctx: Pick<Context, 'db' | 'now' | 'mail'>,
  attempts: Attempt<Sending>[],
): Promise<void> {
  const now = ctx.now();
  const judged = attempts.map((attempt) => ({ ...attempt, verdict: judge(attempt, now) }));
  // What is no longer kept says nothing about its endpoint.
  const sent = judged.filter(({ call }) => call.event !== null);
  const arrived = endpointsOf(sent, (is) => is === 'delivered');
  const failed = endpointsOf(sent, (is) => is !== 'delivered').filter((id) => !arrived.includes(id));
  const gone = endpointsOf(sent, (is) => is === 'gone');
  await ctx.db.transaction(async (tx) => {
    // Deliveries first, in the order in which an endpoint is deleted with them.
    await Promise.all([updateAttempted(tx, judged.map(attempted)), updateHealth(tx, arrived, failed, now)]);
    if (gone.length > 0) await tellDisabled(ctx, tx, await updateDisabled(tx, gone, 'gone'), 'gone');
  });
}

function judge({ call, answer }: Attempt<Sending>, now: Date): AttemptVerdict {
  if (call.event === null) return { is: 'failed', error: answer.error ?? '' };
  return judgeAttempt(answer, call.attempts + 1, now, Math.random());
}

function attempted({ call: { id, event }, answer, verdict }: Judged): Attempted {
  if (verdict.is === 'delivered') return { id, status: 'delivered', dueAt: null, answer };
  const failed = { ...answer, error: verdict.error };
  if (verdict.is === 'retried') return { id, status: 'pending', dueAt: verdict.at, answer: failed, event };
  return { id, status: 'failed', dueAt: null, answer: failed };
}

function endpointsOf(judged: Judged[], isMeant: (verdict: AttemptVerdict['is']) => boolean): number[] {
  return [...new Set(judged.filter(({ verdict }) => isMeant(verdict.is)).map(({ call }) => call.endpointId))];
}
