import { createHash } from 'node:crypto';
import { APPLICATION_TOKEN_PREFIX, type TokenScope } from '@svc/contract';
import { insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { addDays } from '../../time.ts';
import { insertAccountToken, updateTokenRevoked } from '../account-token-store.ts';
import { reportSecurityChange } from '../report-security-change.ts';
import { hashSecretToken, newSecretToken } from '../secret-token.ts';
import { findUserForShare } from '../user-store.ts';
import { findWorkspaceMember } from '../workspaces/workspace-store.ts';
import { findCode, type OAuthCode, updateCodeToken, updateCodeUsed } from './oauth-code-store.ts';

export const APPLICATION_TOKEN_DAYS = 90;

export type IssuedToken = { token: string; scopes: TokenScope[] };

/** What an application sends for a token. */
export type Exchange = { code: string; clientHash: string; redirectUri: string; verifier: string };

/**
 * Exchanges a code for a token, once, with the application that it was issued to and that knows the verifier. A second
 * exchange ends the token: someone else may have made the first one (RFC 6749, section 4.1.2).
 */
export function connectApplication(ctx: Context, exchange: Exchange, requestId: string): Promise<IssuedToken | null> {
  const codeHash = hashSecretToken(exchange.code);
  return ctx.db.transaction(async (tx) => {
    const code = await findCode(tx, codeHash);
    if (!code || !isMadeBy(code, exchange)) return null;
    // A concurrent suspension waits for this transaction, and then ends the token too.
    const user = await findUserForShare(tx, code.userId);
    if (!user || user.suspendedAt) return null;
    const isFirst = code.expiresAt > ctx.now() && (await updateCodeUsed(tx, codeHash, ctx.now()));
    if (isFirst) return issueToken(tx, ctx, { code, codeHash, requestId });
    await endToken(tx, ctx.now(), { codeHash, requestId });
    return null;
  });
}

/** Whether the exchange comes from the application that the code is for, and with the secret that it kept (RFC 7636). */
function isMadeBy(code: OAuthCode, { clientHash, redirectUri, verifier }: Exchange): boolean {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return code.clientHash === clientHash && code.redirectUri === redirectUri && code.challenge === challenge;
}

type Issue = { code: OAuthCode; codeHash: string; requestId: string };

async function issueToken(tx: Queryable, ctx: Context, { code, codeHash, requestId }: Issue): Promise<IssuedToken> {
  const now = ctx.now();
  const { userId, clientName: name } = code;
  const { token, hash } = newSecretToken(APPLICATION_TOKEN_PREFIX);
  const expiresAt = addDays(now, APPLICATION_TOKEN_DAYS);
  const id = await insertAccountToken(tx, { userId, hash, name, expiresAt, grant: code }, now);
  await updateCodeToken(tx, codeHash, id);
  const workspaceId = (await findWorkspaceMember(tx, userId))?.workspaceId ?? null;
  const subject = { type: 'token', id, name } as const;
  const after = { expires_at: expiresAt, client: code.clientAddress, scopes: code.scopes };
  await insertAuditEvent(
    tx,
    { workspaceId, actor: { userId, requestId }, action: 'token.created', subject, after },
    now,
  );
  await reportSecurityChange(tx, ctx, userId, 'application_connected', name);
  return { token, scopes: code.scopes };
}

/** Ends the token of a code that was used before. */
async function endToken(tx: Queryable, now: Date, { codeHash, requestId }: Omit<Issue, 'code'>): Promise<void> {
  const code = await findCode(tx, codeHash);
  const token = code?.tokenId ? await updateTokenRevoked(tx, code.userId, code.tokenId, now) : null;
  if (!code?.tokenId || !token) return;
  const { userId, tokenId: id } = code;
  const workspaceId = (await findWorkspaceMember(tx, userId))?.workspaceId ?? null;
  const subject = { type: 'token', id, name: token.name } as const;
  const actor = { userId: null, requestId, kind: 'job', id: 'oauth' } as const;
  await insertAuditEvent(tx, { workspaceId, actor, action: 'token.revoked', subject }, now);
}
