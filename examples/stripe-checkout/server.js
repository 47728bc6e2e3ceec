// server.js: a page with the tracker and a button, and the checkout route from above.
import express from 'express';
import { stripe } from './stripe.js'; // your Stripe client
import { svcMetadata } from './svc-metadata.js';

const app = express();

app.get('/', (req, res) => {
  res.send(`<!doctype html>
    <script async src="https://track.example.com/js/svc-tracker.js" data-svc-program-id="42"></script>
    <form method="post" action="/checkout"><button>Buy</button></form>`);
});

app.post('/checkout', async (req, res) => {
  const metadata = svcMetadata(req.headers.cookie); // this shop has no accounts, so everybody is a guest
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: 'price_…', quantity: 1 }],
    success_url: 'https://example.com/thanks',
    metadata,
  });
  res.redirect(303, session.url ?? '/');
});

app.listen(3000);
