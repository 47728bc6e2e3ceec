import {
  errors,
  manageCancelPayout,
  manageEarnings,
  manageMakePayouts,
  manageMarkPaid,
  manageMarkPayoutsPaid,
  managePayout,
  managePayouts,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { findPartner } from '../../../partners/partner-store.ts';
import { cancelPayout, markPaid } from '../../../payouts/close-payout.ts';
import { createPayouts } from '../../../payouts/create-payouts.ts';
import { findEarnings } from '../../../payouts/earnings-store.ts';
import { listPayoutLines } from '../../../payouts/payout-line-store.ts';
import {
  findPayout,
  findPayoutTotals,
  listPayouts,
  PAYOUT_SORT_COLUMNS,
  type Payout,
} from '../../../payouts/payout-store.ts';
import { idOfCursor } from '../../../reporting/lists/cursor.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';
import { pageOf } from '../page-of.ts';
import { payoutFilter } from './list-filters.ts';
import { markSelectionPaid } from './mark-selection-paid.ts';
import { maskPaidRows } from './mask-keys.ts';
import { pageFor, sortedPage } from './sorted-page.ts';

export function addManagePayoutRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageEarnings, async ({ program, partnerId }, request) => {
    const { partner_id: requestedId = null } = queryOf(manageEarnings, request);
    const earnings = await findEarnings(ctx.db, program.id, partnerId ?? requestedId);
    return {
      data: earnings.map((earned) => ({
        currency: earned.currency,
        pending_cents: earned.pendingCents,
        approved_cents: earned.approvedCents,
        in_payouts_cents: earned.inPayoutsCents,
        paid_cents: earned.paidCents,
        reversed_cents: earned.reversedCents,
        carried_cents: earned.carriedCents,
        payable_cents: earned.payableCents,
      })),
    };
  });

  addProgramRoute(app, ctx, managePayouts, async (access, request) => {
    const query = queryOf(managePayouts, request);
    const filter = payoutFilter(access, query);
    const rows = await listPayouts(ctx.db, access.program.id, filter, pageFor(query, PAYOUT_SORT_COLUMNS));
    const { data, meta } = sortedPage(rows, query, toPayoutReply);
    if (!query.totals) return { data, meta };
    const { count, currencies } = await findPayoutTotals(ctx.db, access.program.id, filter);
    const totals = currencies.map(({ amountCents, ...sums }) => ({ ...sums, amount_cents: amountCents }));
    return { data, meta: { ...meta, count, totals } };
  });

  addProgramRoute(app, ctx, manageMakePayouts, async ({ program, actor }, request) => {
    const { partner_id: partnerId, currency, with_payout_details, count, totals } = bodyOf(manageMakePayouts, request);
    if (partnerId !== undefined && !(await findPartner(ctx.db, program.id, partnerId))) throw errors.notFound();
    const only = { partnerId, currency, ...(with_payout_details && { hasPayoutDetails: true }) };
    const seen = totals?.map((sum) => ({ currency: sum.currency, payableCents: sum.payable_cents }));
    const { payouts, more } = await createPayouts(ctx, program, only, { count, totals: seen, actor });
    return { data: payouts.map(toPayoutReply), meta: { more } };
  });

  addProgramRoute(app, ctx, manageMarkPayoutsPaid, (access, request) =>
    markSelectionPaid(ctx, access, bodyOf(manageMarkPayoutsPaid, request)),
  );

  addProgramRoute(app, ctx, managePayout, async (access, request) => {
    const { limit, cursor } = queryOf(managePayout, request);
    const payout = await findPayout(ctx.db, access.program.id, idParam(request, 'payout_id'), access.partnerId);
    if (!payout) throw errors.notFound();
    const lines = maskPaidRows(access, await listPayoutLines(ctx.db, payout.id, idOfCursor(cursor), limit + 1));
    const page = pageOf(lines, limit, (line) => ({
      commission_id: line.id,
      kind: line.kind,
      reason: line.reason,
      sale_id: line.saleId,
      transaction_id: line.transactionId,
      customer_id: line.customerId,
      customer_key: line.customerKey,
      amount_cents: line.amountCents,
      created_at: line.createdAt.toISOString(),
    }));
    return { data: { ...toPayoutReply(payout), lines: page.data }, meta: page.meta };
  });

  addProgramRoute(app, ctx, manageMarkPaid, async ({ program, actor }, request) => {
    const { reference = null } = bodyOf(manageMarkPaid, request);
    return { data: toPayoutReply(await markPaid(ctx, program, idParam(request, 'payout_id'), { reference, actor })) };
  });

  addProgramRoute(app, ctx, manageCancelPayout, async ({ program, actor }, request) => ({
    data: toPayoutReply(await cancelPayout(ctx, program, idParam(request, 'payout_id'), actor)),
  }));
}

export function toPayoutReply(payout: Payout): ReplyRow<typeof managePayouts> {
  return {
    id: payout.id,
    partner_id: payout.partnerId,
    partner_name: payout.partnerName,
    partner_email: payout.partnerEmail,
    payout_details: payout.payoutDetails,
    account_changed_at: payout.accountChangedAt?.toISOString() ?? null,
    currency: payout.currency,
    amount_cents: payout.amountCents,
    status: payout.status,
    reference: payout.reference,
    created_at: payout.createdAt.toISOString(),
    paid_at: payout.paidAt?.toISOString() ?? null,
    cancelled_at: payout.cancelledAt?.toISOString() ?? null,
  };
}
