import { ACCOUNT_TOKEN_PREFIX, APPLICATION_TOKEN_PREFIX, SCOPED_TOKEN_PREFIX } from '@svc/contract';
import type { AccountToken } from '../../accounts/account-token-store.ts';
import { isKeyShaped, type ProgramKey } from '../../programs/api-key.ts';

/** What the Authorization header holds, before a route decides whether that is enough. */
export type Credential =
  | { is: 'absent' | 'malformed' | 'empty' | 'unknown' }
  /** With a `token` if that is used like a key of its program. */
  | { is: 'program-key'; key: ProgramKey; token?: AccountToken }
  | { is: 'account-token'; token: AccountToken }
  /** Works only at the address that it was given for, and through what is called from there. */
  | { is: 'application-token'; token: AccountToken };

/** Whether the request carries a test key, which makes everything that it reports a test event. */
export const hasTestKey = ({ credential }: { credential: Credential | undefined }) =>
  credential?.is === 'program-key' && credential.key.isTest;

export type CredentialSource = {
  key(token: string): Promise<ProgramKey | null>;
  accountToken(token: string): Promise<AccountToken | null>;
};

const TOKEN_PREFIXES = [ACCOUNT_TOKEN_PREFIX, SCOPED_TOKEN_PREFIX, APPLICATION_TOKEN_PREFIX];

/** Reads the header and looks up the key or token in it. */
export async function readCredential(header: string | undefined, source: CredentialSource): Promise<Credential> {
  if (header === undefined) return { is: 'absent' };
  const match = /^Bearer(?:\s+(.*))?$/i.exec(header.trim());
  if (!match) return { is: 'malformed' };
  const text = (match[1] ?? '').trim();
  if (text === '') return { is: 'empty' };
  if (isKeyShaped(text)) {
    const key = await source.key(text);
    return key ? { is: 'program-key', key } : { is: 'unknown' };
  }
  if (TOKEN_PREFIXES.some((prefix) => text.startsWith(prefix)) && text.length < 100) {
    const token = await source.accountToken(text);
    if (!token) return { is: 'unknown' };
    return { is: token.audience === null ? 'account-token' : 'application-token', token };
  }
  return { is: 'unknown' };
}
