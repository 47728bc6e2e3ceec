import {
  errors,
  isManualKind,
  manageApprove,
  manageApproveMany,
  manageCommissions,
  manageReject,
  manageRejectMany,
  manageRestore,
  manageReviewCommissions,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { type Review, reviewCommission, reviewCommissions } from '../../../commissions/review-commissions.ts';
import type { Program } from '../../../programs/program.ts';
import {
  COMMISSION_SORT_COLUMNS,
  type CommissionFilter,
  findCommission,
  findCommissionTotals,
  type ListedCommission,
  listCommissions,
} from '../../../reporting/lists/commission-list-store.ts';
import { commissionableCents } from '../../../terms/earning.ts';
import { describePaidRule } from '../../../terms/paid-rule.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';
import { commissionFilter } from './list-filters.ts';
import { maskPaidRows } from './mask-keys.ts';
import { reviewSelection } from './review-selection.ts';
import { pageFor, sortedPage } from './sorted-page.ts';

export function addManageCommissionRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCommissions, async (access, request) => {
    const query = queryOf(manageCommissions, request);
    const filter = commissionFilter(access, query, ctx.emailSecret);
    const page = pageFor(query, COMMISSION_SORT_COLUMNS);
    const rows = maskPaidRows(access, await listCommissions(ctx.db, access.program.id, filter, page));
    const { data, meta } = sortedPage(rows, query, toCommissionReply);
    return { data, meta: { ...meta, ...(query.totals && (await totalsOf(access.program.id, filter))) } };
  });

  const totalsOf = async (programId: number, filter: CommissionFilter) => {
    const { count, currencies } = await findCommissionTotals(ctx.db, programId, filter);
    const totals = currencies.map(({ commissionCents, deductedCents, ...sums }) => ({
      ...sums,
      commission_cents: commissionCents,
      deducted_cents: deductedCents,
    }));
    return { count, totals };
  };

  const review = async (program: Program, commissionId: number, how: Review) => {
    await reviewCommission(ctx, program, commissionId, how);
    const commission = await findCommission(ctx.db, program.id, commissionId);
    if (!commission) throw errors.notFound();
    return { data: toCommissionReply(commission) };
  };
  addProgramRoute(app, ctx, manageApprove, ({ program, actor }, request) =>
    review(program, idParam(request, 'commission_id'), { action: 'approve', actor }),
  );
  addProgramRoute(app, ctx, manageReject, ({ program, actor }, request) => {
    const { reason } = bodyOf(manageReject, request);
    return review(program, idParam(request, 'commission_id'), { action: 'reject', reason, actor });
  });
  addProgramRoute(app, ctx, manageRestore, ({ program, actor }, request) =>
    review(program, idParam(request, 'commission_id'), { action: 'restore', actor }),
  );

  const reviewMany = async (program: Program, ids: number[], how: Review) => {
    const reviewed = await reviewCommissions(ctx, program, ids, how);
    return { data: reviewed.map(({ id, outcome, status }) => ({ id, outcome, status })) };
  };
  addProgramRoute(app, ctx, manageApproveMany, ({ program, actor }, request) =>
    reviewMany(program, bodyOf(manageApproveMany, request).ids, { action: 'approve', actor }),
  );
  addProgramRoute(app, ctx, manageRejectMany, ({ program, actor }, request) => {
    const { ids, reason } = bodyOf(manageRejectMany, request);
    return reviewMany(program, ids, { action: 'reject', reason, actor });
  });

  addProgramRoute(app, ctx, manageReviewCommissions, (access, request) =>
    reviewSelection(ctx, access, bodyOf(manageReviewCommissions, request)),
  );
}

export function toCommissionReply(commission: ListedCommission): ReplyRow<typeof manageCommissions> {
  return {
    id: commission.id,
    kind: commission.kind,
    sale_id: commission.saleId,
    transaction_id: commission.transactionId,
    customer_id: commission.customerId,
    customer_key: commission.customerKey,
    partner_id: commission.partnerId,
    partner_name: commission.partnerName,
    status: commission.status,
    stage: commission.stage,
    sale_cents: commission.amountCents,
    sale_currency: commission.saleCurrency,
    commission_type: isManualKind(commission.kind) ? null : commission.commissionType,
    commission_rate: isManualKind(commission.kind) ? null : Number(commission.commissionRate),
    commission_cents: commission.commissionCents,
    base_cents: baseOf(commission),
    terms_version: commission.termsVersion,
    rule: commission.rule,
    terms: describePaidRule(commission),
    reason: commission.reason,
    deducted_cents: commission.deductedCents,
    currency: commission.currency,
    approve_after: commission.approveAfter.toISOString(),
    hold_reason: commission.holdReason,
    rejection_reason: commission.rejectionReason,
    payout_id: commission.payoutId,
    paid_at: commission.paidAt?.toISOString() ?? null,
    created_at: commission.createdAt.toISOString(),
  };
}

function baseOf({ amountCents, commissionType, commissionBase, ...sale }: ListedCommission): number | null {
  if (amountCents === null) return null;
  return commissionableCents({ type: commissionType, base: commissionBase }, { ...sale, amountCents });
}
