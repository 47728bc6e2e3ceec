import { createHmac, randomUUID } from 'node:crypto';
import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Encryption } from '../encryption.ts';
import { insertClaim } from './idempotency-store.ts';

export type IdempotencyContext = Context & { encryption: Encryption; idempotencySecret: string };

export type NewRequest = {
  key: string;
  /** The credential, the route and its parameters: a key counts only for these. */
  within: string[];
  body: unknown;
  /** The program, where the answer may quote what the caller sent. */
  programId: number | null;
  userId: string | null;
};

/** The right to answer a request. */
export type Claim = { scope: string; claim: string };

export type Started =
  | { is: 'first'; claim: Claim }
  | { is: 'in_progress' }
  | { is: 'repeated'; status: number; answer: string };

/** Claims the key for the request, or finds the first answer. A request that differs from the first one is refused. */
export async function startRequest(ctx: IdempotencyContext, request: NewRequest): Promise<Started> {
  const { key, within, body, programId, userId } = request;
  const hash = (value: unknown) => createHmac('sha256', ctx.idempotencySecret).update(JSON.stringify(value)).digest();
  const scope = hash([...within, key]).toString('base64url');
  const bodyHash = hash(body ?? {}).toString('base64url');
  const claim = { scope, claim: randomUUID() };
  const kept = await insertClaim(ctx.db, { scope, bodyHash, programId, userId }, claim.claim);
  if (!kept) return { is: 'first', claim };
  if (kept.bodyHash !== bodyHash) throw errors.idempotencyKeyReused();
  if (kept.status === null || kept.sealed === null) return { is: 'in_progress' };
  return { is: 'repeated', status: kept.status, answer: ctx.encryption.open(kept.sealed) };
}
