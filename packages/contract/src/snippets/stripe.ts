import { metadataFile, routeSnippets } from './frameworks.ts';
import { type CheckoutGuide, type CheckoutWay, CLICK_ID_PATTERN, type Snippet } from './snippet.ts';

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

const PAYMENT_LINK: CheckoutWay = {
  name: 'link',
  title: 'Payment Links',
  about:
    'Payment links carry none of your metadata. This puts the visitor’s click into its client_reference_id when they follow it. It needs the tracker on your site.',
  snippets: [
    {
      framework: 'In the page',
      file: 'pages with links to buy.stripe.com',
      language: 'html',
      code: `<a href="https://buy.stripe.com/…">Buy</a>

<script>
  function addClickId(event) {
    const link = event.target.closest('a[href^="https://buy.stripe.com/"]');
    const clickId = ${CLICK_ID_PATTERN}.exec(document.cookie)?.[1];
    if (!link || !clickId) return;
    const url = new URL(link.href);
    url.searchParams.set('client_reference_id', clickId);
    link.href = url.href;
  }
  // Clicks with any button, before the browser follows the link.
  for (const type of ['click', 'auxclick']) document.addEventListener(type, addClickId, true);
</script>
`,
    },
  ],
};

const EMBEDDED: CheckoutWay = {
  name: 'embedded',
  title: 'Pricing tables, buy buttons',
  about:
    'Like payment links, these carry the visitor’s click in their client_reference_id. Put the code between the element and Stripe’s script.',
  snippets: [
    {
      framework: 'In the page',
      file: 'pages with a pricing table or a buy button',
      language: 'html',
      code: `<stripe-pricing-table pricing-table-id="prctbl_…" publishable-key="pk_live_…"></stripe-pricing-table>

<script>
  function addClickId() {
    const clickId = ${CLICK_ID_PATTERN}.exec(document.cookie)?.[1];
    for (const element of document.querySelectorAll('stripe-pricing-table, stripe-buy-button')) {
      if (!clickId || element.getAttribute('client-reference-id') === clickId) continue;
      // A new element, because Stripe reads the attribute when it draws the element.
      const copy = element.cloneNode();
      copy.setAttribute('client-reference-id', clickId);
      element.replaceWith(copy);
    }
  }
  addClickId();
  addEventListener('svc', addClickId); // the tracker has recorded a click in this page
</script>
<script async src="https://js.stripe.com/v3/pricing-table.js"></script>
`,
    },
  ],
};

/** How checkouts of Stripe name the customer. */
export function stripeGuide(programId: number): CheckoutGuide {
  return {
    shared: [CLIENT, metadataFile(programId)],
    ways: [ONE_OFF, SUBSCRIPTION, PAYMENT_INTENT, PAYMENT_LINK, EMBEDDED],
  };
}
