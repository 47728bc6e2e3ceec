import type { ProcessorName } from '../values/processors.ts';
import { checkoutGuides } from './checkout-guides.ts';
import { indented, type Snippet } from './snippet.ts';

/** How the page of the shop opens the checkout of each processor, and the way of the guide that it uses. */
const PAGES: Record<ProcessorName, { way: string; body: string }> = {
  stripe: { way: 'payment', body: '<form method="post" action="/checkout"><button>Buy</button></form>' },
  paddle: {
    way: 'server',
    body: `<script src="https://cdn.paddle.com/paddle/v2/paddle.js"></script>
<button>Buy</button>
<script>
  Paddle.Environment.set('sandbox'); // remove this line to go live
  Paddle.Initialize({ token: 'test_…' }); // your client-side token
  document.querySelector('button').addEventListener('click', async () => {
    const response = await fetch('/transaction', { method: 'POST' });
    Paddle.Checkout.open(await response.json());
  });
</script>`,
  },
};

/** A whole shop on Express, to try everything before touching a real one. */
export function emptyShop(processor: ProcessorName, baseUrl: string, programId: number): Snippet {
  const { way, body } = PAGES[processor];
  const snippets = checkoutGuides[processor](programId, baseUrl).ways.find(({ name }) => name === way)?.snippets;
  const route = snippets?.find(({ framework }) => framework === 'Express')?.code ?? '';
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
    ${indented(body, 4)}\`);
});

`,
)}
app.listen(3000);
`,
  };
}
