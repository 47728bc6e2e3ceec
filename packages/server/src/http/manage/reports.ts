import {
  errors,
  LISTED_EVENTS,
  manageCustomers,
  manageEvents,
  manageExplain,
  managePerformance,
  manageSales,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { decodeCursor, idOfCursor } from '../../reporting/cursor.ts';
import { listCustomers } from '../../reporting/customer-list-store.ts';
import { type ListedEvent, listEvents } from '../../reporting/event-list-store.ts';
import { explain } from '../../reporting/explain.ts';
import type { Numbers } from '../../reporting/performance.ts';
import { reportPerformance } from '../../reporting/report-performance.ts';
import { listSales } from '../../reporting/sale-list-store.ts';
import { formatClickId } from '../../tracking/click-id.ts';
import { queryOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { addProgramRoute } from './access.ts';
import { pageOf } from './page-of.ts';

const eventPlace = z.tuple([z.iso.datetime(), z.enum(LISTED_EVENTS), z.int()]);

export function addManageReportRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageEvents, async ({ program, partnerId }, request) => {
    const { limit, cursor, type } = queryOf(manageEvents, request);
    const filter = { type, partnerId, before: eventBefore(cursor), limit: limit + 1 };
    const cursorOf = (event: ListedEvent) => [event.createdAt.toISOString(), event.type, event.id];
    return pageOf(await listEvents(ctx.db, program.id, filter), limit, shownEvent, cursorOf);
  });

  addProgramRoute(app, ctx, manageCustomers, async ({ program, partnerId }, request) => {
    const {
      limit,
      cursor,
      status,
      partner_id: wanted = null,
      customer_key: customerKey,
    } = queryOf(manageCustomers, request);
    const filter = {
      status,
      customerKey,
      partnerId: partnerId ?? wanted,
      beforeId: idOfCursor(cursor),
      limit: limit + 1,
    };
    return pageOf(await listCustomers(ctx.db, program.id, filter), limit, ({ id, clickedAt, ...customer }) => ({
      id,
      click_id: clickedAt && formatClickId({ customerId: id, clickedAt }),
      customer_key: customer.customerKey,
      status: customer.status,
      partner_id: customer.partnerId,
      email_masked: customer.emailMasked,
      created_at: customer.createdAt.toISOString(),
    }));
  });

  addProgramRoute(app, ctx, manageSales, async ({ program, partnerId }, request) => {
    const query = queryOf(manageSales, request);
    const sales = await listSales(ctx.db, program.id, {
      partnerId: partnerId ?? query.partner_id ?? null,
      customerKey: query.customer_key,
      transactionId: query.transaction_id,
      from: query.from,
      to: query.to,
      beforeId: idOfCursor(query.cursor),
      limit: query.limit + 1,
    });
    return pageOf(sales, query.limit, (sale) => ({
      id: sale.id,
      transaction_id: sale.transactionId,
      customer_key: sale.customerKey,
      partner_id: sale.partnerId,
      amount_cents: sale.amountCents,
      currency: sale.currency,
      status: saleStatus(sale),
      refunded_cents: sale.refundedCents,
      created_at: sale.createdAt.toISOString(),
    }));
  });

  addProgramRoute(app, ctx, managePerformance, async ({ program, partnerId }, request) => {
    const { from, to, group_by: groupBy } = queryOf(managePerformance, request);
    const report = await reportPerformance(ctx, program.id, partnerId, { from, to, groupBy });
    return {
      data: {
        from: report.from.toISOString(),
        to: report.to.toISOString(),
        totals: shownNumbers(report.totals),
        previous: shownNumbers(report.previous),
        change: report.change,
        series: report.series.map(({ date, ...numbers }) => ({ date, ...shownNumbers(numbers) })),
        groups: report.groups.map(({ id, name, ...numbers }) => ({ id, name, ...shownNumbers(numbers) })),
      },
    };
  });

  addProgramRoute(app, ctx, manageExplain, async ({ program }, request) => {
    const query = queryOf(manageExplain, request);
    const decisions = await explain(ctx, program.id, {
      transactionId: query.transaction_id,
      customerKey: query.customer_key,
      clickId: query.click_id,
    });
    return {
      data: decisions.map((decision) => ({
        id: decision.id,
        kind: decision.kind,
        outcome: decision.outcome,
        reason: decision.reason,
        sentence: decision.sentence,
        facts: decision.facts,
        source: decision.source,
        customer_id: decision.customerId,
        partner_id: decision.partnerId,
        sale_id: decision.saleId,
        transaction_id: decision.transactionId,
        customer_key: decision.customerKey,
        click_id: decision.clickId,
        request_id: decision.requestId,
        is_test: decision.isTest,
        created_at: decision.createdAt.toISOString(),
      })),
    };
  });
}

function eventBefore(cursor: string | undefined) {
  if (!cursor) return null;
  const parsed = eventPlace.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw errors.cursorInvalid();
  const [at, type, id] = parsed.data;
  return { at: new Date(at), type, id };
}

function shownEvent(event: ListedEvent) {
  return {
    id: event.id,
    type: event.type,
    is_test: event.isTest,
    customer_id: event.customerId,
    partner_id: event.partnerId,
    link_id: event.linkId,
    sale_id: event.saleId,
    transaction_id: event.transactionId,
    customer_key: event.customerKey,
    created_at: event.createdAt.toISOString(),
  };
}

function saleStatus({ amountCents, refundedCents }: { amountCents: number; refundedCents: number }) {
  if (refundedCents === 0) return 'recorded';
  return refundedCents < amountCents ? 'partially_refunded' : 'refunded';
}

function shownNumbers({ clicks, leads, sales, money }: Numbers) {
  return {
    clicks,
    leads,
    sales,
    money: money.map((part) => ({
      currency: part.currency,
      revenue_cents: part.revenueCents,
      refunded_cents: part.refundedCents,
      commission_cents: part.commissionCents,
    })),
  };
}
