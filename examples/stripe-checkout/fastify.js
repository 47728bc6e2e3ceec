import Fastify from 'fastify';
import { currentUser } from './current-user.js';
// #region imports
import { stripe } from './stripe.js'; // your Stripe client
import { svcMetadata } from './svc-metadata.js';
// #endregion

const app = Fastify();

// #region payment
app.post('/checkout', async (request, reply) => {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.cookie, user?.id);
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: 'price_…', quantity: 1 }],
    success_url: 'https://example.com/thanks',
    metadata,
  });
  return reply.redirect(session.url ?? '/', 303);
});
// #endregion

// #region subscription
app.post('/subscribe', async (request, reply) => {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.cookie, user?.id);
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_…', quantity: 1 }],
    success_url: 'https://example.com/welcome',
    metadata,
    subscription_data: { metadata }, // again, for the renewals
  });
  return reply.redirect(session.url ?? '/', 303);
});
// #endregion

// #region intent
app.post('/payment-intent', async (request, reply) => {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.cookie, user?.id);
  const intent = await stripe.paymentIntents.create({
    amount: 4900,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
    metadata,
  });
  return { clientSecret: intent.client_secret };
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
await app.listen({ port });
console.log(`http://localhost:${port}`);
