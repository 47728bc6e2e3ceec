import { randomUUID } from 'node:crypto';
import { type DeliveryRow, errors, type WebhookRow } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import { eventIdOf } from '../feed/render-event.ts';
import type { Program } from '../programs/program.ts';
import { errorOf, isDelivered } from './attempt.ts';
import { callEndpoint } from './call-endpoint.ts';
import type { WebhooksContext } from './change-endpoints.ts';
import { findDelivery } from './delivery-list-store.ts';
import { findSending, insertTestDelivery, updateAttempted } from './delivery-store.ts';
import { findEndpoint, updateHealth } from './endpoint-store.ts';
import { maskedUrl } from './masked-url.ts';
import { countReplayed, insertReplayed, type ReplayedPeriod, updateResent } from './send-again-store.ts';

type EndpointOf = { program: Pick<Program, 'id' | 'workspaceId'>; endpointId: number; actor: Actor };

/** The endpoint, or an error if the program has no such endpoint. */
async function requireEndpoint({ db }: WebhooksContext, { program, endpointId }: EndpointOf): Promise<WebhookRow> {
  const endpoint = await findEndpoint(db, program.id, endpointId);
  if (!endpoint) throw errors.notFound();
  return endpoint;
}

function about(
  { program, actor }: Omit<EndpointOf, 'endpointId'>,
  { id, url }: WebhookRow,
): Omit<AuditEvent, 'action'> {
  const { id: programId, workspaceId } = program;
  return { workspaceId, programId, actor, subject: { type: 'webhook', id, name: maskedUrl(url) } };
}

/** Sends a made-up event at once, also to a disabled endpoint, and returns how it went. */
export async function sendTest(ctx: WebhooksContext, of: EndpointOf): Promise<DeliveryRow> {
  const { program, endpointId } = of;
  const endpoint = await requireEndpoint(ctx, of);
  const eventId = randomUUID();
  const body = {
    id: eventIdOf(eventId),
    type: 'webhook.test',
    timestamp: ctx.now().toISOString(),
    program_id: program.id,
    sequence: null,
    data: { message: 'This is a test. Nothing has happened.' },
  };
  const id = await ctx.db.transaction(async (tx) => {
    await insertAuditEvent(tx, { ...about(of, endpoint), action: 'webhook.tested' }, ctx.now());
    return insertTestDelivery(tx, endpointId, { eventId, body, type: body.type }, ctx.now());
  });
  const answer = await callEndpoint(ctx, (await findSending(ctx.db, id))!);
  const outcome = isDelivered(answer)
    ? { status: 'delivered' as const, answer }
    : { status: 'failed' as const, answer: { ...answer, error: errorOf(answer) } };
  await updateAttempted(ctx.db, [{ id, dueAt: null, ...outcome }]);
  // A test that arrives shows that the endpoint works again. One that fails is no event that was missed.
  if (outcome.status === 'delivered') await updateHealth(ctx.db, [endpointId], [], ctx.now());
  return (await findDelivery(ctx.db, program.id, endpointId, id))!;
}

/** Makes a delivery due again, under the same event id. */
export function resend(
  ctx: WebhooksContext,
  of: Omit<EndpointOf, 'endpointId'>,
  deliveryId: number,
): Promise<DeliveryRow> {
  const { id: programId } = of.program;
  return ctx.db.transaction(async (tx) => {
    const endpointId = await updateResent(tx, programId, deliveryId, ctx.now());
    if (endpointId === null) throw errors.notFound();
    const endpoint = (await findEndpoint(tx, programId, endpointId))!;
    await insertAuditEvent(tx, { ...about(of, endpoint), action: 'webhook.replayed', after: { count: 1 } }, ctx.now());
    return (await findDelivery(tx, programId, endpointId, deliveryId))!;
  });
}

/** Sends the events of a period again, up to now, and returns how many these are; with `dryRun`, how many they would be. */
export async function replay(
  ctx: WebhooksContext,
  of: EndpointOf,
  period: ReplayedPeriod,
  { dryRun }: { dryRun: boolean },
): Promise<{ deliveries: number; to: Date }> {
  if (period.from >= period.to) throw errors.periodReversed();
  const endpoint = await requireEndpoint(ctx, of);
  const now = ctx.now();
  const replayed = { ...period, to: period.to < now ? period.to : now };
  const { to } = replayed;
  if (dryRun) return { deliveries: await countReplayed(ctx.db, of.endpointId, replayed), to };
  return ctx.db.transaction(async (tx) => {
    const deliveries = await insertReplayed(tx, of.endpointId, replayed, now);
    const after = { count: deliveries, from: period.from.toISOString(), to: to.toISOString() };
    await insertAuditEvent(tx, { ...about(of, endpoint), action: 'webhook.replayed', after }, now);
    return { deliveries, to };
  });
}
