import type { ServiceError } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { deviceHash } from '../../accounts/recovery/device.ts';
import { hasDevice } from '../../accounts/recovery/device-store.ts';
import type { TriedFrom } from '../../accounts/sign-in-attempt-store.ts';
import type { ServiceContext } from '../service-context.ts';
import type { BrowserSession } from './browser-session.ts';

/** A request to one of the sign-in routes. */
export type SignInCall = {
  request: FastifyRequest;
  fields: object;
  /** The session as it was before the library was called. */
  session: () => Promise<BrowserSession | null>;
  /** The attempts that this one was counted with, if the route tries a secret. */
  attempts?: Attempts | undefined;
  /** Whether the account had an authenticator app before, on the route that turns one on. */
  hadApp?: boolean;
};

/** The attempts at one secret, which have a limit of their own. */
export type Attempts = {
  key: string;
  /** The user whose code is tried. The library checks it for nobody else. */
  countedFor?: string;
  maxWaitMs?: number;
  refuse: (retryAfterSeconds: number) => ServiceError;
};

export type SignInRoute = {
  method: 'GET' | 'POST';
  path: string;
  /** Requests per minute from one address. */
  perMinute: number;
  /** The fields of the body that the library gets; none by default. */
  fields?: z.ZodType<object>;
  /** The secret that the request tries, if it tries one. Refused when nobody's is tried. */
  attempts?:
    | 'password of the fields'
    | 'password of the session'
    | ((ctx: ServiceContext, call: SignInCall) => Promise<Attempts>);
  /** Refuses what the library would allow. */
  before?: (ctx: ServiceContext, call: SignInCall) => Promise<void>;
  /** Whether all that the library and `after` write is one transaction, with the row in the audit log. */
  isAtomic?: true;
  /** Follows a success. */
  after?: (ctx: ServiceContext, call: SignInCall, response: Response) => Promise<void>;
};

/** Where a secret of the account is tried during a sign-in: on a device that it was used on before, or elsewhere. */
export async function triedFrom(
  ctx: ServiceContext,
  { request }: SignInCall,
  account: { userId: string } | { email: string },
): Promise<TriedFrom> {
  const knownDevice = deviceHash(request.headers['user-agent'] ?? '', request.ip);
  return (await hasDevice(ctx.db, account, knownDevice)) ? { knownDevice } : 'elsewhere';
}
