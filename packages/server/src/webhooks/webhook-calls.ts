import type { Context } from '../context.ts';
import { type CallContext, callEndpoint } from './call-endpoint.ts';
import type { CallKind } from './call-kind.ts';
import { findNextDueDelivery, listDueDeliveries, listDueHosts, type Sending } from './delivery-store.ts';
import { storeAttempts } from './store-attempts.ts';

/** Deliveries of events to the endpoints of programs. */
export function webhookCalls(ctx: CallContext & Pick<Context, 'db' | 'mail'>): CallKind<Sending> {
  return {
    name: 'webhook',
    listDueHosts: (now) => listDueHosts(ctx.db, now),
    listDue: (host, now, listed) => listDueDeliveries(ctx.db, host, now, listed),
    send: (sending) => callEndpoint(ctx, sending),
    store: (attempts) => storeAttempts(ctx, attempts),
    findNextDue: () => findNextDueDelivery(ctx.db),
  };
}
