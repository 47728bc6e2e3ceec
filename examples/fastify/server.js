import Fastify from 'fastify';
import { createUser } from './shop.js';
// #region imports
import { clickIdFrom, svc } from '@svc/node';
// #endregion

const app = Fastify();

// #region signup
app.post('/signup', async (request, reply) => {
  const user = await createUser(request.body); // yours
  await svc.lead({
    customer_key: String(user.id),
    click_id: clickIdFrom(request),
    email: user.email,
  });
  return reply.code(201).send({ id: user.id });
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
await app.listen({ port });
console.log(`http://localhost:${port}`);
