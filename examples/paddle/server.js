// server.js: a page with the tracker and a button, and the checkout route from above.
import express from 'express';
import { paddle } from './paddle.js'; // your Paddle client
import { svcMetadata } from './svc-metadata.js';

const app = express();

app.get('/', (req, res) => {
  res.send(`<!doctype html>
    <script async src="https://track.example.com/js/svc-tracker.js" data-svc-program-id="42"></script>
    <script src="https://cdn.paddle.com/paddle/v2/paddle.js"></script>
    <button>Buy</button>
    <script>
      Paddle.Environment.set('sandbox'); // remove this line to go live
      Paddle.Initialize({ token: 'test_…' }); // your client-side token
      document.querySelector('button').addEventListener('click', async () => {
        const response = await fetch('/transaction', { method: 'POST' });
        Paddle.Checkout.open(await response.json());
      });
    </script>`);
});

app.post('/transaction', async (req, res) => {
  const metadata = svcMetadata(req.headers.cookie); // this shop has no accounts, so everybody is a guest
  const transaction = await paddle.transactions.create({
    items: [{ priceId: 'pri_…', quantity: 1 }],
    customData: metadata,
  });
  res.json({ transactionId: transaction.id });
});

app.listen(3000);
