import { createHmac } from 'node:crypto';

/** Signs the events of a Connect platform: one secret for all programs, whichever release connected them. */
export const PLATFORM_SECRET = 'whsec_dXBncmFkZXMgdXBncmFkZXMgdXBncmFkZXM';

export type StripeEvent = { id: string; type: string; account: string; created: number; data: { object: object } };

type Payment = { account: string; intent: string; cents: number };

/** When an event happened, in seconds: now, unless it is given. */
type At = { at?: number };

/** A completed checkout of a customer whom the shop names. */
export function paymentEvent(
  { account, intent, cents, at = seconds() }: Payment & At,
  customerKey: string,
): StripeEvent {
  return event(account, `evt_paid_${intent}`, 'checkout.session.completed', at, {
    id: `cs_${intent}`,
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    payment_status: 'paid',
    payment_intent: intent,
    amount_total: cents,
    currency: 'usd',
    customer: null,
    customer_details: { email: null },
    metadata: { svc_customer_key: customerKey },
    livemode: true,
    created: at,
  });
}

/** The total that was refunded of a payment. */
export function refundEvent(
  { account, intent, cents, at = seconds() }: Payment & At,
  refundedCents: number,
): StripeEvent {
  return event(account, `evt_refunded_${intent}_${refundedCents}`, 'charge.refunded', at, {
    id: `ch_${intent}`,
    object: 'charge',
    payment_intent: intent,
    amount: cents,
    amount_captured: cents,
    amount_refunded: refundedCents,
    refunded: refundedCents === cents,
    currency: 'usd',
    livemode: true,
    created: at,
  });
}

export function signatureOf(body: string): string {
  const at = seconds();
  return `t=${at},v1=${createHmac('sha256', PLATFORM_SECRET).update(`${at}.${body}`).digest('hex')}`;
}

function event(account: string, id: string, type: string, at: number, object: object) {
  return { id, object: 'event', type, account, livemode: true, created: at, data: { object } };
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
