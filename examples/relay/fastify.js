import Fastify from 'fastify';
// #region imports
import { fastifyRelay } from '@svc/node/relay';
// #endregion

// #region relay
// Behind a proxy, say which: otherwise all visitors have its address.
const app = Fastify({ trustProxy: 'loopback' });
app.register(fastifyRelay(), { prefix: '/x7f3a9c2' });
// #endregion

app.get('/', async (_request, reply) =>
  reply.type('text/html').send(`<!doctype html>
    <script async src="/x7f3a9c2/js/svc-tracker-42.js" data-svc-program-id="42"></script>
    <h1>Shop</h1>`),
);

const port = Number(process.env.PORT ?? 3000);
await app.listen({ port });
console.log(`http://localhost:${port}`);
