import {
  errors,
  manageApprove,
  manageApproveMany,
  manageCommissions,
  manageReject,
  manageRejectMany,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { commissionableCents } from '../../commissions/commission.ts';
import { type Review, reviewCommission, reviewCommissions } from '../../commissions/review-commissions.ts';
import { findCommission, type ListedCommission, listCommissions } from '../../reporting/commission-list-store.ts';
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

  const review = async (programId: number, commissionId: number, how: Review) => {
    await reviewCommission(ctx, programId, commissionId, how);
    const commission = await findCommission(ctx.db, programId, commissionId);
    if (!commission) throw errors.notFound();
    return { data: toCommissionReply(commission) };
  };
  addProgramRoute(app, ctx, manageApprove, ({ program }, request) =>
    review(program.id, idParam(request, 'commission_id'), 'approve'),
  );
  addProgramRoute(app, ctx, manageReject, ({ program }, request) =>
    review(program.id, idParam(request, 'commission_id'), 'reject'),
  );

  addProgramRoute(app, ctx, manageApproveMany, async ({ program }, request) => ({
    data: await reviewCommissions(ctx, program.id, bodyOf(manageApproveMany, request).ids, 'approve'),
  }));
  addProgramRoute(app, ctx, manageRejectMany, async ({ program }, request) => ({
    data: await reviewCommissions(ctx, program.id, bodyOf(manageRejectMany, request).ids, 'reject'),
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
    base_cents: commissionableCents({ type: commission.commissionType, base: commission.commissionBase }, commission),
    terms_version: commission.termsVersion,
    deducted_cents: commission.deductedCents,
    currency: commission.currency,
    approve_after: commission.approveAfter.toISOString(),
    hold_reason: commission.holdReason,
    created_at: commission.createdAt.toISOString(),
  };
}
