import { type KeyProblem, keyRefusal, type RouteAuth, type RouteDefinition } from '@svc/contract';
import type { Credential } from './credential.ts';

type Requirement = { credential: Credential['is']; optional: boolean };

/** The credential that each kind of route requires; null where anyone may call, or where the route checks the caller itself. */
const REQUIREMENTS: Record<RouteAuth, Requirement | null> = {
  none: null,
  browser: null,
  'optional-key': { credential: 'program-key', optional: true },
  'program-key': { credential: 'program-key', optional: false },
  'account-token': { credential: 'account-token', optional: false },
  account: null,
};

/** Refuses a caller without the credential that the route requires, with the error that the route declares. */
export function requireCredential(route: RouteDefinition, credential: Credential): void {
  const required = REQUIREMENTS[route.auth];
  if (!required || credential.is === required.credential) return;
  if (required.optional && (credential.is === 'absent' || credential.is === 'empty')) return;
  throw keyRefusal(route, problemOf(credential));
}

function problemOf(credential: Credential): KeyProblem {
  if (credential.is === 'absent' || credential.is === 'malformed') return 'malformed';
  return credential.is === 'empty' ? 'empty' : 'unknown';
}
