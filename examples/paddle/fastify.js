import Fastify from 'fastify';
import { currentUser } from './current-user.js';
// #region imports
import { paddle } from './paddle.js'; // your Paddle client
import { svcMetadata } from './svc-metadata.js';
// #endregion

const app = Fastify();

// #region server
app.post('/transaction', async (request, reply) => {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.cookie, user?.id);
  const transaction = await paddle.transactions.create({
    items: [{ priceId: 'pri_…', quantity: 1 }],
    customData: metadata,
  });
  return { transactionId: transaction.id };
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
await app.listen({ port });
console.log(`http://localhost:${port}`);
