import { serve } from '@hono/node-server';
import { Hono } from 'hono';
// #region imports
import { honoRelay } from '@svc/node/relay';
// #endregion

const app = new Hono();

// #region relay
// Behind a proxy or on an edge platform, name the header that it sets: honoRelay({ addressHeader: 'x-real-ip' }).
app.all('/x7f3a9c2/*', honoRelay());
// #endregion

app.get('/', (c) =>
  c.html(`<!doctype html>
    <script async src="/x7f3a9c2/js/svc-tracker-42.js" data-svc-program-id="42"></script>
    <h1>Shop</h1>`),
);

const port = Number(process.env.PORT ?? 3000);
serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`));
