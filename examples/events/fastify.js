import Fastify from 'fastify';
import { handle } from './handle.js';
// #region imports
import { verifyWebhook } from '@svc/node';
// #endregion

const app = Fastify();
const secret = process.env.SVC_WEBHOOK_SECRET ?? '';

// #region hook
// In a plugin of its own, so that the other routes keep getting parsed JSON.
app.register((hooks, _options, done) => {
  hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
  hooks.post('/hook', async (request, reply) => {
    const body = /** @type {Buffer} */ (request.body);
    const event = await verifyWebhook(body, request.headers, secret).catch(() => null);
    if (!event) return reply.code(400).send();
    await handle(event); // yours; if it throws, the event is sent again
    return reply.code(204).send();
  });
  done();
});
// #endregion

const address = await app.listen({ port: Number(process.env.PORT ?? 3000) });
console.log(`${address}/hook`);
