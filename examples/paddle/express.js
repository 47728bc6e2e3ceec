import express from 'express';
import { currentUser } from './current-user.js';
// #region imports
import { paddle } from './paddle.js'; // your Paddle client
import { svcMetadata } from './svc-metadata.js';
// #endregion

const app = express();

// #region server
app.post('/transaction', async (req, res) => {
  const user = await currentUser(req); // yours; null for a guest
  const metadata = svcMetadata(req.headers.cookie, user?.id);
  const transaction = await paddle.transactions.create({
    items: [{ priceId: 'pri_…', quantity: 1 }],
    customData: metadata,
  });
  res.json({ transactionId: transaction.id });
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
