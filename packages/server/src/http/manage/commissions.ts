import {
  manageApprove,
  manageApproveMany,
  manageCommissions,
  manageReject,
  manageRejectMany,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { type ListedCommission, listCommissions } from '../../commissions/commission-list-store.ts';
import { reviewCommission, reviewCommissions } from '../../commissions/review-commissions.ts';
import { cursorOf, lastRowOfCursor } from '../../reporting/cursor.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { commissionFilter } from './list-filters.ts';
import { pageOf } from './page-of.ts';

export function addManageCommissionRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCommissions, async (access, request) => {
    const query = queryOf(manageCommissions, request);
    const page = { before: lastRowOfCursor(query.cursor), limit: query.limit + 1 };
    const filter = { ...commissionFilter(access, query), ...page };
    return pageOf(await listCommissions(ctx.db, access.program.id, filter), query.limit, toCommissionReply, cursorOf);
  });

  addProgramRoute(app, ctx, manageApprove, async ({ program }, request) => ({
    data: toCommissionReply(await reviewCommission(ctx, program.id, idParam(request, 'commission_id'), 'approved')),
  }));
  addProgramRoute(app, ctx, manageReject, async ({ program }, request) => ({
    data: toCommissionReply(await reviewCommission(ctx, program.id, idParam(request, 'commission_id'), 'rejected')),
  }));

  addProgramRoute(app, ctx, manageApproveMany, async ({ program }, request) => ({
    data: await reviewCommissions(ctx, program.id, bodyOf(manageApproveMany, request).ids, 'approved'),
  }));
  addProgramRoute(app, ctx, manageRejectMany, async ({ program }, request) => ({
    data: await reviewCommissions(ctx, program.id, bodyOf(manageRejectMany, request).ids, 'rejected'),
  }));
}

export function toCommissionReply(commission: ListedCommission): ReplyRow<typeof manageCommissions> {
  return {
    id: commission.id,
    sale_id: commission.saleId,
    transaction_id: commission.transactionId,
    customer_id: commission.customerId,
    partner_id: commission.partnerId,
    partner_name: commission.partnerName,
    status: commission.status,
    stage: commission.stage,
    commission_cents: commission.commissionCents,
    deducted_cents: commission.deductedCents,
    currency: commission.currency,
    approve_after: commission.approveAfter.toISOString(),
    created_at: commission.createdAt.toISOString(),
  };
}
