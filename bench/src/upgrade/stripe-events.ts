import { createHmac } from 'node:crypto';

/** Signs the events of a Connect platform: one secret for all programs, whichever release connected them. */
export const PLATFORM_SECRET = 'whsec_dXBncmFkZXMgdXBncmFkZXMgdXBncmFkZXM';

export type StripeEvent = { id: string; type: string; account: string; created: number; data: { object: object } };

type Payment = { account: string; intent: string; cents: number };

/** A completed checkout of a customer whom the shop names. */
export function paymentEvent({ account, intent, cents }: Payment, customerKey: string): StripeEvent {
  return event(account, `evt_paid_${intent}`, 'checkout.session.completed', {
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
    created: seconds(),
  });
}

/** The total that was refunded of a payment. */
export function refundEvent({ account, intent, cents }: Payment, refundedCents: number): StripeEvent {
  return event(account, `evt_refunded_${intent}_${refundedCents}`, 'charge.refunded', {
    id: `ch_${intent}`,
    object: 'charge',
    payment_intent: intent,
    amount: cents,
    amount_captured: cents,
    amount_refunded: refundedCents,
    refunded: refundedCents === cents,
    currency: 'usd',
    livemode: true,
    created: seconds(),
  });
}

export function signatureOf(body: string): string {
  const at = seconds();
  return `t=${at},v1=${createHmac('sha256', PLATFORM_SECRET).update(`${at}.${body}`).digest('hex')}`;
}

function event(account: string, id: string, type: string, object: object) {
  return { id, object: 'event', type, account, livemode: true, created: seconds(), data: { object } };
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
