import { Readable } from 'node:stream';
import {
  errors,
  manageCancelPayout,
  manageEarnings,
  manageExportPayouts,
  manageMakePayouts,
  manageMarkFailed,
  manageMarkPaid,
  manageMarkPayoutsPaid,
  managePayout,
  managePayoutStatement,
  managePayouts,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { EVERYONE, type Selection } from '../../../db/lists/list-query.ts';
import { findTotals } from '../../../db/lists/sorted-list.ts';
import { findPartner } from '../../../partners/partner-store.ts';
import { cancelPayout, markFailed, markPaid } from '../../../payout-runs/close-payout.ts';
import { createPayouts } from '../../../payouts/create-payouts.ts';
import { findEarnings } from '../../../payouts/earnings-store.ts';
import { listPayoutLines } from '../../../payouts/payout-line-store.ts';
import { findPayout, PAYOUTS, selectPayouts } from '../../../payouts/payout-list-store.ts';
import { openStatement } from '../../../statements/open-statement.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import { idOfCursor } from '../../lists/cursor.ts';
import { expandRows } from '../../lists/expand-rows.ts';
import { addExport } from '../../lists/exports.ts';
import { type QueryOf, scopeOf } from '../../lists/list-filters.ts';
import { maskPaidRows } from '../../lists/mask-keys.ts';
import { pageOf } from '../../lists/page-of.ts';
import { sortedPage } from '../../lists/sorted-page.ts';
import type { ServiceContext } from '../../service-context.ts';
import { markSelectionPaid } from './mark-selection-paid.ts';

const isPartner = ({ role }: ProgramAccess) => role === 'partner';

/** The payouts that match the filters, as far as the caller may see them. */
export function payoutsFor(access: ProgramAccess, { q: search, ...filter }: QueryOf<typeof managePayouts>): Selection {
  return selectPayouts(scopeOf(access, filter), { ...filter, search, ...(isPartner(access) && { isTold: true }) });
}

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
    const selection = payoutsFor(access, query);
    const { data, meta } = await sortedPage(ctx.db, PAYOUTS, selection, query);
    const all = query.totals && (await findTotals(ctx.db, PAYOUTS, selection));
    return { data: await expandRows(ctx, access, data, query.expand), meta: { ...meta, ...all } };
  });

  addExport(app, ctx, manageExportPayouts, { name: 'payouts', source: PAYOUTS, isOfMoney: true }, (access, request) =>
    payoutsFor(access, queryOf(manageExportPayouts, request)),
  );

  addProgramRoute(app, ctx, manageMakePayouts, async ({ program, actor }, request) => {
    const {
      partner_id: partnerId,
      currency,
      with_payout_method,
      include_inactive,
      count,
      totals,
    } = bodyOf(manageMakePayouts, request);
    if (partnerId !== undefined && !(await findPartner(ctx.db, program.id, partnerId))) throw errors.notFound();
    const only = {
      currency,
      includesInactive: include_inactive,
      ...(with_payout_method && { hasPayoutMethod: true }),
    };
    const { payouts, more } = await createPayouts(
      ctx,
      program,
      { partnerId: partnerId ?? EVERYONE, ...only },
      { count, totals, actor },
    );
    return { data: payouts, meta: { more } };
  });

  addProgramRoute(app, ctx, manageMarkPayoutsPaid, (access, request) =>
    markSelectionPaid(ctx, access, bodyOf(manageMarkPayoutsPaid, request), (filter) => payoutsFor(access, filter)),
  );

  addProgramRoute(app, ctx, managePayout, async (access, request) => {
    const { limit, cursor } = queryOf(managePayout, request);
    const payout = await findPayout(ctx.db, scopeOf(access, {}), idParam(request, 'payout_id'), {
      isTold: isPartner(access),
    });
    if (!payout) throw errors.notFound();
    const of = { programId: access.program.id, payoutId: payout.id };
    const lines = maskPaidRows(access, await listPayoutLines(ctx.db, of, idOfCursor(cursor), limit + 1));
    const page = pageOf(lines, limit, ({ commission_id: id }) => [id]);
    return { data: { ...payout, lines: page.data }, meta: page.meta };
  });

  addProgramRoute(app, ctx, managePayoutStatement, async (access, request, reply) => {
    const payout = await findPayout(ctx.db, scopeOf(access, {}), idParam(request, 'payout_id'), {
      isTold: isPartner(access),
    });
    if (!payout) throw errors.notFound();
    const bytes = await openStatement(ctx, access.program, payout, (lines) => maskPaidRows(access, lines));
    reply.header('Content-Type', 'application/pdf');
    reply.header('Content-Disposition', `attachment; filename="${access.program.slug}-payout-${payout.id}.pdf"`);
    reply.header('Cache-Control', 'no-store');
    return Readable.from(bytes, { objectMode: false });
  });

  addProgramRoute(app, ctx, manageMarkPaid, async ({ program, actor }, request) => {
    const { reference = null } = bodyOf(manageMarkPaid, request);
    return { data: await markPaid(ctx, program, idParam(request, 'payout_id'), { reference, actor }) };
  });

  addProgramRoute(app, ctx, manageMarkFailed, async ({ program, actor }, request) => {
    const { reason } = bodyOf(manageMarkFailed, request);
    return { data: await markFailed(ctx, program, idParam(request, 'payout_id'), { reason, actor }) };
  });

  addProgramRoute(app, ctx, manageCancelPayout, async ({ program, actor }, request) => ({
    data: await cancelPayout(ctx, program, idParam(request, 'payout_id'), actor),
  }));
}
