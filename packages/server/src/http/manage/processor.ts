import {
  errors,
  manageAddProcessorSecret,
  manageConnectProcessor,
  manageDisconnectProcessor,
  manageProcessor,
  manageProcessorEvents,
  manageRemoveProcessorSecret,
  manageReplayProcessorEvent,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addSecret, removeSecret } from '../../payments/change-secrets.ts';
import { connectProcessor, disconnectProcessor } from '../../payments/connect-processor.ts';
import { requeueEvent } from '../../payments/event-store.ts';
import { outcomes } from '../../payments/outcomes.ts';
import { idOfCursor } from '../../reporting/cursor.ts';
import {
  findProcessorEvent,
  type ListedProcessorEvent,
  listProcessorEvents,
} from '../../reporting/processor-event-store.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './page-of.ts';
import { toConnectionReply } from './processor-connection.ts';

export function addManageProcessorRoutes(
  app: FastifyInstance,
  ctx: ServiceContext,
  platformSecret: string | undefined,
): void {
  addProgramRoute(app, ctx, manageProcessor, async ({ program }, request) => {
    const { provider } = queryOf(manageProcessor, request);
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageConnectProcessor, async ({ program }, request) => {
    const body = bodyOf(manageConnectProcessor, request);
    const { provider, webhook_secret: value, label, test_mode: isTest } = body;
    const { account_id: accountId = null, sandbox: isSandbox = false } = body;
    const secret = value === undefined ? undefined : { value, label, isTest };
    const settings = { provider, accountId, secret, isSandbox };
    await connectProcessor(ctx, program, settings, { hasPlatform: Boolean(platformSecret) });
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageDisconnectProcessor, async ({ program }, request) => {
    const { provider } = queryOf(manageDisconnectProcessor, request);
    await disconnectProcessor(ctx, program, provider);
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageAddProcessorSecret, async ({ program }, request) => {
    const { provider, webhook_secret: value, label, test_mode: isTest } = bodyOf(manageAddProcessorSecret, request);
    await addSecret(ctx, program, provider, { value, label, isTest });
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageRemoveProcessorSecret, async ({ program }, request) => {
    const id = idParam(request, 'processor_secret_id');
    const provider = await removeSecret(ctx, program, id, { hasPlatform: Boolean(platformSecret) });
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageProcessorEvents, async ({ program }, request) => {
    const { limit, cursor, state, provider } = queryOf(manageProcessorEvents, request);
    const filter = { provider, state, beforeId: idOfCursor(cursor), limit: limit + 1 };
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

function toEventReply(event: ListedProcessorEvent): ReplyRow<typeof manageProcessorEvents> {
  return {
    id: event.id,
    provider: event.provider,
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
