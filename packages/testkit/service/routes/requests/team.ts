import { invite } from '../../../../server/src/accounts/workspaces/invite.ts';
import { changeJoinPage } from '../../../../server/src/programs/change-join-page.ts';
import { memberOf } from '../../accounts.ts';
import type { TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';
import { JOIN_PAGE } from './programs.ts';

export const openInvitation = (service: TestService, workspaceId: number) =>
  invite(
    service.ctx.db,
    { workspaceId, partnerId: null, role: 'member', email: 'a@people.test', invitedBy: null },
    service.ctx.now(),
  );

export const TEAM_REQUESTS: RequestParts = {
  bodies: {
    manageInvite: () => ({ email: 'colleague@people.test' }),
    manageUpdateMember: () => ({ role: 'viewer' }),
    manageUpdateWorkspace: () => ({ name: newId('Acme') }),
    manageLookUpInvitation: async (service) => ({ token: await joinToken(service) }),
  },
  params: {
    user_id: async (service, { workspaceId }) => (await memberOf(service, workspaceId, 'member')).userId,
    invitation_id: async (service, { workspaceId }) => (await openInvitation(service, workspaceId)).invitation.id,
  },
};

/** The token of the join link of a program whose join page asks a question. */
async function joinToken(service: TestService): Promise<string> {
  const { program } = await service.program({ joining: 'open' });
  const questions = JOIN_PAGE.questions;
  const changed = await changeJoinPage(service.ctx, program.id, { questions }, { userId: 'nobody', requestId: null });
  return changed.program.joinToken;
}
