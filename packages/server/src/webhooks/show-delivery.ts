import type { DeliveryRow } from '@svc/contract';
import type { Context } from '../context.ts';
import { findDelivery } from './delivery-list-store.ts';
import { findSending } from './delivery-store.ts';
import { bodyFor, lastingHeaders } from './message.ts';

export type ShownDelivery = DeliveryRow & { request: { headers: Record<string, string>; body: string } | null };

/** A delivery with the request that every attempt sends, except what is signed anew; null when there is none. */
export async function showDelivery(
  { db }: Pick<Context, 'db'>,
  { programId, endpointId }: { programId: number; endpointId: number },
  deliveryId: number,
): Promise<ShownDelivery | null> {
  const delivery = await findDelivery(db, programId, endpointId, deliveryId);
  if (!delivery) return null;
  const sending = await findSending(db, deliveryId);
  if (!sending?.event) return { ...delivery, request: null };
  const { event, format } = sending;
  return { ...delivery, request: { headers: lastingHeaders(delivery.event_id), body: bodyFor(format, event) } };
}
