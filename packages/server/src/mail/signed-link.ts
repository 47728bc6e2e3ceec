import { createHmac } from 'node:crypto';
import { isOptionalMail, type OptionalMailKind } from '@svc/contract';
import { isSignature } from '../signature.ts';

/** Who no longer wants which kind of mail. */
export type Unsubscription = { userId: string; kind: OptionalMailKind };

/** The token of an unsubscribe link. It works forever, as people keep mails, and does nothing else. */
export function signUnsubscription(secret: string, { userId, kind }: Unsubscription): string {
  const text = Buffer.from(`${kind} ${userId}`).toString('base64url');
  return `${text}.${signature(secret, `unsubscribe ${text}`)}`;
}

export function readUnsubscription(secret: string, token: string): Unsubscription | null {
  const [text = '', signed = ''] = token.split('.');
  if (!isSignature(signed, signature(secret, `unsubscribe ${text}`))) return null;
  const [named = '', userId = ''] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const kind = RENAMED[named] ?? named;
  return isOptionalMail(kind) ? { userId, kind } : null;
}

/** Kinds that mails of earlier releases were sent as. Their links keep working. */
const RENAMED: Partial<Record<string, OptionalMailKind>> = { payout_paid: 'statement_ready' };

/** What a mailed invitation link has in addition to the one on the page: it shows that the address was reached. */
function signMailedToken(secret: string, token: string): string {
  return signature(secret, `mailed ${token}`);
}

/** The link of an invitation as it is mailed. */
export function mailedInviteUrl(
  { baseUrl, linkSecret }: { baseUrl: string; linkSecret: string },
  token: string,
): string {
  return `${baseUrl}/invite#${token}.${signMailedToken(linkSecret, token)}`;
}

/** Takes the link of an invitation apart. Tokens contain no dots. */
export function readInviteToken(linkSecret: string | undefined, given: string): { token: string; isMailed: boolean } {
  const [token = '', signed] = given.split('.');
  if (signed === undefined) return { token: given, isMailed: false };
  return { token, isMailed: linkSecret !== undefined && isSignature(signed, signMailedToken(linkSecret, token)) };
}

function signature(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}
