import type { Snippet } from './snippet.ts';
import { stripeGuide } from './stripe.ts';

/** A whole shop on Express, to try everything before touching a real one. */
export function emptyShop(baseUrl: string, programId: number): Snippet {
  const payment = stripeGuide(programId).ways.find(({ name }) => name === 'payment');
  const route = payment?.snippets.find(({ framework }) => framework === 'Express')?.code ?? '';
  return {
    file: 'server.js',
    language: 'js',
    code: `// server.js: a page with the tracker and a button, and the checkout route from above.
import express from 'express';
${route.replace(
  '\n\n',
  `

const app = express();
const currentUser = async () => null; // this shop has no accounts, so everybody is a guest

app.get('/', (req, res) => {
  res.send(\`<!doctype html>
    <script async src="${baseUrl}/js/svc-tracker.js" data-svc-program-id="${programId}"></script>
    <form method="post" action="/checkout"><button>Buy</button></form>\`);
});

`,
)}
app.listen(3000);
`,
  };
}
