import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { newSecretToken } from '../secret-token.ts';
import { hasSessionForShare } from '../sessions/session-store.ts';
import { findWorkspaceMember } from '../workspaces/workspace-store.ts';
import { type Grant, insertCode } from './oauth-code-store.ts';

/** Applications exchange a code as soon as they get it. */
const CODE_MS = 60_000;

type Approval = {
  userId: string;
  /** The session in which the user agrees. */
  sessionId: string;
  grant: Grant;
  /** Where the code is sent, and the hash of the secret that the application keeps to itself. */
  redirectUri: string;
  challenge: string;
};

/** Lets an application act for the user. Returns a code that only this application can exchange for its token, once. */
export async function createCode(ctx: Context, approval: Approval, actor: Actor): Promise<string> {
  const { token: code, hash: codeHash } = newSecretToken('');
  const { userId, sessionId, grant, redirectUri, challenge } = approval;
  const expiresAt = new Date(ctx.now().getTime() + CODE_MS);
  await ctx.db.transaction(async (tx) => {
    // A concurrent revocation either has ended the session, or waits for this transaction and then ends the code.
    if (!(await hasSessionForShare(tx, { userId, sessionId }, ctx.now()))) throw errors.notSignedIn();
    await insertCode(tx, { ...grant, codeHash, userId, redirectUri, challenge, expiresAt }, ctx.now());
    const workspaceId = (await findWorkspaceMember(tx, userId))?.workspaceId ?? null;
    // The token does not exist yet, and the code is a secret.
    const subject = { type: 'token', id: '', name: grant.clientName } as const;
    const after = { client: grant.clientAddress, scopes: grant.scopes };
    await insertAuditEvent(tx, { workspaceId, actor, action: 'token.approved', subject, after }, ctx.now());
  });
  return code;
}
