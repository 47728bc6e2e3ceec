import { errors, LISTED_EVENTS, manageEvents, manageExplain, manageSales } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { decodeCursor, placeOf, placeOfCursor } from '../../reporting/cursor.ts';
import { type ListedEvent, listEvents } from '../../reporting/event-list-store.ts';
import { explain } from '../../reporting/explain.ts';
import { type ListedSale, listSales } from '../../reporting/sale-list-store.ts';
import { queryOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { addProgramRoute } from './access.ts';
import { saleFilter } from './list-filters.ts';
import { pageOf } from './page-of.ts';

const eventPlace = z.tuple([z.iso.datetime(), z.enum(LISTED_EVENTS), z.int()]);

export function addManageReportRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageEvents, async ({ program, partnerId }, request) => {
    const { limit, cursor, type } = queryOf(manageEvents, request);
    const filter = { type, partnerId, before: eventBefore(cursor), limit: limit + 1 };
    const cursorOf = (event: ListedEvent) => [event.createdAt.toISOString(), event.type, event.id];
    return pageOf(await listEvents(ctx.db, program.id, filter), limit, toEventReply, cursorOf);
  });

  addProgramRoute(app, ctx, manageSales, async (access, request) => {
    const query = queryOf(manageSales, request);
    const page = { before: placeOfCursor(query.cursor), limit: query.limit + 1 };
    const filter = { ...saleFilter(access, query), ...page };
    return pageOf(await listSales(ctx.db, access.program.id, filter), query.limit, toSaleReply, placeOf);
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

function toEventReply(event: ListedEvent) {
  return {
    id: event.id,
    type: event.type,
    is_test: event.isTest,
    customer_id: event.customerId,
    partner_id: event.partnerId,
    partner_name: event.partnerName,
    link_id: event.linkId,
    sale_id: event.saleId,
    transaction_id: event.transactionId,
    customer_key: event.customerKey,
    created_at: event.createdAt.toISOString(),
  };
}

export function toSaleReply(sale: ListedSale) {
  return {
    id: sale.id,
    transaction_id: sale.transactionId,
    customer_id: sale.customerId,
    customer_key: sale.customerKey,
    partner_id: sale.partnerId,
    partner_name: sale.partnerName,
    amount_cents: sale.amountCents,
    currency: sale.currency,
    status: saleStatus(sale),
    refunded_cents: sale.refundedCents,
    created_at: sale.createdAt.toISOString(),
  };
}

function saleStatus({ amountCents, refundedCents }: { amountCents: number; refundedCents: number }) {
  if (refundedCents === 0) return 'recorded';
  return refundedCents < amountCents ? 'partially_refunded' : 'refunded';
}
