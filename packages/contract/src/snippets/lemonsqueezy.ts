import { exampleCode } from './example-code.ts';
import { routeSnippets } from './frameworks.ts';
import type { CheckoutGuide } from './snippet.ts';

/** How checkouts of Lemon Squeezy name the customer. */
export function lemonsqueezyGuide(programId: number, baseUrl: string): CheckoutGuide {
  const code = exampleCode(baseUrl, programId);
  return {
    shared: [
      { file: 'lemonsqueezy.js', language: 'js', code: code('lemonsqueezy/lemonsqueezy.js') },
      { file: 'svc-metadata.js', language: 'js', code: code('lemonsqueezy/svc-metadata.js') },
    ],
    ways: [
      {
        name: 'lemonsqueezy-checkout',
        title: 'Checkout from your server',
        about:
          'Your server adds the custom data to the address of the checkout. Lemon Squeezy repeats them in every event.',
        snippets: routeSnippets({
          web: code('lemonsqueezy/checkout.ts#checkout'),
          express: code('lemonsqueezy/express.js#imports', 'lemonsqueezy/express.js#checkout'),
          fastify: code('lemonsqueezy/fastify.js#imports', 'lemonsqueezy/fastify.js#checkout'),
        }),
      },
      {
        name: 'lemonsqueezy-link',
        title: 'Links in the page',
        about:
          'For shops without a server: the page adds the custom data to links to your store when they are used. It needs the tracker on your site.',
        snippets: [
          {
            framework: 'In the page',
            file: 'pages with links to your store',
            language: 'html',
            code: code('lemonsqueezy/checkout-link.html'),
          },
        ],
      },
    ],
  };
}
