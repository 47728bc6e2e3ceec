import { errors, type RouteDefinition } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import type { BrowserSession } from './browser-session.ts';

/** How long a password, a code or a passkey proves who uses a session. */
const PROOF_MS = 10 * 60_000;

/** Refuses a session without a recent proof where the definition of the route asks for one. */
export function requireProofOf(session: BrowserSession, request: FastifyRequest, now: Date): void {
  const route = request.routeOptions.config.definition;
  if (route && asksForProof(route, request.body)) requireRecentProof(session, now);
}

export function requireRecentProof({ provedAt }: BrowserSession, now: Date): void {
  if (now.getTime() - provedAt.getTime() > PROOF_MS) throw errors.confirmationRequired();
}

/** Refuses a session in which no second factor was given recently. */
export function requireRecentFactor({ factorProvedAt }: BrowserSession, now: Date): void {
  const isRecent = factorProvedAt !== null && now.getTime() - factorProvedAt.getTime() <= PROOF_MS;
  if (!isRecent) throw errors.factorConfirmationRequired();
}

/** Whether the request is one for which the definition of the route asks for a proof. */
export function asksForProof({ proof }: Pick<RouteDefinition, 'proof'>, body: unknown): boolean {
  if (proof === undefined || proof === 'recent') return proof === 'recent';
  const sent = (body ?? {}) as Record<string, unknown>;
  if ('withFields' in proof) return proof.withFields.some((field) => sent[field] !== undefined);
  return 'whenTrue' in proof && sent[proof.whenTrue] !== undefined && sent[proof.whenTrue] !== false;
}
