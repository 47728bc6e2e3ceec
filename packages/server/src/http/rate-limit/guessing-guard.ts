import { errors, ServiceError } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.ts';

const MAX_ADDRESSES = 10_000;

/**
 * Every token has to be looked up in the database to know whether it is valid. An address that exceeded its limit with unknown
 * tokens is refused without a lookup until its window ends.
 */
export function createGuessingGuard(now: () => Date) {
  const refusedUntil = new Map<string, number>();

  return {
    /** Refuses a token from an address that has guessed too often. */
    refuse(request: FastifyRequest): void {
      if (refusedUntil.size === 0 || request.headers.authorization === undefined) return;
      const address = clientAddress(request.ip);
      const secondsLeft = Math.ceil(((refusedUntil.get(address) ?? 0) - now().getTime()) / 1000);
      if (secondsLeft > 0) throw errors.rateLimited(secondsLeft);
      refusedUntil.delete(address);
    },
    /** Notes that the limit has refused a request; only one with an unknown token was a guess. */
    note(request: FastifyRequest, refusal: unknown): void {
      if (request.credential.is !== 'unknown' || !(refusal instanceof ServiceError)) return;
      if (refusedUntil.size >= MAX_ADDRESSES) refusedUntil.clear();
      const seconds = Number(refusal.parts.headers?.['Retry-After'] ?? 0);
      refusedUntil.set(clientAddress(request.ip), now().getTime() + seconds * 1000);
    },
  };
}
