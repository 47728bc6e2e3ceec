import type { AccountToken } from '../../accounts/account-token-store.ts';
import { findWorkspaceMember } from '../../accounts/workspaces/workspace-store.ts';
import type { ProgramKey } from '../../programs/api-key.ts';
import type { ServiceContext } from '../service-context.ts';

/**
 * What a token with the scope `track` is as a key of its program. Null for other tokens, and if its user is not an owner of the
 * program's workspace any longer: reporting events is as good as having a key.
 */
export async function keyOfToken(ctx: ServiceContext, token: AccountToken): Promise<ProgramKey | null> {
  const { programId, scopes, userId, suspendedAt } = token;
  if (programId === null || !scopes?.includes('track') || suspendedAt) return null;
  const [program, member] = await Promise.all([ctx.lookup.program(programId), findWorkspaceMember(ctx.db, userId)]);
  if (!program || member?.workspaceId !== program.workspaceId) return null;
  if (member.role !== 'owner' || member.needsSecondFactor) return null;
  return {
    ...{ id: token.id, programId, hash: '', masked: token.name ?? '', isTest: false },
    ...{ createdAt: program.createdAt, markedAt: null, rotateBy: null, lastUsedAt: token.lastUsedAt },
  };
}
