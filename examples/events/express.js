import express from 'express';
import { handle } from './handle.js';
// #region imports
import { verifyWebhook } from '@svc/node';
// #endregion

const app = express();
const secret = process.env.SVC_WEBHOOK_SECRET ?? '';

// #region hook
// Before app.use(express.json()): the signature is of the bytes, not of what they mean.
app.post('/hook', express.raw({ type: 'application/json' }), async (req, res) => {
  const event = await verifyWebhook(req.body, req.headers, secret).catch(() => null);
  if (!event) return res.sendStatus(400);
  await handle(event); // yours; if it throws, the event is sent again
  return res.sendStatus(204);
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
const server = app.listen(port, () => console.log(`http://localhost:${Object(server.address()).port}/hook`));
