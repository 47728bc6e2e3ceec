import { errors, manageViewAsPartner } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { describePartner } from '../../../partners/describe-partner.ts';
import { recordView } from '../../../partners/record-view.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { signView } from '../../callers/view-token.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';
import { toJoinedReply, toProgramReply } from '../account/account.ts';
import { toShownMethod } from '../account/payout-method.ts';

export function addManageViewAsPartnerRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageViewAsPartner, async ({ program, userId, actor }, request) => {
    const { partner, method, invitedEmail } = await describePartner(ctx, program, idParam(request, 'partner_id'));
    if (partner.status !== 'active') throw errors.notFound();
    await recordView(ctx, program, partner, actor);
    const view = { userId, programId: program.id, partnerId: partner.id };
    const { token, expiresAt } = signView(ctx.linkSecret, view, ctx.now());
    const changedAt = partner.account_changed_at;
    return {
      data: {
        token,
        expires_at: expiresAt.toISOString(),
        name: partner.name,
        program: toProgramReply(ctx, program, 'partner'),
        membership: await toJoinedReply(ctx, {
          program,
          partnerId: partner.id,
          status: partner.status,
          accountChangedAt: changedAt === null ? null : new Date(changedAt),
          isChangePending: partner.has_account && invitedEmail !== null,
        }),
        payout_method: method && toShownMethod(method),
      },
    };
  });
}
