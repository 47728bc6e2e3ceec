import { metadataFile, routeSnippets } from './frameworks.ts';
import type { CheckoutGuide, CheckoutWay, Snippet } from './snippet.ts';

const IMPORTS = `import { stripe } from './stripe.js'; // your Stripe client
import { svcMetadata } from './svc-metadata.js';`;

/** For a shop that has no Stripe client yet. */
const CLIENT: Snippet = {
  file: 'stripe.js',
  language: 'js',
  code: `// stripe.js: the Stripe client. Skip this if your shop has one.
import Stripe from 'stripe';

export const stripe = new Stripe(process.env.STRIPE_SECRET_KEY);
`,
};

const ONE_OFF: CheckoutWay = {
  name: 'payment',
  title: 'One-off payment',
  about: 'Checkout for something that is paid once. Put the metadata on the session.',
  snippets: routeSnippets({
    path: '/checkout',
    imports: IMPORTS,
    create: `const session = await stripe.checkout.sessions.create({
  mode: 'payment',
  line_items: [{ price: 'price_…', quantity: 1 }],
  success_url: 'https://example.com/thanks',
  metadata,
});`,
    reply: { redirect: 'session.url' },
  }),
};

const SUBSCRIPTION: CheckoutWay = {
  name: 'subscription',
  title: 'Subscription',
  about: 'Put the metadata on the session and again on the subscription, so that every renewal carries it.',
  snippets: routeSnippets({
    path: '/subscribe',
    imports: IMPORTS,
    create: `const session = await stripe.checkout.sessions.create({
  mode: 'subscription',
  line_items: [{ price: 'price_…', quantity: 1 }],
  success_url: 'https://example.com/welcome',
  metadata,
  subscription_data: { metadata }, // again, for the renewals
});`,
    reply: { redirect: 'session.url' },
  }),
};

const PAYMENT_INTENT: CheckoutWay = {
  name: 'intent',
  title: 'Elements',
  about: 'For payments in your own page, without Checkout. Put the metadata on the PaymentIntent.',
  snippets: routeSnippets({
    path: '/payment-intent',
    imports: IMPORTS,
    create: `const intent = await stripe.paymentIntents.create({
  amount: 4900,
  currency: 'usd',
  automatic_payment_methods: { enabled: true },
  metadata,
});`,
    reply: { json: '{ clientSecret: intent.client_secret }' },
  }),
};

/** The tracker that also passes the click on, in place of the plain one. */
const trackerTag = (baseUrl: string, programId: number) =>
  `<script async src="${baseUrl}/js/svc-tracker-stripe.js" data-svc-program-id="${programId}"></script>`;

const paymentLink = (programId: number, baseUrl: string): CheckoutWay => ({
  name: 'link',
  title: 'Payment Links',
  about:
    'Payment links carry none of your metadata. Load this tracker instead of svc-tracker.js: it puts the visitor’s click into the client_reference_id of links to buy.stripe.com when they are used, and of links with the attribute data-svc-pay, for a domain of your own.',
  snippets: [
    {
      framework: 'In the page',
      file: 'pages with links to buy.stripe.com',
      language: 'html',
      code: `${trackerTag(baseUrl, programId)}

<a href="https://buy.stripe.com/…">Buy</a>
`,
    },
  ],
});

const embedded = (programId: number, baseUrl: string): CheckoutWay => ({
  name: 'embedded',
  title: 'Pricing tables, buy buttons',
  about:
    'Like payment links, these carry the visitor’s click in their client_reference_id. Load this tracker instead of svc-tracker.js: it sets the attribute.',
  snippets: [
    {
      framework: 'In the page',
      file: 'pages with a pricing table or a buy button',
      language: 'html',
      code: `${trackerTag(baseUrl, programId)}

<stripe-pricing-table pricing-table-id="prctbl_…" publishable-key="pk_live_…"></stripe-pricing-table>
<script async src="https://js.stripe.com/v3/pricing-table.js"></script>
`,
    },
  ],
});

/** How checkouts of Stripe name the customer. */
export function stripeGuide(programId: number, baseUrl: string): CheckoutGuide {
  return {
    shared: [CLIENT, metadataFile(programId)],
    ways: [ONE_OFF, SUBSCRIPTION, PAYMENT_INTENT, paymentLink(programId, baseUrl), embedded(programId, baseUrl)],
  };
}
