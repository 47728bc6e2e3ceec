import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { regenerateKey } from '../../../server/src/programs/regenerate-key.ts';
import {
  idTokenOf,
  memberOf,
  newAccount,
  newToken,
  OWN_ORIGIN,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
  type SignedUp,
  signUp,
} from '../accounts.ts';
import { runOperator } from '../processes/operator.ts';
import type { CallOptions, TestService } from '../service.ts';
import type { Caller } from './rights.ts';

/** A program whose key has been replaced once. */
export type Stage = { made: OwnedProgram; replacedKey: string };

export async function newStage(service: TestService): Promise<Stage> {
  const made = await ownedProgram(service);
  const { apiKey } = await regenerateKey(service.ctx, made.program, OPERATOR);
  return { made: { ...made, apiKey }, replacedKey: made.apiKey };
}

/** Creates callers of every kind. Users who sign in by cookie are signed up once and moved from stage to stage. */
export function createCallers(service: TestService) {
  let owner: SignedUp | undefined;
  let suspended: SignedUp | undefined;

  async function byCookie(person: SignedUp, { made }: Stage): Promise<CallOptions> {
    await service.sql(`update workspace_members set advertiser_id = $2, role = 'owner' where user_id = $1`, [
      person.userId,
      made.workspaceId,
    ]);
    return { key: undefined, headers: { cookie: person.cookie, origin: OWN_ORIGIN } };
  }

  const make: Record<Caller, (stage: Stage) => Promise<CallOptions>> = {
    nobody: async () => ({ key: undefined }),
    unknownToken: async () => ({
      key: 'svc_at_nobody',
      headers: { cookie: '__Secure-svc.session_token=abc.def', origin: OWN_ORIGIN },
    }),
    owner: async ({ made }) => ({ key: made.owner.token }),
    async ownerByCookie(stage) {
      owner ??= await signUp(service);
      return byCookie(owner, stage);
    },
    member: async ({ made }) => ({ key: (await memberOf(service, made.workspaceId, 'member')).token }),
    finance: async ({ made }) => ({ key: (await memberOf(service, made.workspaceId, 'finance')).token }),
    viewer: async ({ made }) => ({ key: (await memberOf(service, made.workspaceId, 'viewer')).token }),
    partner: async ({ made }) => ({ key: (await partnerAccount(service, made.partnerId)).token }),
    async blockedPartner({ made }) {
      const { partnerId } = await service.partner(made.program);
      const { token } = await partnerAccount(service, partnerId);
      await service.sql(`update memberships set status = 'blocked' where partner_id = $1`, [partnerId]);
      return { key: token };
    },
    outsider: async () => ({ key: (await newAccount(service)).token }),
    otherOwner: async () => ({ key: (await ownedProgram(service)).owner.token }),
    async removedMember({ made }) {
      const { userId, token } = await memberOf(service, made.workspaceId);
      await service.call('DELETE', `/api/v1/manage/members/${userId}`, { key: made.owner.token });
      return { key: token };
    },
    async suspended({ made }) {
      const { email, token } = await memberOf(service, made.workspaceId);
      await runOperator(service, 'suspend-account', '--email', email);
      return { key: token };
    },
    async suspendedByCookie(stage) {
      suspended ??= await signUp(service);
      await runOperator(service, 'suspend-account', '--email', suspended.email);
      return byCookie(suspended, stage);
    },
    async revokedToken({ made }) {
      const key = await newToken(service, made.owner.userId);
      await service.call('POST', '/api/v1/manage/logout', { key });
      return { key };
    },
    async expiredToken({ made }) {
      const key = await newToken(service, made.owner.userId);
      await service.sql('update account_tokens set expires_at = $1 where id = (select max(id) from account_tokens)', [
        service.time,
      ]);
      return { key };
    },
    idToken: async ({ made }) => ({ key: await idTokenOf(service, made.owner.userId) }),
    programKey: async ({ made }) => ({ key: made.apiKey }),
    otherKey: async () => ({ key: (await service.program()).apiKey }),
    replacedKey: async ({ replacedKey }) => ({ key: replacedKey }),
  };
  return make;
}
