import { ACCOUNT_TOKEN_PREFIX } from '@svc/contract';
import type { AccountToken } from '../accounts/account-token-store.ts';
import { isKeyShaped, type ProgramKey } from '../programs/api-key.ts';

/** What the Authorization header of a request says, before anybody asks whether it may. */
export type Credential =
  | { is: 'absent' | 'malformed' | 'empty' | 'unknown' }
  | { is: 'program-key'; key: ProgramKey }
  | { is: 'account-token'; token: AccountToken };

export type CredentialSource = {
  key(token: string): Promise<ProgramKey | null>;
  accountToken(token: string): Promise<AccountToken | null>;
};

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
  if (text.startsWith(ACCOUNT_TOKEN_PREFIX) && text.length < 100) {
    const token = await source.accountToken(text);
    return token ? { is: 'account-token', token } : { is: 'unknown' };
  }
  return { is: 'unknown' };
}

/** What counts a caller against the limits of its own; undefined for callers nobody knows. */
export function callerKey(credential: Credential): string | undefined {
  if (credential.is === 'program-key') return `key:${credential.key.id}`;
  if (credential.is === 'account-token') return `account:${credential.token.id}`;
  return undefined;
}
