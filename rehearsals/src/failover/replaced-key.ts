import { setTimeout as sleep } from 'node:timers/promises';
import { silentLog } from '@svc/bench/store';
import { OPERATOR } from '@svc/server/audit/audit-store';
import { openPostgres } from '@svc/server/db/engines/postgres';
import { findProgram } from '@svc/server/programs/program-store';
import { regenerateKey } from '@svc/server/programs/regenerate-key';
import type { Node } from '../shop/nodes.ts';

const LIMIT_MS = 30_000;
const ASK_EVERY_MS = 50;

export type KeyedProgram = { programId: number; apiKey: string };

/** Whether the node knows the key: it refuses a sale of somebody unknown, and not its caller. */
export async function acceptsKey({ url }: Node, apiKey: string): Promise<'accepted' | 'refused' | 'unknown'> {
  const answer = await fetch(`${url}/api/v1/track/sale`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ customer_key: 'nobody', amount_cents: 100, transaction_id: 'nothing' }),
    signal: AbortSignal.timeout(LIMIT_MS),
  }).catch(() => null);
  await answer?.body?.cancel();
  if (answer?.status === 401) return 'refused';
  return answer && answer.status < 500 ? 'accepted' : 'unknown';
}

/** Replaces the key in the database. Returns the new one, and when the old one ended. */
export async function replaceKey(
  { programId }: KeyedProgram,
  databaseUrl: string,
): Promise<{ apiKey: string; replacedAt: number }> {
  const db = openPostgres(databaseUrl);
  try {
    const program = await findProgram(db, programId);
    if (!program) throw new Error(`Program ${programId} is not on the new primary`);
    const { apiKey } = await regenerateKey({ db, now: () => new Date(), log: silentLog }, program, OPERATOR);
    return { apiKey, replacedAt: performance.now() };
  } finally {
    await db.close();
  }
}

/**
 * Asks a node again and again until it refuses the key. Returns for how long after `since` there were requests that it still
 * accepted, by the time they were sent.
 */
export async function watchKey(node: Node, apiKey: string, since: number): Promise<number> {
  const asked: Promise<void>[] = [];
  let acceptedMs = 0;
  let isRefused = false;
  const ask = async () => {
    const sentAt = performance.now();
    const answer = await acceptsKey(node, apiKey);
    if (answer === 'refused') isRefused = true;
    if (answer === 'accepted') acceptedMs = Math.max(acceptedMs, sentAt - since);
  };
  while (!isRefused) {
    if (performance.now() - since > LIMIT_MS) throw new Error(`${node.url} does not refuse a replaced key`);
    asked.push(ask());
    await sleep(ASK_EVERY_MS);
  }
  await Promise.all(asked);
  return acceptedMs;
}
