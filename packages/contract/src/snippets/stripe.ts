import type { ProgramTracker } from '../values/link-parameters.ts';
import { exampleCode } from './example-code.ts';
import { routeSnippets } from './frameworks.ts';
import type { CheckoutGuide } from './snippet.ts';

/** How checkouts of Stripe name the customer. */
export function stripeGuide(programId: number, baseUrl: string, tracker?: ProgramTracker): CheckoutGuide {
  const code = exampleCode(baseUrl, programId, tracker);
  return {
    shared: [
      { file: 'stripe.js', language: 'js', code: code('stripe-checkout/stripe.js') },
      { file: 'svc-metadata.js', language: 'js', code: code('stripe-checkout/svc-metadata.js') },
    ],
    ways: [
      {
        name: 'payment',
        title: 'One-off payment',
        about: 'Checkout for something that is paid once. Put the metadata on the session.',
        snippets: routeSnippets({
          web: code('stripe-checkout/checkout.ts#payment'),
          express: code('stripe-checkout/express.js#imports', 'stripe-checkout/express.js#payment'),
          fastify: code('stripe-checkout/fastify.js#imports', 'stripe-checkout/fastify.js#payment'),
        }),
      },
      {
        name: 'subscription',
        title: 'Subscription',
        about: 'Put the metadata on the session and again on the subscription, so that every renewal carries it.',
        snippets: routeSnippets({
          web: code('stripe-checkout/subscribe.ts#subscription'),
          express: code('stripe-checkout/express.js#imports', 'stripe-checkout/express.js#subscription'),
          fastify: code('stripe-checkout/fastify.js#imports', 'stripe-checkout/fastify.js#subscription'),
        }),
      },
      {
        name: 'intent',
        title: 'Elements',
        about: 'For payments in your own page, without Checkout. Put the metadata on the PaymentIntent.',
        snippets: routeSnippets({
          web: code('stripe-checkout/payment-intent.ts#intent'),
          express: code('stripe-checkout/express.js#imports', 'stripe-checkout/express.js#intent'),
          fastify: code('stripe-checkout/fastify.js#imports', 'stripe-checkout/fastify.js#intent'),
        }),
      },
      {
        name: 'link',
        title: 'Payment Links',
        about:
          'Payment links carry none of your metadata. Load this tracker instead of svc-tracker.js: it puts the visitor’s click into the client_reference_id of links to buy.stripe.com when they are used, and of links with the attribute data-svc-pay, for a domain of your own.',
        snippets: [
          {
            framework: 'In the page',
            file: 'pages with links to buy.stripe.com',
            language: 'html',
            code: code('stripe-checkout/payment-link.html'),
          },
        ],
      },
      {
        name: 'embedded',
        title: 'Pricing tables, buy buttons',
        about:
          'Like payment links, these carry the visitor’s click in their client_reference_id. Load this tracker instead of svc-tracker.js: it sets the attribute.',
        snippets: [
          {
            framework: 'In the page',
            file: 'pages with a pricing table or a buy button',
            language: 'html',
            code: code('stripe-checkout/pricing-table.html'),
          },
        ],
      },
    ],
  };
}
