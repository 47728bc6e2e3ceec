import { tryEach, type VerifySignature } from '../verify-signature.ts';

/** The age is judged apart, because the library says the same of an old signature and of one that does not fit. */
const ANY_AGE = 0;

export const verifySignature: VerifySignature = async ({ raw, headers }, secrets, now) => {
  const header = headers['stripe-signature'];
  if (!header) return { is: 'unsigned' };
  // Loaded with the first event, so that the service starts without it.
  const { default: Stripe } = await import('stripe');
  const { signature } = Stripe.webhooks;
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(String(header))?.[1]);
  // `constructEvent` would refuse thin events, which are kept in order to say what to change.
  const fits = async (secret: string) => Boolean(signature?.verifyHeader(raw, String(header), secret, ANY_AGE));
  return tryEach(secrets, fits, { signedAt, now });
};
