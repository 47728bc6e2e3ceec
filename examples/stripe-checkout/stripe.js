// stripe.js: the Stripe client. Skip this if your shop has one.
import Stripe from 'stripe';

export const stripe = new Stripe(process.env.STRIPE_SECRET_KEY ?? '');
