import {
  errors,
  manageAddProcessorSecret,
  manageConnectProcessor,
  manageDisconnectProcessor,
  manageProcessor,
  manageProcessorEvents,
  manageRemoveProcessorSecret,
  manageReplayProcessorEvent,
  type ProcessorName,
  type ReplyOf,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Encryption } from '../../../encryption.ts';
import { countUnlinkedInvoices } from '../../../payments/charge-store.ts';
import { addSecret, removeSecret } from '../../../payments/connections/change-secrets.ts';
import { connectProcessor, disconnectProcessor } from '../../../payments/connections/connect-processor.ts';
import { findProcessor } from '../../../payments/connections/connection-store.ts';
import { listSecrets, type StoredSecret } from '../../../payments/connections/secret-store.ts';
import { listSeenTypes } from '../../../payments/events/event-type-store.ts';
import { outcomes } from '../../../payments/events/outcomes.ts';
import { replayEvent } from '../../../payments/events/receive-event.ts';
import { areOnlyTests, findMissing, summarizeSeen } from '../../../payments/events/seen-types.ts';
import { processors } from '../../../payments/processors/processors.ts';
import type { Program } from '../../../programs/program.ts';
import {
  findLastProcessorEvents,
  findProcessorEvent,
  type ListedProcessorEvent,
  listProcessorEvents,
} from '../../../reporting/processor-event-store.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import { idOfCursor } from '../../lists/cursor.ts';
import { pageOf } from '../../lists/page-of.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageProcessorRoutes(
  app: FastifyInstance,
  ctx: ServiceContext,
  platformSecret: string | undefined,
): void {
  addProgramRoute(app, ctx, manageProcessor, async ({ program }, request) => {
    const { provider } = queryOf(manageProcessor, request);
    return toConnectionReply(ctx, program, provider);
  });

  const hasPlatform = Boolean(platformSecret);

  addProgramRoute(app, ctx, manageConnectProcessor, async ({ program, actor }, request) => {
    const body = bodyOf(manageConnectProcessor, request);
    const { provider, webhook_secret: value, label, test_mode: isTest } = body;
    const { account_id: accountId = null, sandbox: isSandbox = false } = body;
    const secret = value === undefined ? undefined : { value, label, isTest };
    const settings = { provider, accountId, secret, isSandbox };
    await connectProcessor(ctx, program, settings, { hasPlatform, actor });
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageDisconnectProcessor, async ({ program, actor }, request) => {
    const { provider } = queryOf(manageDisconnectProcessor, request);
    await disconnectProcessor(ctx, program, provider, actor);
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageAddProcessorSecret, async ({ program, actor }, request) => {
    const { provider, webhook_secret: value, label, test_mode: isTest } = bodyOf(manageAddProcessorSecret, request);
    await addSecret(ctx, program, provider, { value, label, isTest }, actor);
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageRemoveProcessorSecret, async ({ program, actor }, request) => {
    const id = idParam(request, 'processor_secret_id');
    const provider = await removeSecret(ctx, program, id, { hasPlatform, actor });
    return toConnectionReply(ctx, program, provider);
  });

  addProgramRoute(app, ctx, manageProcessorEvents, async ({ program }, request) => {
    const { limit, cursor, state, provider } = queryOf(manageProcessorEvents, request);
    const filter = { provider, state, beforeId: idOfCursor(cursor), limit: limit + 1 };
    const events = await listProcessorEvents(ctx.db, program.id, filter);
    return pageOf(events.map(toEventReply), limit, ({ id }) => [id]);
  });

  addProgramRoute(app, ctx, manageReplayProcessorEvent, async ({ program, actor }, request) => {
    const id = idParam(request, 'processor_event_id');
    const event = await findProcessorEvent(ctx.db, program.id, id);
    if (!event) throw errors.notFound();
    if (!(await replayEvent(ctx, program, id, actor))) throw errors.eventContentPurged();
    ctx.eventWorker.wake();
    return { data: toEventReply((await findProcessorEvent(ctx.db, program.id, id)) ?? event) };
  });
}

type ConnectionReply = ReplyOf<typeof manageProcessor>;

/** The state of the program's connection to a processor, connected or not. */
async function toConnectionReply(
  ctx: ServiceContext,
  program: Program,
  provider: ProcessorName,
): Promise<ConnectionReply> {
  const processor = processors[provider];
  const { linkedInvoicePrefix: invoicePrefix } = processor;
  const [found, secrets, { last, failing }, seen, unlinkedInvoices] = await Promise.all([
    findProcessor(ctx.db, program.id, provider),
    listSecrets(ctx.db, program.id, provider),
    findLastProcessorEvents(ctx.db, program.id, provider),
    listSeenTypes(ctx.db, program.id, provider),
    invoicePrefix ? countUnlinkedInvoices(ctx.db, program.id, invoicePrefix, ctx.now()) : 0,
  ]);
  const isSandbox = found?.isSandbox ?? false;
  return {
    data: {
      provider,
      title: processor.title,
      account_id: found?.accountId ?? null,
      account_status: found?.accountId ? (found.isAccountProven ? 'proven' : 'unproven') : null,
      status: found ? 'connected' : 'not_connected',
      sandbox: isSandbox,
      webhook_url: `${ctx.baseUrl}/api/v1/webhooks/${provider}/${program.id}`,
      events: Object.keys(processor.events),
      event_uses: Object.entries(processor.events).map(([type, use]) => ({ type, use })),
      secret_prefix: processor.secret.prefix ?? '',
      test_mode_in_events: processor.tellsTestMode,
      secrets: secrets.map((secret) => toSecretReply(ctx.encryption, secret)),
      signature_mismatches: found?.lastMismatchAt
        ? { count: found.mismatches, last_at: found.lastMismatchAt.toISOString() }
        : null,
      signatures_too_old: found?.lastLateAt
        ? { count: found.lateSignatures, last_at: found.lastLateAt.toISOString() }
        : null,
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
      events_seen: summarizeSeen(seen).map(({ lastAt, ...type }) => ({ ...type, last_at: lastAt.toISOString() })),
      only_tests: areOnlyTests(seen, isSandbox),
      missing_events: findMissing(processor.expects, seen, isSandbox).map(
        ({ events, after, seen: count, message }) => ({
          events,
          after,
          count,
          message,
        }),
      ),
      unlinked_invoices: unlinkedInvoices,
      connected_at: found?.connectedAt.toISOString() ?? null,
    },
  };
}

function toSecretReply(encryption: Encryption, secret: StoredSecret): ConnectionReply['data']['secrets'][number] {
  return {
    id: secret.id,
    label: secret.label,
    last_four: encryption.open(secret.sealed).slice(-4),
    test_mode: secret.isTest,
    created_at: secret.createdAt.toISOString(),
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
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
