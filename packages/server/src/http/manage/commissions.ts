import { errors, manageApprove, manageCommissions, manageReject } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { idOfCursor } from '../../reporting/cursor.ts';
import {
  type CommissionStage,
  findCommission,
  type ListedCommission,
  listCommissions,
  updateStage,
} from '../../tracking/commission-list-store.ts';
import { queryOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { addProgramRoute, idParam } from './access.ts';
import { pageOf } from './page-of.ts';

export function addManageCommissionRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCommissions, async ({ program, partnerId }, request) => {
    const query = queryOf(manageCommissions, request);
    const commissions = await listCommissions(ctx.db, program.id, {
      status: query.status,
      partnerId: partnerId ?? query.partner_id ?? null,
      transactionId: query.transaction_id,
      from: query.from,
      to: query.to,
      beforeId: idOfCursor(query.cursor),
      limit: query.limit + 1,
    });
    return pageOf(commissions, query.limit, shown);
  });

  addProgramRoute(app, ctx, manageApprove, ({ program }, request) =>
    move(program.id, idParam(request, 'commission_id'), ['pending'], 'approved'),
  );
  addProgramRoute(app, ctx, manageReject, ({ program }, request) =>
    move(program.id, idParam(request, 'commission_id'), ['pending', 'approved'], 'rejected'),
  );

  async function move(programId: number, commissionId: number, from: CommissionStage[], to: CommissionStage) {
    const before = await findCommission(ctx.db, programId, commissionId);
    if (!before) throw errors.notFound();
    if (!(await updateStage(ctx.db, commissionId, from, to, ctx.now()))) {
      throw errors.invalidField(`A commission that is ${before.status} cannot be ${to}`);
    }
    return { data: shown((await findCommission(ctx.db, programId, commissionId)) as ListedCommission) };
  }
}

function shown(commission: ListedCommission) {
  return {
    id: commission.id,
    sale_id: commission.saleId,
    transaction_id: commission.transactionId,
    partner_id: commission.partnerId,
    status: commission.status,
    stage: commission.stage,
    commission_cents: commission.commissionCents,
    deducted_cents: commission.deductedCents,
    currency: commission.currency,
    approve_after: commission.approveAfter.toISOString(),
    created_at: commission.createdAt.toISOString(),
  };
}
