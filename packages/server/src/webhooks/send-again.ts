import { randomUUID } from 'node:crypto';
import { type DeliveryRow, errors, type FeedEvent } from '@svc/contract';
import { eventIdOf } from '../feed/render-event.ts';
import type { Program } from '../programs/program.ts';
import { errorOf } from './attempt.ts';
import type { WebhooksContext } from './change-endpoints.ts';
import { attempt } from './deliver.ts';
import {
  countReplayed,
  findDelivery,
  findSending,
  insertReplayed,
  insertTestDelivery,
  type ReplayedPeriod,
  updateAttempted,
  updateResent,
} from './delivery-store.ts';
import { findEndpoint } from './endpoint-store.ts';

type EndpointOf = { program: Pick<Program, 'id' | 'name'>; endpointId: number };

/** Sends a made-up event at once, also to a disabled endpoint, and returns how it went. */
export async function sendTest(ctx: WebhooksContext, { program, endpointId }: EndpointOf): Promise<DeliveryRow> {
  if (!(await findEndpoint(ctx.db, program.id, endpointId))) throw errors.notFound();
  const eventId = randomUUID();
  const body = {
    id: eventIdOf(eventId),
    type: 'webhook.test',
    timestamp: ctx.now().toISOString(),
    program_id: program.id,
    sequence: null,
    data: { message: 'This is a test. Nothing has happened.' },
  };
  const id = await insertTestDelivery(ctx.db, endpointId, { eventId, body, type: body.type }, ctx.now());
  const sending = (await findSending(ctx.db, id))!;
  const answer = await attempt(ctx, { ...sending, event: body as unknown as FeedEvent });
  const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const attempted = isDelivered
    ? { status: 'delivered' as const, answer }
    : { status: 'failed' as const, answer: { ...answer, error: errorOf(answer) } };
  await updateAttempted(ctx.db, [{ id, dueAt: null, ...attempted }]);
  return (await findDelivery(ctx.db, program.id, endpointId, id))!;
}

/** Makes a delivery due again, under the same event id. */
export async function resend(ctx: WebhooksContext, of: EndpointOf, deliveryId: number): Promise<DeliveryRow> {
  const { program, endpointId } = of;
  if (!(await findDelivery(ctx.db, program.id, endpointId, deliveryId))) throw errors.notFound();
  await updateResent(ctx.db, deliveryId, ctx.now());
  return (await findDelivery(ctx.db, program.id, endpointId, deliveryId))!;
}

/** Sends the events of a period again, up to now, and returns how many these are; with `dryRun`, how many they would be. */
export async function replay(
  ctx: WebhooksContext,
  { program, endpointId }: EndpointOf,
  period: ReplayedPeriod,
  { dryRun }: { dryRun: boolean },
): Promise<{ deliveries: number; to: Date }> {
  if (period.from >= period.to) throw errors.periodReversed();
  if (!(await findEndpoint(ctx.db, program.id, endpointId))) throw errors.notFound();
  const now = ctx.now();
  const to = period.to < now ? period.to : now;
  const deliveries = dryRun
    ? await countReplayed(ctx.db, endpointId, { ...period, to })
    : await insertReplayed(ctx.db, endpointId, { ...period, to }, now);
  return { deliveries, to };
}
