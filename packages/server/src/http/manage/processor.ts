import {
  errors,
  manageConnectProcessor,
  manageDisconnectProcessor,
  manageProcessor,
  manageProcessorEvents,
  manageReplayProcessorEvent,
  type ReplyOf,
  type ReplyRow,
  STRIPE_EVENTS,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { countUnlinkedInvoices } from '../../payments/charge-store.ts';
import { connectProcessor, disconnectProcessor } from '../../payments/connect-processor.ts';
import { findProcessor } from '../../payments/connection-store.ts';
import { requeueEvent } from '../../payments/event-store.ts';
import { outcomes } from '../../payments/outcomes.ts';
import type { Program } from '../../programs/program.ts';
import { idOfCursor } from '../../reporting/cursor.ts';
import {
  findLastProcessorEvents,
  findProcessorEvent,
  type ListedProcessorEvent,
  listProcessorEvents,
} from '../../reporting/processor-event-store.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './page-of.ts';

export function addManageProcessorRoutes(
  app: FastifyInstance,
  ctx: ServiceContext,
  platformSecret: string | undefined,
): void {
  addProgramRoute(app, ctx, manageProcessor, ({ program }) => toConnectionReply(ctx, program));

  addProgramRoute(app, ctx, manageConnectProcessor, async ({ program }, request) => {
    const body = bodyOf(manageConnectProcessor, request);
    const { provider, webhook_secret: secret, account_id: accountId = null, sandbox: isSandbox = false } = body;
    const settings = { provider, accountId, secret, isSandbox };
    await connectProcessor(ctx, program, settings, { hasPlatform: Boolean(platformSecret) });
    return toConnectionReply(ctx, program);
  });

  addProgramRoute(app, ctx, manageDisconnectProcessor, async ({ program }) => {
    await disconnectProcessor(ctx, program);
    return toConnectionReply(ctx, program);
  });

  addProgramRoute(app, ctx, manageProcessorEvents, async ({ program }, request) => {
    const { limit, cursor, state } = queryOf(manageProcessorEvents, request);
    const filter = { state, beforeId: idOfCursor(cursor), limit: limit + 1 };
    return pageOf(await listProcessorEvents(ctx.db, program.id, filter), limit, toEventReply);
  });

  addProgramRoute(app, ctx, manageReplayProcessorEvent, async ({ program }, request) => {
    const id = idParam(request, 'processor_event_id');
    const event = await findProcessorEvent(ctx.db, program.id, id);
    if (!event) throw errors.notFound();
    if (!(await requeueEvent(ctx.db, program.id, id, ctx.now()))) throw errors.eventContentPurged();
    ctx.eventWorker.wake();
    return { data: toEventReply((await findProcessorEvent(ctx.db, program.id, id)) ?? event) };
  });
}

async function toConnectionReply(ctx: ServiceContext, program: Program): Promise<ReplyOf<typeof manageProcessor>> {
  const [found, { last, failing }, unlinkedInvoices] = await Promise.all([
    findProcessor(ctx.db, program.id),
    findLastProcessorEvents(ctx.db, program.id),
    countUnlinkedInvoices(ctx.db, program.id, ctx.now()),
  ]);
  return {
    data: {
      provider: 'stripe',
      account_id: found?.accountId ?? null,
      account_status: found?.accountId ? (found.isAccountProven ? 'proven' : 'unproven') : null,
      status: found ? 'connected' : 'not_connected',
      sandbox: found?.isSandbox ?? false,
      webhook_url: `${ctx.baseUrl}/api/v1/webhooks/stripe/${program.id}`,
      events: [...STRIPE_EVENTS],
      last_event: last && {
        type: last.type,
        outcome: last.outcome,
        received_at: last.receivedAt.toISOString(),
      },
      last_error: failing && {
        event_id: failing.eventId,
        message: failing.lastError ?? '',
        at: (failing.workedAt ?? failing.receivedAt).toISOString(),
      },
      unlinked_invoices: unlinkedInvoices,
      connected_at: found?.connectedAt.toISOString() ?? null,
    },
  };
}

function toEventReply(event: ListedProcessorEvent): ReplyRow<typeof manageProcessorEvents> {
  return {
    id: event.id,
    event_id: event.eventId,
    type: event.type,
    livemode: event.isLive,
    state: event.state,
    outcome: event.outcome,
    reason: event.outcome && outcomes[event.outcome],
    hint: event.hint,
    error: event.lastError,
    attempts: event.attempts,
    next_attempt_at: event.dueAt?.toISOString() ?? null,
    transaction_id: event.transactionId,
    customer_id: event.customerId,
    partner_id: event.partnerId,
    partner_name: event.partnerName,
    happened_at: event.happenedAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
  };
}
