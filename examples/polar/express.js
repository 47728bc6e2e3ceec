import express from 'express';
import { currentUser } from './current-user.js';
// #region imports
import { createCheckout } from './polar.js';
import { svcMetadata } from './svc-metadata.js';
// #endregion

const app = express();

// #region checkout
app.post('/checkout', async (req, res) => {
  const user = await currentUser(req); // yours; null for a guest
  const metadata = svcMetadata(req.headers.cookie, user?.id);
  res.redirect(303, await createCheckout(metadata));
});
// #endregion

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
