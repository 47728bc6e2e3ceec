import {
  errors,
  manageBalances,
  manageCancelPayout,
  manageEarnings,
  manageMakePayouts,
  manageMarkPaid,
  managePayout,
  managePayouts,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findPartner } from '../../partners/partner-store.ts';
import { findEarnings, listBalances } from '../../payouts/balance-store.ts';
import { cancelPayout, markPaid } from '../../payouts/close-payout.ts';
import { createPayouts } from '../../payouts/create-payouts.ts';
import { findPayout, listPayoutLines, listPayouts, type Payout } from '../../payouts/payout-store.ts';
import { decodeCursor, idOfCursor } from '../../reporting/cursor.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { payoutFilter } from './list-filters.ts';
import { pageOf } from './page-of.ts';

const balanceCursor = z.tuple([z.int(), z.string().regex(/^[A-Z]{3}$/)]);

export function addManagePayoutRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageBalances, async ({ program, partnerId }, request) => {
    const { limit, cursor, partner_id: requestedId = null } = queryOf(manageBalances, request);
    const filter = { partnerId: partnerId ?? requestedId, after: balanceAfter(cursor), limit: limit + 1 };
    return pageOf(
      await listBalances(ctx.db, program.id, filter),
      limit,
      (balance) => ({
        partner_id: balance.partnerId,
        partner_name: balance.partnerName,
        payout_details: balance.payoutDetails,
        account_changed_at: balance.accountChangedAt?.toISOString() ?? null,
        currency: balance.currency,
        approved_cents: balance.approvedCents,
        carried_cents: balance.carriedCents,
        pending_cents: balance.pendingCents,
        payable_cents: balance.payableCents,
      }),
      (balance) => [balance.partnerId, balance.currency],
    );
  });

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
    const { limit, cursor, ...query } = queryOf(managePayouts, request);
    const filter = { ...payoutFilter(access, query), beforeId: idOfCursor(cursor), limit: limit + 1 };
    return pageOf(await listPayouts(ctx.db, access.program.id, filter), limit, toPayoutReply);
  });

  addProgramRoute(app, ctx, manageMakePayouts, async ({ program }, request) => {
    const { partner_id: partnerId, currency } = bodyOf(manageMakePayouts, request);
    if (partnerId !== undefined && !(await findPartner(ctx.db, program.id, partnerId))) throw errors.notFound();
    const { payouts, more } = await createPayouts(ctx, program.id, { partnerId, currency });
    return { data: payouts.map(toPayoutReply), meta: { more } };
  });

  addProgramRoute(app, ctx, managePayout, async ({ program, partnerId }, request) => {
    const { limit, cursor } = queryOf(managePayout, request);
    const payout = await findPayout(ctx.db, program.id, idParam(request, 'payout_id'), partnerId);
    if (!payout) throw errors.notFound();
    const page = pageOf(await listPayoutLines(ctx.db, payout.id, idOfCursor(cursor), limit + 1), limit, (line) => ({
      commission_id: line.id,
      sale_id: line.saleId,
      transaction_id: line.transactionId,
      amount_cents: line.amountCents,
      created_at: line.createdAt.toISOString(),
    }));
    return { data: { ...toPayoutReply(payout), lines: page.data }, meta: page.meta };
  });

  addProgramRoute(app, ctx, manageMarkPaid, async ({ program }, request) => {
    const { reference = null } = bodyOf(manageMarkPaid, request);
    return { data: toPayoutReply(await markPaid(ctx, program.id, idParam(request, 'payout_id'), reference)) };
  });

  addProgramRoute(app, ctx, manageCancelPayout, async ({ program }, request) => ({
    data: toPayoutReply(await cancelPayout(ctx, program.id, idParam(request, 'payout_id'))),
  }));
}

function balanceAfter(cursor: string | undefined) {
  if (!cursor) return null;
  const parsed = balanceCursor.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw errors.cursorInvalid();
  const [partnerId, currency] = parsed.data;
  return { partnerId, currency };
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
