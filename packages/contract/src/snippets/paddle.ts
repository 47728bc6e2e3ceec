import { metadataFile, routeSnippets } from './frameworks.ts';
import { type CheckoutGuide, type CheckoutWay, CLICK_ID_PATTERN, type Snippet } from './snippet.ts';

/** For a shop that has no Paddle client yet. */
const CLIENT: Snippet = {
  file: 'paddle.js',
  language: 'js',
  code: `// paddle.js: the Paddle client. Skip this if your shop has one. For the sandbox, pass { environment: 'sandbox' } too.
import { Paddle } from '@paddle/paddle-node-sdk';

export const paddle = new Paddle(process.env.PADDLE_API_KEY);
`,
};

const ON_THE_SERVER: CheckoutWay = {
  name: 'server',
  title: 'Transaction from your server',
  about:
    'Your server creates the transaction with its custom data, and the page opens it: Paddle.Checkout.open({ transactionId }). A visitor cannot change what it says.',
  snippets: routeSnippets({
    path: '/transaction',
    imports: `import { paddle } from './paddle.js'; // your Paddle client
import { svcMetadata } from './svc-metadata.js';`,
    create: `const transaction = await paddle.transactions.create({
  items: [{ priceId: 'pri_…', quantity: 1 }],
  customData: metadata,
});`,
    reply: { json: '{ transactionId: transaction.id }' },
  }),
};

const inThePage = (programId: number): CheckoutWay => ({
  name: 'page',
  title: 'Paddle.js in the page',
  about:
    'For shops without a server: the page opens the checkout with prices and the custom data. It needs the tracker on your site.',
  snippets: [
    {
      framework: 'In the page',
      file: 'the page that opens the checkout',
      language: 'html',
      code: `<button id="buy">Buy</button>

<script src="https://cdn.paddle.com/paddle/v2/paddle.js"></script>
<script>
  Paddle.Initialize({ token: 'live_…' }); // your client-side token
  document.querySelector('#buy').addEventListener('click', () => {
    const clickId = ${CLICK_ID_PATTERN}.exec(document.cookie)?.[1];
    const customData = {
      program_id: '${programId}',
      ...(clickId && { svc_click_id: clickId }),
      // For signed-in users also svc_customer_key: your own id for the user.
    };
    Paddle.Checkout.open({ items: [{ priceId: 'pri_…', quantity: 1 }], customData });
  });
</script>
`,
    },
  ],
});

/** How checkouts of Paddle name the customer. */
export function paddleGuide(programId: number): CheckoutGuide {
  return { shared: [CLIENT, metadataFile(programId)], ways: [ON_THE_SERVER, inThePage(programId)] };
}
