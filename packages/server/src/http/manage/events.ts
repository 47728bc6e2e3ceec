import { errors, LISTED_EVENTS, manageEvents, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { reasons } from '../../../decisions/reasons.ts';
import { cursorTime, decodeCursor } from '../../../reporting/lists/cursor.ts';
import { type ListedEvent, listEvents } from '../../../reporting/lists/event-list-store.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { pageOf } from '../page-of.ts';
import { maskKeys } from './mask-keys.ts';

const eventCursor = z.tuple([cursorTime, z.enum(LISTED_EVENTS), z.int()]);

export function addManageEventRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageEvents, async (access, request) => {
    const { program, partnerId, role } = access;
    const { limit, cursor, partner_id: requestedId = null, ...query } = queryOf(manageEvents, request);
    const filter = {
      ...query,
      partnerId: partnerId ?? requestedId,
      // What was refused can concern others than the partner.
      outcome: role === 'partner' ? 'recorded' : query.outcome,
      before: eventBefore(cursor),
      limit: limit + 1,
    };
    const cursorOf = (event: ListedEvent) => [event.createdAt.toISOString(), event.type, event.id];
    const events = maskKeys(access, await listEvents(ctx.db, program.id, filter));
    return pageOf(events, limit, toEventReply, cursorOf);
  });
}

function eventBefore(cursor: string | undefined) {
  if (!cursor) return null;
  const parsed = eventCursor.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw errors.cursorInvalid();
  const [at, type, id] = parsed.data;
  return { at, type, id };
}

function toEventReply(event: ListedEvent): ReplyRow<typeof manageEvents> {
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
    outcome: event.outcome,
    reason: event.reason,
    sentence: event.reason && reasons[event.reason],
    message: event.message,
    amount_cents: event.amountCents,
    currency: event.currency,
    created_at: event.createdAt.toISOString(),
  };
}
