import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { invitePartner } from '../../../../server/src/partners/joining/invite-partner.ts';
import { addNote } from '../../../../server/src/partners/notes/add-note.ts';
import { updateExternalId } from '../../../../server/src/partners/partner-store.ts';
import type { OwnedProgram } from '../../accounts.ts';
import { giveOwnersAnApp } from '../../authenticator.ts';
import { giveHeldMethod } from '../../payout-methods.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

const joan = () => ({ name: 'Joan', email: `${newId('joan')}@partner.test` });

export const PARTNER_REQUESTS: RequestParts = {
  bodies: {
    manageAddPartner: () => ({ ...joan(), external_id: newId('user') }),
    manageUpsertPartner: joan,
    manageUpdatePartner: () => ({ status: 'blocked' }),
    manageInvitePartners: () => ({ partners: [joan()] }),
    manageAddPartnerNote: () => ({ text: 'Met at the fair' }),
    manageAddAdjustment: (_service, { partnerId }) => ({
      partner_id: partnerId,
      amount_cents: 500,
      currency: 'USD',
      reason: 'Best review of the month',
    }),
    async manageLiftPayoutWait(service, created) {
      await giveHeldMethod(service, created);
      await giveOwnersAnApp(service, created.workspaceId);
      return { reason: 'They called us about it' };
    },
  },
  first: {
    async manageRevokePartnerInvitation(service, { workspaceId, partnerId }) {
      // The partner may have an account by now.
      const invited = { workspaceId, partnerId, email: 'a@partner.test', replacesAccount: true };
      await invitePartner(service.ctx, invited, OPERATOR);
    },
  },
  params: {
    partner_id: (_service, { partnerId }) => partnerId,
    note_id: noteIdOf,
    external_id: (service, created, routeId) =>
      routeId === 'managePartnerByExternalId' ? externalIdOf(service, created) : newId('user'),
  },
};

/** The id of a note about the program's partner. */
export async function noteIdOf(service: TestService, { program, partnerId, owner }: OwnedProgram): Promise<number> {
  const note = { programId: program.id, partnerId, text: 'Met at the fair' };
  const about = { workspaceId: program.workspaceId, name: 'Jane', actor: OPERATOR };
  return (await addNote(service.ctx, note, about, owner.userId)).id;
}

/** The brand's own id of the program's partner. */
async function externalIdOf(service: TestService, { program, partnerId }: TestProgram): Promise<string> {
  const externalId = newId('user');
  await updateExternalId(service.ctx.db, program.id, partnerId, externalId);
  return externalId;
}
