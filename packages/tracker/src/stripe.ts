import { decorate } from './decorate.ts';
import { getClickId } from './tracker.ts';

/** Adds the click id to Payment Links, buy buttons and pricing tables of Stripe from now on. Does nothing on a server. */
export function decorateStripe(): void {
  if (typeof document !== 'undefined') decorate(getClickId);
}
