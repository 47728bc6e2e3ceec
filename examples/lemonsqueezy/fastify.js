import Fastify from 'fastify';
import { currentUser } from './current-user.js';
// #region imports
import { checkoutUrl } from './lemonsqueezy.js';
import { svcMetadata } from './svc-metadata.js';
// #endregion

const app = Fastify();

// #region checkout
app.post('/checkout', async (request, reply) => {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.cookie, user?.id);
  return reply.redirect(checkoutUrl(metadata), 303);
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
await app.listen({ port });
console.log(`http://localhost:${port}`);
