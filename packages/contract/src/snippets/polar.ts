import { exampleCode } from './example-code.ts';
import { routeSnippets } from './frameworks.ts';
import type { CheckoutGuide } from './snippet.ts';

/** How checkouts of Polar name the customer. */
export function polarGuide(programId: number, baseUrl: string): CheckoutGuide {
  const code = exampleCode(baseUrl, programId);
  return {
    shared: [
      { file: 'polar.js', language: 'js', code: code('polar/polar.js') },
      { file: 'svc-metadata.js', language: 'js', code: code('polar/svc-metadata.js') },
    ],
    ways: [
      {
        name: 'polar-checkout',
        title: 'Checkout from your server',
        about:
          'Put the metadata on the checkout. Polar copies them to the order, to the subscription and to its renewals.',
        snippets: routeSnippets({
          web: code('polar/checkout.ts#checkout'),
          express: code('polar/express.js#imports', 'polar/express.js#checkout'),
          fastify: code('polar/fastify.js#imports', 'polar/fastify.js#checkout'),
        }),
      },
      {
        name: 'polar-link',
        title: 'Checkout Links',
        about:
          'For shops without a server: the page puts the visitor’s click into the reference_id of links to buy.polar.sh when they are used. It needs the tracker on your site.',
        snippets: [
          {
            framework: 'In the page',
            file: 'pages with links to buy.polar.sh',
            language: 'html',
            code: code('polar/checkout-link.html'),
          },
        ],
      },
    ],
  };
}
