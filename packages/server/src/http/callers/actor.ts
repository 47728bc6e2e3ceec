import type { FastifyRequest } from 'fastify';
import type { User } from '../../accounts/user-store.ts';
import type { Actor } from '../../audit/audit-store.ts';

/** The signed-in user as the audit log names them: by their session, or by the account token of the request. */
export function actorOf({ credential, id: requestId }: FastifyRequest, { id: userId, name }: User): Actor {
  if (credential.is !== 'account-token') return { kind: 'person', userId, id: userId, name, requestId };
  const { id, programId } = credential.token;
  return { kind: 'token', userId, id, name, requestId, ...(programId !== null && { onlyProgramId: programId }) };
}

/** The program key of the request, or the token that is used like one, as the audit log names it. */
export function keyActorOf({ credential, id: requestId }: FastifyRequest): Actor {
  if (credential.is !== 'program-key') throw new Error('The request has no program key');
  const { token } = credential;
  if (token) return { kind: 'token', userId: token.userId, id: token.id, requestId };
  return { kind: 'key', userId: null, id: credential.key.id, name: credential.key.masked, requestId };
}
