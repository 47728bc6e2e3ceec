import { currentUser } from './current-user.js';
// #region subscription
import { stripe } from './stripe.js'; // your Stripe client
import { svcMetadata } from './svc-metadata.js';

// Next.js: app/subscribe/route.ts. Remix: action({ request }). Hono: request is c.req.raw.
export async function POST(request: Request) {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.get('cookie') ?? '', user?.id);
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_…', quantity: 1 }],
    success_url: 'https://example.com/welcome',
    metadata,
    subscription_data: { metadata }, // again, for the renewals
  });
  return Response.redirect(session.url ?? new URL('/', request.url), 303);
}
// #endregion
