import { exampleCode } from './example-code.ts';
import { routeSnippets } from './frameworks.ts';
import type { CheckoutGuide } from './snippet.ts';

/** How checkouts of Paddle name the customer. */
export function paddleGuide(programId: number, baseUrl: string): CheckoutGuide {
  const code = exampleCode(baseUrl, programId);
  return {
    shared: [
      { file: 'paddle.js', language: 'js', code: code('paddle/paddle.js') },
      { file: 'svc-metadata.js', language: 'js', code: code('paddle/svc-metadata.js') },
    ],
    ways: [
      {
        name: 'server',
        title: 'Transaction from your server',
        about:
          'Your server creates the transaction with its custom data, and the page opens it: Paddle.Checkout.open({ transactionId }). A visitor cannot change what it says.',
        snippets: routeSnippets({
          web: code('paddle/transaction.ts#server'),
          express: code('paddle/express.js#imports', 'paddle/express.js#server'),
          fastify: code('paddle/fastify.js#imports', 'paddle/fastify.js#server'),
        }),
      },
      {
        name: 'page',
        title: 'Paddle.js in the page',
        about:
          'For shops without a server: the page opens the checkout with prices and the custom data. It needs the tracker on your site.',
        snippets: [
          {
            framework: 'In the page',
            file: 'the page that opens the checkout',
            language: 'html',
            code: code('paddle/checkout.html'),
          },
        ],
      },
    ],
  };
}
