import { manageInvitePartners } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { invitePartners } from '../../../partners/joining/invite-partners.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { inviteUrl } from '../team/invitations.ts';

export function addManageBulkInvitationRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageInvitePartners, async ({ program, actor }, request) => {
    const { partners, dry_run: isDryRun } = bodyOf(manageInvitePartners, request);
    const rows = await invitePartners(ctx, program, partners, { isDryRun, actor });
    return {
      data: rows.map(({ outcome, message, partnerId, token, isMailed, mailRefusal }, row) => ({
        row,
        outcome,
        message,
        partner_id: partnerId,
        invite_url: token && inviteUrl(ctx, token),
        mailed: isMailed,
        mail_refusal: mailRefusal,
      })),
    };
  });
}
