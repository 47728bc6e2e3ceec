import { CLICK_ID_PATTERN, type IntegrationWay, type Snippet } from './snippet.ts';
import { stripeGuide } from './stripe.ts';
import { trackerWays } from './tracker-ways.ts';

/** The code that reports clicks, signups and sales, filled in for one program. The API key is only named, never written. */
export type IntegrationGuide = { click: IntegrationWay[]; lead: IntegrationWay[]; sale: IntegrationWay[] };

export function integrationGuide(baseUrl: string, programId: number): IntegrationGuide {
  const shared = [serverFile(baseUrl)];
  return {
    click: trackerWays(baseUrl, programId),
    lead: [
      { ...ON_SERVER, name: 'next', title: 'Next.js', shared, snippets: [NEXT_SIGNUP] },
      { ...ON_SERVER, name: 'express', title: 'Express', shared, snippets: [EXPRESS_SIGNUP] },
      PAGE_SIGNUP,
    ],
    sale: [
      ...stripeWays(programId),
      { ...YOURSELF, name: 'next', title: 'Next.js', shared, snippets: [NEXT_SALE] },
      { ...YOURSELF, name: 'express', title: 'Express', shared, snippets: [EXPRESS_SALE] },
    ],
  };
}

const ON_SERVER = {
  about: 'Report it right after the user is saved. It needs the API key from step 2 in the variable SVC_API_KEY.',
};

const YOURSELF = {
  about:
    'If you don’t use Stripe or Paddle: report each payment once, when it has been paid. Amounts are in the smallest unit of the currency.',
};

/** The file that all server-side snippets import. */
const serverFile = (baseUrl: string): Snippet => ({
  file: 'svc.js',
  language: 'js',
  code: `// svc.js: reports signups and sales. Server only: the API key must not reach a browser.
async function report(event, body) {
  try {
    const response = await fetch('${baseUrl}/api/v1/track/' + event, {
      method: 'POST',
      headers: { Authorization: 'Bearer ' + process.env.SVC_API_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) console.error('svc:', event, response.status, await response.text());
  } catch (error) {
    console.error('svc:', event, error); // a signup or payment must not fail because of tracking
  }
}

// The tracker sets this cookie when a visitor arrives through a partner's link.
const clickIdIn = (cookieHeader) => ${CLICK_ID_PATTERN}.exec(cookieHeader ?? '')?.[1];

export const reportSignup = ({ userId, email, cookieHeader }) =>
  report('lead', { click_id: clickIdIn(cookieHeader), customer_key: String(userId), email });

// userId is the same id as at signup. Guests have none: they are recognized by the cookie.
export const reportSale = ({ orderId, userId, amountCents, currency, cookieHeader }) =>
  report('sale', {
    transaction_id: String(orderId),
    customer_key: userId === undefined ? undefined : String(userId),
    click_id: clickIdIn(cookieHeader),
    amount_cents: amountCents,
    currency,
  });
`,
});

const NEXT_SIGNUP: Snippet = {
  file: 'app/signup/route.js',
  language: 'js',
  code: `import { reportSignup } from './svc.js'; // adjust the path

export async function POST(request) {
  const user = await createUser(request); // yours
  await reportSignup({ userId: user.id, email: user.email, cookieHeader: request.headers.get('cookie') });
  return Response.json({ id: user.id });
}
`,
};

const EXPRESS_SIGNUP: Snippet = {
  file: 'where the routes of your app are',
  language: 'js',
  code: `import { reportSignup } from './svc.js';

app.post('/signup', async (req, res) => {
  const user = await createUser(req); // yours
  await reportSignup({ userId: user.id, email: user.email, cookieHeader: req.headers.cookie });
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
  code: `import { reportSale } from './svc.js'; // adjust the path

export async function POST(request) {
  const order = await completeOrder(request); // yours: the order has been paid
  await reportSale({
    orderId: order.id,
    userId: order.userId,
    amountCents: order.totalCents,
    currency: order.currency,
    cookieHeader: request.headers.get('cookie'),
  });
  return Response.json({ id: order.id });
}
`,
};

const EXPRESS_SALE: Snippet = {
  file: 'where the routes of your app are',
  language: 'js',
  code: `import { reportSale } from './svc.js';

app.post('/order', async (req, res) => {
  const order = await completeOrder(req); // yours: the order has been paid
  await reportSale({
    orderId: order.id,
    userId: order.userId,
    amountCents: order.totalCents,
    currency: order.currency,
    cookieHeader: req.headers.cookie,
  });
  res.json({ id: order.id });
});
`,
};

/** Checkout and Payment Links, from the guide of the payments page. */
function stripeWays(programId: number): IntegrationWay[] {
  const { shared, ways } = stripeGuide(programId);
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
