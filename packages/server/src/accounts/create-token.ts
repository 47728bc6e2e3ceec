import {
  DEFAULT_TOKEN_DAYS,
  errors,
  MAX_TOKENS,
  SCOPED_TOKEN_PREFIX,
  TOKEN_SCOPES,
  type TokenScope,
} from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { addDays, DAY_MS } from '../time.ts';
import { countCreatedTokens, hasTokenForShare, insertAccountToken } from './account-token-store.ts';
import { reportSecurityChange } from './report-security-change.ts';
import { newSecretToken } from './secret-token.ts';
import { hasSessionForShare } from './sessions/session-store.ts';
import { findUserForUpdate } from './user-store.ts';
import { type CurrentMember, findWorkspaceMember } from './workspaces/workspace-store.ts';

type WantedToken = {
  name: string;
  scopes: TokenScope[];
  /** 0: until it is revoked. Absent: as long as is usual. */
  expiresInDays: number | undefined;
  /** The only program that it is to work for; `workspaceId` is null if there is no such program. */
  program: { id: number; workspaceId: number | null } | null;
};

/** What the user acts by: a session, or the token of a terminal, which ends by itself. */
export type TokenCreator = { actor: Actor } & ({ sessionId: string } | { tokenId: number; expiresAt: Date });

type CreatedToken = { id: number; token: string; scopes: TokenScope[]; expiresAt: Date | null };

/**
 * Creates a token of the account with a purpose, and returns it, the only time that it can be read. It may do less than its
 * creator, and does not expire later than a token that creates it. Revoking that token does not revoke this one.
 */
export function createToken(
  ctx: Context,
  userId: string,
  wanted: WantedToken,
  creator: TokenCreator,
): Promise<CreatedToken> {
  const now = ctx.now();
  return ctx.db.transaction(async (tx) => {
    // Creations wait for each other, and so does a suspension, which then ends this token too.
    const user = await findUserForUpdate(tx, userId);
    if (!user || user.suspendedAt || !(await isPresent(tx, userId, creator, now))) throw errors.notSignedIn();
    const member = await findWorkspaceMember(tx, userId);
    requireRights(wanted, member);
    if ((await countCreatedTokens(tx, userId, now)) >= MAX_TOKENS) throw errors.tooManyTokens(MAX_TOKENS);
    const { name, program } = wanted;
    const programId = program?.id ?? null;
    const scopes = TOKEN_SCOPES.filter(
      (scope) => wanted.scopes.includes(scope) || (scope === 'read' && wanted.scopes.includes('write')),
    );
    const expiresAt = expiryOf(wanted, creator, now);
    const { token, hash } = newSecretToken(SCOPED_TOKEN_PREFIX);
    const id = await insertAccountToken(tx, { userId, hash, name, expiresAt, scopes, programId }, now);
    const subject = { type: 'token', id, name } as const;
    const after = { expires_at: expiresAt, scopes, program_id: programId };
    const workspaceId = member?.workspaceId ?? null;
    await insertAuditEvent(tx, { workspaceId, actor: creator.actor, action: 'token.created', subject, after }, now);
    await reportSecurityChange(tx, ctx, userId, 'scoped_token_created', name);
    return { id, token, scopes, expiresAt };
  });
}

/** Whether what the user acts by has not ended meanwhile. */
function isPresent(tx: Queryable, userId: string, creator: TokenCreator, now: Date): Promise<boolean> {
  if ('sessionId' in creator) return hasSessionForShare(tx, { userId, sessionId: creator.sessionId }, now);
  return hasTokenForShare(tx, { userId, tokenId: creator.tokenId }, now);
}

/** A program of the user's own workspace. What reports events, or does not expire, is for owners, as program keys are. */
function requireRights({ scopes, expiresInDays, program }: WantedToken, member: CurrentMember | null): void {
  if (program && (program.workspaceId === null || program.workspaceId !== member?.workspaceId)) {
    throw errors.tokenProgram();
  }
  const isForOwners = scopes.includes('track') || expiresInDays === 0;
  if (!isForOwners) return;
  if (member?.needsSecondFactor) throw errors.secondFactorRequired();
  if (member?.role !== 'owner') throw errors.roleRequired('owner');
}

function expiryOf({ expiresInDays }: WantedToken, creator: TokenCreator, now: Date): Date | null {
  const asked = expiresInDays === 0 ? null : addDays(now, expiresInDays ?? DEFAULT_TOKEN_DAYS);
  if ('sessionId' in creator || (asked !== null && asked <= creator.expiresAt)) return asked;
  if (expiresInDays === undefined) return creator.expiresAt;
  throw errors.tokenOutlives(Math.floor((creator.expiresAt.getTime() - now.getTime()) / DAY_MS));
}
