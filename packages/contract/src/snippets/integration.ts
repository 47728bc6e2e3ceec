import type { PackageUrls } from './packages.ts';
import type { IntegrationWay, Snippet } from './snippet.ts';
import { stripeGuide } from './stripe.ts';
import { trackerWays } from './tracker-ways.ts';

/** The code that reports clicks, signups and sales, filled in for one program. The API key is only named, never written. */
export type IntegrationGuide = { click: IntegrationWay[]; lead: IntegrationWay[]; sale: IntegrationWay[] };

export function integrationGuide(baseUrl: string, programId: number, packages: PackageUrls): IntegrationGuide {
  const install: Snippet = { file: 'in a terminal', language: 'sh', code: `npm install ${packages.node}\n` };
  return {
    click: trackerWays(baseUrl, programId, packages),
    lead: [
      { ...ON_SERVER, name: 'next', title: 'Next.js', snippets: [install, NEXT_SIGNUP] },
      { ...ON_SERVER, name: 'express', title: 'Express', snippets: [install, EXPRESS_SIGNUP] },
      PAGE_SIGNUP,
    ],
    sale: [
      ...stripeWays(programId, baseUrl),
      { ...YOURSELF, name: 'next', title: 'Next.js', snippets: [install, NEXT_SALE] },
      { ...YOURSELF, name: 'express', title: 'Express', snippets: [install, EXPRESS_SALE] },
    ],
  };
}

const ON_SERVER = {
  about:
    'Report it right after the user is saved. It needs the API key from step 2 in the variable SVC_API_KEY. It never throws, and never holds your code longer than three seconds.',
};

const YOURSELF = {
  about:
    'If you don’t use Stripe or Paddle: report each payment once, when it has been paid. Amounts are in the smallest unit of the currency.',
};

const NEXT_SIGNUP: Snippet = {
  file: 'app/signup/route.js',
  language: 'js',
  code: `import { clickIdFrom, svc } from '@svc/node';

export async function POST(request) {
  const user = await createUser(request); // yours
  await svc.lead({ customer_key: String(user.id), click_id: clickIdFrom(request), email: user.email });
  return Response.json({ id: user.id });
}
`,
};

const EXPRESS_SIGNUP: Snippet = {
  file: 'where the routes of your app are',
  language: 'js',
  code: `import { clickIdFrom, svc } from '@svc/node';

app.post('/signup', async (req, res) => {
  const user = await createUser(req); // yours
  await svc.lead({ customer_key: String(user.id), click_id: clickIdFrom(req), email: user.email });
  res.json({ id: user.id });
});
`,
};

const PAGE_SIGNUP: IntegrationWay = {
  name: 'page',
  title: 'In the page',
  about:
    'For sites without a server of their own: call it when the signup has succeeded. If your settings require server-side signups, it counts once your server or a payment confirms it.',
  snippets: [
    {
      file: 'the page that signs people up',
      language: 'html',
      code: `<script>
  // Call this with your own id for the user once they have signed up.
  function reportSignup(userId, email) {
    (window.svc ||= []).push(['signup', userId, email]);
  }
</script>
`,
    },
  ],
};

const NEXT_SALE: Snippet = {
  file: 'app/order/route.js',
  language: 'js',
  code: `import { clickIdFrom, svc } from '@svc/node';

export async function POST(request) {
  const order = await completeOrder(request); // yours: the order has been paid
  await svc.sale({
    transaction_id: String(order.id),
    customer_key: order.userId && String(order.userId), // the same id as at signup; guests have none
    click_id: clickIdFrom(request), // recognizes guests
    amount_cents: order.totalCents,
    currency: order.currency,
  });
  return Response.json({ id: order.id });
}
`,
};

const EXPRESS_SALE: Snippet = {
  file: 'where the routes of your app are',
  language: 'js',
  code: `import { clickIdFrom, svc } from '@svc/node';

app.post('/order', async (req, res) => {
  const order = await completeOrder(req); // yours: the order has been paid
  await svc.sale({
    transaction_id: String(order.id),
    customer_key: order.userId && String(order.userId), // the same id as at signup; guests have none
    click_id: clickIdFrom(req), // recognizes guests
    amount_cents: order.totalCents,
    currency: order.currency,
  });
  res.json({ id: order.id });
});
`,
};

/** Checkout and Payment Links, from the guide of the payments page. */
function stripeWays(programId: number, baseUrl: string): IntegrationWay[] {
  const { shared, ways } = stripeGuide(programId, baseUrl);
  const wayOf = (name: string) => ways.find((way) => way.name === name)?.snippets ?? [];
  return [
    {
      name: 'checkout',
      title: 'Stripe Checkout',
      about: 'Stripe reports the payment. Put the metadata on each checkout, so that it says who paid.',
      shared,
      snippets: wayOf('payment').slice(0, 2).map(titled),
    },
    {
      name: 'links',
      title: 'Payment Links',
      about: 'Stripe reports the payment. This adds the visitor’s click to your payment links.',
      snippets: wayOf('link'),
    },
  ];
}

const titled = ({ framework, ...snippet }: Snippet & { framework: string }): Snippet => ({
  ...snippet,
  file: `${framework}: ${snippet.file}`,
});
