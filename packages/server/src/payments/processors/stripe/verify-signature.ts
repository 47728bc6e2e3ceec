import { tryEach, type VerifySignature } from '../verify-signature.ts';

/** The maximum age of a signature. */
const TOLERANCE_SECONDS = 300;

export const verifySignature: VerifySignature = async ({ raw, headers }, secrets, now) => {
  const header = headers['stripe-signature'];
  if (!header) return { is: 'unsigned' };
  // Loaded with the first event, so that the service starts without it.
  const { default: Stripe } = await import('stripe');
  const { signature } = Stripe.webhooks;
  // `constructEvent` would refuse thin events, which are kept in order to say what to change.
  return tryEach(secrets, async (secret) =>
    Boolean(signature?.verifyHeader(raw, String(header), secret, TOLERANCE_SECONDS, undefined, now.getTime())),
  );
};
