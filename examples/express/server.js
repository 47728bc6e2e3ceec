import express from 'express';
import { orderPaid } from './paid.js';
import { orderRefunded } from './refunded.js';
import { completeOrder, createUser } from './shop.js';
// #region imports
import { clickIdFrom, svc } from '@svc/node';
// #endregion

const app = express();
app.use(express.json());

app.get('/', (_req, res) => {
  res.send(`<!doctype html>
    <script async src="https://track.example.com/js/svc-tracker.js" data-svc-program-id="42"></script>
    <h1>Shop</h1>`);
});

// #region signup
app.post('/signup', async (req, res) => {
  const user = await createUser(req.body); // yours
  await svc.lead({
    customer_key: String(user.id),
    click_id: clickIdFrom(req),
    email: user.email,
  });
  res.status(201).json({ id: user.id });
});
// #endregion

// #region order
app.post('/order', async (req, res) => {
  const order = await completeOrder(req.body); // yours: the order has been paid
  await svc.sale({
    transaction_id: String(order.id),
    customer_key: order.userId && String(order.userId), // the same id as at signup; guests have none
    click_id: clickIdFrom(req), // recognizes guests
    amount_cents: order.amountCents,
    currency: order.currency,
  });
  res.json({ id: order.id });
});
// #endregion

// What the webhook of a payment provider would call.
app.post('/paid', async (req, res) => {
  res.json(await orderPaid(req.body));
});

app.post('/refunded', async (req, res) => {
  res.json(await orderRefunded(req.body.order, req.body.refund));
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
