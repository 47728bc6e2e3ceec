import type { RouteDefinition } from '@svc/contract';
import type { Chance } from '../../src/index.ts';
import { GENERATIONS, newId, SECRET, StripeEvents, signed } from '../payments/stripe.ts';
import type { ValidRequest } from '../routes/valid-request.ts';
import { PLATFORM_SECRET } from '../service.ts';
import type { HostileRequest } from './requests.ts';
import { nastyText, nastyValue } from './values.ts';

/** A correctly signed processor event with parts that no processor would send. */
export function hostileEvent(chance: Chance, route: RouteDefinition, valid: ValidRequest, now: Date): HostileRequest {
  const event: Record<string, unknown> = { ...eventOf(chance, valid, now), account: valid.body?.account };
  for (let changes = chance.below(4); changes > 0; changes -= 1) changeSomewhere(chance, event);
  const body = JSON.stringify(event);
  const secret = route.id === 'stripePlatformWebhook' ? PLATFORM_SECRET : SECRET;
  return { method: 'POST', path: valid.path, body, headers: signed(body, now, secret) };
}

function eventOf(chance: Chance, { program, link }: ValidRequest, now: Date) {
  const stripe = new StripeEvents(chance.pick(GENERATIONS), now);
  const metadata = {
    svc_customer_key: chance.happens(0.5) ? 'user-1' : nastyText(chance),
    ...(chance.happens(0.5) && { svc_click_id: chance.happens(0.5) ? link : nastyText(chance) }),
    ...(chance.happens(0.5) && { program_id: chance.happens(0.5) ? String(program.id) : nastyText(chance) }),
  };
  const [charge, paymentIntent] = [newId('ch'), newId('pi')];
  const paid = { metadata, paymentIntent, email: chance.pick(['a@b.test', nastyText(chance)]) };
  return chance.pick([
    () => stripe.event('checkout.session.completed', stripe.session(paid)),
    () => stripe.event('checkout.session.completed', stripe.session({ ...paid, subscription: newId('sub') })),
    () => stripe.event('invoice.paid', stripe.invoice(paid)),
    () => stripe.event('invoice_payment.paid', stripe.invoicePayment(newId('in'), paymentIntent)),
    () => stripe.event('charge.refunded', stripe.charge({ paymentIntent, cents: 5_000, refunded: 100 })),
    () => stripe.event('refund.created', stripe.refund({ charge, paymentIntent, cents: 100 })),
    () => stripe.event('charge.dispute.created', stripe.dispute({ charge, paymentIntent, cents: 100 })),
  ])();
}

/** Replaces, removes or adds a part at any depth. */
export function changeSomewhere(chance: Chance, value: Record<string, unknown>): void {
  const names = Object.keys(value);
  const name = names.length > 0 ? chance.pick(names) : 'extra';
  const part = value[name];
  if (typeof part === 'object' && part !== null && chance.happens(0.8)) {
    const copy = structuredClone(part) as Record<string, unknown>;
    changeSomewhere(chance, copy);
    value[name] = copy;
  } else if (chance.happens(0.2)) {
    delete value[name];
  } else {
    value[name] = nastyValue(chance);
  }
}
