import { currentUser } from './current-user.js';
// #region intent
import { stripe } from './stripe.js'; // your Stripe client
import { svcMetadata } from './svc-metadata.js';

// Next.js: app/payment-intent/route.ts. Remix: action({ request }). Hono: request is c.req.raw.
export async function POST(request: Request) {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.get('cookie') ?? '', user?.id);
  const intent = await stripe.paymentIntents.create({
    amount: 4900,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
    metadata,
  });
  return Response.json({ clientSecret: intent.client_secret });
}
// #endregion
