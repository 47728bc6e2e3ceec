import express from 'express';
import { currentUser } from './current-user.js';
// #region imports
import { stripe } from './stripe.js'; // your Stripe client
import { svcMetadata } from './svc-metadata.js';
// #endregion

const app = express();

// #region payment
app.post('/checkout', async (req, res) => {
  const user = await currentUser(req); // yours; null for a guest
  const metadata = svcMetadata(req.headers.cookie, user?.id);
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: 'price_…', quantity: 1 }],
    success_url: 'https://example.com/thanks',
    metadata,
  });
  res.redirect(303, session.url ?? '/');
});
// #endregion

// #region subscription
app.post('/subscribe', async (req, res) => {
  const user = await currentUser(req); // yours; null for a guest
  const metadata = svcMetadata(req.headers.cookie, user?.id);
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_…', quantity: 1 }],
    success_url: 'https://example.com/welcome',
    metadata,
    subscription_data: { metadata }, // again, for the renewals
  });
  res.redirect(303, session.url ?? '/');
});
// #endregion

// #region intent
app.post('/payment-intent', async (req, res) => {
  const user = await currentUser(req); // yours; null for a guest
  const metadata = svcMetadata(req.headers.cookie, user?.id);
  const intent = await stripe.paymentIntents.create({
    amount: 4900,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
    metadata,
  });
  res.json({ clientSecret: intent.client_secret });
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
