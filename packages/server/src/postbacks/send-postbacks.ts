import { errors, fillPostback, type PostbackCallRow, SAMPLE_POSTBACK } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { queueMailToPartner } from '../mail/queue-mail.ts';
import { CallFailed, type CallOut } from '../outbound/call-out.ts';
import { type Answer, type AttemptVerdict, judgeAttempt } from '../webhooks/attempt.ts';
import type { Attempt, CallKind } from '../webhooks/call-kind.ts';
import { DISABLE_AFTER_MS } from '../webhooks/failing.ts';
import {
  type AttemptedCall,
  findCall,
  findNextDueCall,
  insertTestCall,
  listDueCalls,
  listDueHosts,
  type PostbackCall,
  updateAttempted,
} from './call-store.ts';
import { type PostbackOwner, updateDisabled, updateHealth } from './postback-store.ts';

export type SendingContext = Pick<Context, 'db' | 'now' | 'log' | 'mail'> & { callOut: CallOut };

const HEADERS = { 'user-agent': 'svc-postbacks' };
/** Servers refuse longer URLs anyway. */
const MAX_FILLED_CHARS = 8_000;
/** So many attempts that no other one follows. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Calls that tell partners about their commissions. */
export function postbackCalls(ctx: SendingContext): CallKind<PostbackCall> {
  return {
    name: 'postback',
    listDueHosts: (now) => listDueHosts(ctx.db, now),
    listDue: (host, now, listed) => listDueCalls(ctx.db, host, now, listed),
    send: (call) => callPostback(ctx, call),
    store: (attempts) => storeCalls(ctx, attempts),
    findNextDue: () => findNextDueCall(ctx.db),
  };
}

/** Calls a postback with made-up values at once, also a disabled one, and returns how it went. */
export async function testPostback(ctx: SendingContext, owner: PostbackOwner): Promise<PostbackCallRow> {
  const values = { ...SAMPLE_POSTBACK, event: 'test', happened_at: ctx.now().toISOString() };
  const call = await insertTestCall(ctx.db, owner, values, ctx.now());
  if (!call) throw errors.notFound();
  const answer = await callPostback(ctx, call);
  const verdict = judgeAttempt(answer, LAST, ctx.now(), 0);
  await updateAttempted(ctx.db, [attemptedOf({ call, answer, verdict })], ctx.now());
  return findCall(ctx.db, call.id);
}

/** One call. Whatever happens is an answer. */
async function callPostback({ callOut, log }: SendingContext, call: PostbackCall): Promise<Answer> {
  try {
    const url = fillPostback(call.url, call.values);
    if (url.length > MAX_FILLED_CHARS) {
      return notHeard(`With its values, the URL is longer than ${MAX_FILLED_CHARS} characters.`);
    }
    const { status, headers } = await callOut.call({ method: call.method, url, headers: HEADERS });
    return { status, headers, body: null, error: null };
  } catch (error) {
    if (error instanceof CallFailed) return notHeard(error.message);
    log.error({ err: error, call: call.id }, 'A postback could not be called');
    return notHeard('The service could not call the URL because of an internal error.');
  }
}

const notHeard = (error: string): Answer => ({ status: null, headers: null, body: null, error });

type Judged = Attempt<PostbackCall> & { verdict: AttemptVerdict };

function attemptedOf({ call, answer, verdict }: Judged): AttemptedCall {
  if (verdict.is === 'delivered') return { call, status: 'delivered', dueAt: null, answer };
  const failed = { ...answer, error: verdict.error };
  if (verdict.is === 'retried') return { call, status: 'pending', dueAt: verdict.at, answer: failed };
  return { call, status: 'failed', dueAt: null, answer: failed };
}

/**
 * Stores what became of calls. A postback is disabled if its receiver wants no more, or if nothing but failures has
 * come back for days; its partner is mailed.
 */
async function storeCalls(ctx: SendingContext, attempts: Attempt<PostbackCall>[]): Promise<void> {
  const now = ctx.now();
  const judged = attempts.map((attempt): Judged => {
    const verdict = judgeAttempt(attempt.answer, attempt.call.attempts + 1, now, Math.random());
    return { ...attempt, verdict };
  });
  const postbacksOf = (fits: (is: AttemptVerdict['is']) => boolean) => [
    ...new Set(judged.filter(({ verdict }) => fits(verdict.is)).map(({ call }) => call.endpointId)),
  ];
  const arrived = postbacksOf((is) => is === 'delivered');
  const failed = postbacksOf((is) => is !== 'delivered').filter((id) => !arrived.includes(id));
  const gone = postbacksOf((is) => is === 'gone');
  await ctx.db.transaction(async (tx) => {
    // Postbacks first, in the order in which one is deleted with its calls.
    await updateHealth(tx, arrived, failed, now);
    await updateAttempted(tx, judged.map(attemptedOf), now);
    await disable(ctx, tx, gone, 'gone', 0);
    await disable(ctx, tx, failed, 'failing', DISABLE_AFTER_MS);
  });
}

async function disable(
  ctx: SendingContext,
  tx: Transaction,
  postbackIds: number[],
  reason: 'gone' | 'failing',
  failingMs: number,
): Promise<void> {
  if (postbackIds.length === 0) return;
  for (const { id, programId, partnerId } of await updateDisabled(tx, postbackIds, reason, failingMs)) {
    const cause = `${id} ${ctx.now().toISOString()}`;
    await queueMailToPartner(tx, ctx, partnerId, { kind: 'postback_disabled', cause, programId, fields: { reason } });
  }
}
