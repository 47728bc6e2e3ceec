import { createHmac } from 'node:crypto';
import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Encryption } from '../encryption.ts';
import { isClaimFor, newClaim } from './claim-id.ts';
import { type CountedClaim, insertClaim } from './idempotency-store.ts';
import { spellingOf, valuesOf } from './values-of.ts';

export type IdempotencyContext = Context & {
  encryption: Encryption;
  idempotencySecret: string;
  /** How many bytes of answers are kept for a program, or for an account, in a day. */
  keptBytesPerDay: number;
};

export type NewRequest = {
  key: string;
  /** The credential, the route and its parameters: a key counts only for these. */
  within: string[];
  body: unknown;
  /** The program, where the answer may quote what the caller sent. */
  programId: number | null;
  userId: string | null;
  /** For whom the answer is counted. */
  owner: string;
  /** How large the answer may become. */
  reservedBytes: number;
};

/** The right to answer a request. */
export type Claim = CountedClaim;

export type Started =
  | { is: 'first'; claim: Claim }
  | { is: 'in_progress' }
  | { is: 'repeated'; status: number; answer: string };

/**
 * Claims the key for the request, or finds the first answer. A request with other values than the first one is refused, and so is
 * one whose answer could not be kept: it would be carried out again if it were repeated.
 */
export async function startRequest(ctx: IdempotencyContext, request: NewRequest): Promise<Started> {
  const { key, within, body, programId, userId, owner, reservedBytes } = request;
  const hash = (text: string) => createHmac('sha256', ctx.idempotencySecret).update(text).digest();
  const scope = hash(JSON.stringify([...within, key])).toString('base64url');
  const bodyHash = hash(spellingOf(body ?? {})).toString('base64url');
  const valuesHash = hash(valuesOf(body ?? {}));
  const claim = newClaim(valuesHash);
  const space = { owner, reservedBytes, bytesPerDay: ctx.keptBytesPerDay };
  const result = await insertClaim(ctx.db, { scope, bodyHash, programId, userId }, claim, space);
  if (result.is === 'claimed') return { is: 'first', claim: { scope, claim, owner, day: result.day, reservedBytes } };
  if (result.is === 'full') throw errors.keptAnswersFull(result.secondsToNextDay);
  const kept = result.answer;
  if (kept.bodyHash !== bodyHash && !isClaimFor(kept.claim, valuesHash)) throw errors.idempotencyKeyReused();
  if (kept.status === null || kept.sealed === null) return { is: 'in_progress' };
  return { is: 'repeated', status: kept.status, answer: ctx.encryption.open(kept.sealed) };
}
