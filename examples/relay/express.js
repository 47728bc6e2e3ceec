import express from 'express';
// #region imports
import { expressRelay } from '@svc/node/relay';
// #endregion

const app = express();

// #region relay
// Behind a proxy, say which: otherwise all visitors have its address.
app.set('trust proxy', 'loopback');
app.use('/x7f3a9c2', expressRelay());
// #endregion

app.use(express.json());
app.get('/', (_req, res) => {
  res.send(`<!doctype html>
    <script async src="/x7f3a9c2/js/svc-tracker-42.js" data-svc-program-id="42"></script>
    <h1>Shop</h1>`);
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => console.log(`http://localhost:${port}`));
