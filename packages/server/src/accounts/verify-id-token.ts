import { email as emailAddress, identifier, MAX_IDENTIFIER_CHARS, personName } from '@svc/contract';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';

/** A user of the outside issuer with a verified e-mail. */
export type OutsideIdentity = { from: 'outside'; issuer: string; subject: string; email: string; name: string };

/** Whom an id token identifies: a user of this service in one of their sessions, or one of the outside issuer. */
export type Identity = { from: 'here'; userId: string; sessionId: string } | OutsideIdentity;

export type OutsideIssuer = { issuer: string; audience: string };

export type IdTokenVerifier = (idToken: string) => Promise<Identity | null>;

const outsideSubject = identifier('sub').min(1);

type Options = { baseUrl: string; ownKeys: () => Promise<JSONWebKeySet>; outside: OutsideIssuer | undefined };

/**
 * Verifies id tokens against the keys of their issuer; null for every token that is not valid. Throws when the keys cannot
 * be fetched.
 */
export function createIdTokenVerifier({ baseUrl, ownKeys, outside }: Options): IdTokenVerifier {
  const outsideKeys = outside ? discoverKeys(outside.issuer) : undefined;
  return async (idToken) => {
    const keys = createLocalJWKSet(await ownKeys());
    try {
      const { payload } = await jwtVerify(idToken, keys, { issuer: baseUrl, audience: baseUrl });
      const { sub: userId, sid: sessionId } = payload;
      return userId && typeof sessionId === 'string' ? { from: 'here', userId, sessionId } : null;
    } catch {
      return outside && outsideKeys ? verifyOutside(idToken, outside, outsideKeys) : null;
    }
  };
}

async function verifyOutside(idToken: string, outside: OutsideIssuer, keys: JWTVerifyGetKey): Promise<Identity | null> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: outside.issuer,
      audience: outside.audience,
      algorithms: ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'],
      requiredClaims: ['exp', 'sub'],
    });
    // An address that the issuer has not verified could be anyone's.
    if (payload.email_verified !== true) return null;
    const [email, subject] = [emailAddress.safeParse(payload.email), outsideSubject.safeParse(payload.sub)];
    if (!email.success || !subject.success) return null;
    const name = personName.safeParse(payload.name);
    return {
      from: 'outside',
      issuer: outside.issuer,
      subject: subject.data,
      email: email.data.toLowerCase(),
      name: name.success ? name.data : email.data.slice(0, MAX_IDENTIFIER_CHARS),
    };
  } catch (error) {
    // The token is invalid. Any other error means that the issuer did not answer, which says nothing about the token.
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return null;
    throw error;
  }
}

/** Finds the issuer's keys on first use, through its discovery document. */
function discoverKeys(issuer: string): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    keys ??= findKeys(issuer).catch((error) => {
      keys = undefined;
      throw error;
    });
    return (await keys)(header, token);
  };
}

async function findKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  });
  const { jwks_uri: jwksUri } = (await response.json()) as { jwks_uri?: string };
  const url = new URL(jwksUri ?? '');
  if (url.protocol !== new URL(issuer).protocol)
    throw new Error('The issuer publishes its keys over a different protocol');
  return createRemoteJWKSet(url, { timeoutDuration: 5_000 });
}
