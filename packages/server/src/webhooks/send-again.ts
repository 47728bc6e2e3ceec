import { randomUUID } from 'node:crypto';
import { type DeliveryRow, errors } from '@svc/contract';
import { eventIdOf } from '../feed/render-event.ts';
import type { Program } from '../programs/program.ts';
import { describeStatus, isDelivered } from './attempt.ts';
import { callEndpoint } from './call-endpoint.ts';
import type { WebhooksContext } from './change-endpoints.ts';
import {
  findDelivery,
  findSending,
  insertReplayed,
  insertTestDelivery,
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
  const answer = await callEndpoint(ctx, (await findSending(ctx.db, id))!);
  const error = answer.error ?? describeStatus(answer.status ?? 0);
  const outcome = isDelivered(answer)
    ? { status: 'delivered' as const, answer }
    : { status: 'failed' as const, answer: { ...answer, error } };
  await updateAttempted(ctx.db, [{ id, dueAt: null, ...outcome }]);
  return (await findDelivery(ctx.db, program.id, endpointId, id))!;
}

/** Makes a delivery due again, under the same event id. */
export async function resend(ctx: WebhooksContext, of: EndpointOf, deliveryId: number): Promise<DeliveryRow> {
  const { program, endpointId } = of;
  if (!(await findDelivery(ctx.db, program.id, endpointId, deliveryId))) throw errors.notFound();
  await updateResent(ctx.db, deliveryId, ctx.now());
  return (await findDelivery(ctx.db, program.id, endpointId, deliveryId))!;
}

/** Sends the events of a period again, and returns how many these are. */
export async function replay(
  ctx: WebhooksContext,
  { program, endpointId }: EndpointOf,
  period: { from: Date; to: Date; types: string[] | undefined },
): Promise<number> {
  if (period.from >= period.to) throw errors.periodReversed();
  if (!(await findEndpoint(ctx.db, program.id, endpointId))) throw errors.notFound();
  return insertReplayed(ctx.db, endpointId, period, ctx.now());
}
