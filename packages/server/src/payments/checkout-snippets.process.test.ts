import { runInNewContext } from 'node:vm';
import { checkoutGuides, emptyShop, integrationGuide, newestPackages, type ProcessorName } from '@svc/contract';
import { ExampleShop } from '@svc/testkit/service/payments/example-shop.ts';
import { connectPaddle, deliverPaddle, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import { ProcessorApi } from '@svc/testkit/service/payments/processor-api.ts';
import { connectStripe, deliver, ledger, newId, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { transform } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const service = useService();
const folder = useFolder();
const api = new ProcessorApi();
let made: TestProgram;
let shop: ExampleShop | undefined;

beforeAll(async () => {
  await api.open();
  made = await service.program();
  await connectStripe(service, made);
  await connectPaddle(service, made);
});
afterEach(() => shop?.close());
afterAll(() => api.close());

/** Where the examples load the tracker from. */
const BASE_URL = 'https://track.test';

type Asked = ProcessorApi['asked'][number]['body'];

const stripe = () => new StripeEvents('2026', service.time);
const sendStripe = (type: string, object: object) => deliver(service, made.program.id, stripe().event(type, object));

type Way = {
  /** The project in examples/. */
  example: string;
  /** The route of the shop, and what its page gets. */
  path: string;
  reply: string;
  /** The address of the processor's API that the shop calls. */
  api: string;
  /** Reports the payment like the processor would; returns the outcome. */
  pay(asked: Asked): Promise<string>;
};

const WAYS: Record<string, Way> = {
  payment: {
    example: 'stripe-checkout',
    path: 'checkout',
    reply: '303 https://checkout.stripe.com/c/pay/cs_1',
    api: '/v1/checkout/sessions',
    pay: ({ metadata }) => sendStripe('checkout.session.completed', stripe().session({ metadata })),
  },
  // The invoice knows only what the subscription was given, not the session.
  subscription: {
    example: 'stripe-checkout',
    path: 'subscribe',
    reply: '303 https://checkout.stripe.com/c/pay/cs_1',
    api: '/v1/checkout/sessions',
    pay: ({ subscription_data: { metadata } }) => sendStripe('invoice.paid', stripe().invoice({ metadata })),
  },
  intent: {
    example: 'stripe-checkout',
    path: 'payment-intent',
    reply: '200 {"clientSecret":"pi_1_secret_2"}',
    api: '/v1/payment_intents',
    pay({ amount, currency, metadata }) {
      const intent = { id: newId('pi'), amount_received: Number(amount), currency, customer: null, metadata };
      return sendStripe('payment_intent.succeeded', intent);
    },
  },
  server: {
    example: 'paddle',
    path: 'transaction',
    reply: '200 {"transactionId":"txn_1"}',
    api: '/transactions',
    pay({ custom_data: customData }) {
      const paddle = new PaddleEvents(service.time);
      const transaction = paddle.transaction({ customData });
      return deliverPaddle(service, made.program.id, paddle.event('transaction.completed', transaction));
    },
  },
};

/** How the routes of an example are started, by framework as the guide names it. */
const STARTS: Record<string, (shop: ExampleShop, paths: string[]) => Promise<void>> = {
  'Next.js, Remix, Hono': (shop, paths) => shop.startHandlers(paths),
  Express: (shop) => shop.start('express.js'),
  Fastify: (shop) => shop.start('fastify.js'),
};

async function copied(example: string, env: Record<string, string> = {}): Promise<ExampleShop> {
  shop = new ExampleShop(folder.path, env);
  await shop.copy(example, made.program.id, api.port);
  return shop;
}

const commissions = async () => (await ledger(service, made.program.id)).map(({ commission }) => Number(commission));

/** Runs the script of a page, presses its button, and returns the checkouts that it opens. */
async function openedBy(page: string, shop: ExampleShop): Promise<unknown[]> {
  const opened: unknown[] = [];
  let press: (() => Promise<void>) | undefined;
  runInNewContext(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '', {
    Paddle: {
      Environment: { set() {} },
      Initialize() {},
      Checkout: { open: (options: object) => opened.push(options) },
    },
    document: { querySelector: () => ({ addEventListener: (_type: string, on: typeof press) => (press = on) }) },
    fetch: (path: string, { method }: { method: string }) => shop.request(method, path),
  });
  await press?.();
  api.asked.pop();
  return opened;
}

describe('the checkout code that the guide shows', () => {
  it('is run here as far as it runs on a server', () => {
    const guides = Object.values(checkoutGuides).flatMap((guideOf) => guideOf(42, BASE_URL).ways);
    const onServer = guides.filter(({ snippets }) => snippets.some(({ language }) => language !== 'html'));
    expect(onServer.map(({ name }) => name)).toEqual(Object.keys(WAYS));
    for (const { snippets } of onServer) {
      expect(snippets.map(({ framework }) => framework)).toEqual(Object.keys(STARTS));
    }
  });

  it.each(
    ['stripe-checkout', 'paddle'].flatMap((example) =>
      Object.keys(STARTS).map((framework) => ({ example, framework })),
    ),
  )('credits the partner for every kind of payment with $framework: $example', async ({ example, framework }) => {
    const ways = Object.values(WAYS).filter((way) => way.example === example);
    const shop = await copied(example);
    await STARTS[framework]?.(
      shop,
      ways.map(({ path }) => path),
    );
    for (const { path, reply, api: address, pay } of ways) {
      const clickId = await service.clickId(made.link);
      const user = newId('user');
      const before = await commissions();
      const got = await shop.request('POST', `/${path}`, { cookie: `a=b; svc_click_id=${clickId}; c=d`, user });
      expect(`${got.status} ${got.headers.get('location') ?? (await got.text())}`).toBe(reply);
      const asked = api.asked.pop();
      expect(asked?.path).toBe(address);
      expect(asked?.body.metadata ?? asked?.body.custom_data).toEqual({
        program_id: String(made.program.id),
        svc_click_id: clickId,
        svc_customer_key: user,
      });
      expect([path, await pay(asked?.body ?? {})]).toEqual([path, 'recorded']);
      expect(await commissions()).toHaveLength(before.length + 1);
      // The payment has introduced the customer: /track/sale now knows their key.
      const again = { transaction_id: newId('order'), amount_cents: 1_000, customer_key: user };
      expect((await service.sale(again, { key: made.apiKey })).body.data.commission_cents).toBe(200);
    }
  });

  it.each<[ProcessorName, string, string]>([
    ['stripe', 'payment', '<form method="post" action="/checkout">'],
    ['paddle', 'server', "fetch('/transaction', { method: 'POST' })"],
  ])('makes a whole shop with %s out of nothing, also for visitors without a click', async (processor, way, button) => {
    const { example, path, pay } = WAYS[way] as Way;
    const shop = await copied(example);
    await shop.startOn3000('server.js');
    expect(emptyShop(processor, BASE_URL, made.program.id).code).toContain(button);
    const page = await (await shop.request('GET', '/')).text();
    expect(page).toContain(`/js/svc-tracker.js" data-svc-program-id="${made.program.id}"`);
    expect(page).toContain(button);
    const buy = async (cookie: string) => {
      expect((await shop.request('POST', `/${path}`, { cookie })).status).toBeLessThan(400);
      return api.asked.pop()?.body ?? {};
    };
    if (processor === 'paddle') expect(await openedBy(page, shop)).toEqual([{ transactionId: 'txn_1' }]);
    const clickId = await service.clickId(made.link);
    expect(await pay(await buy(`svc_click_id=${clickId}`))).toBe('recorded');
    for (const cookie of ['', 'svc_click_id=', 'not_svc_click_id=cust_1_2', 'svc_click_id=%22%3E']) {
      const { metadata, custom_data: customData } = await buy(cookie);
      expect(metadata ?? customData).toEqual({ program_id: String(made.program.id) });
    }
  });
});

describe('the code for signups and sales that the setup guide shows', () => {
  let baseUrl = '';
  beforeAll(async () => {
    baseUrl = await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  });

  it.each(['nextjs', 'express'])('credits the partner, with %s', async (example) => {
    const shop = await copied(example, { SVC_API_KEY: made.apiKey, SVC_API_URL: baseUrl });
    await (example === 'nextjs' ? shop.startHandlers(['signup', 'order']) : shop.start('server.js'));
    const user = newId('user');
    const cookie = `svc_click_id=${await service.clickId(made.link)}`;
    const signup = await shop.request('POST', '/signup', { cookie, body: { id: user, email: `${user}@mail.test` } });
    expect([signup.status, await signup.json()]).toEqual([201, { id: user }]);
    // The order comes later, without the cookie: the same user id is enough.
    const order = { id: `order-${user}`, userId: user, amountCents: 4900, currency: 'USD' };
    expect(await (await shop.request('POST', '/order', { body: order })).json()).toEqual({ id: `order-${user}` });
    const sales = await service.sql(
      `select c.customer_key, c.email_masked is not null as has_email, m.commission_cents
       from sales s join customers c on c.id = s.customer_id join commissions m on m.sale_id = s.id
       where s.processor_event_id = $1`,
      [`order-${user}`],
    );
    expect(sales).toEqual([{ customer_key: user, has_email: true, commission_cents: 980 }]);
  });

  it('contains no key, and parses', async () => {
    const guide = integrationGuide('https://track.test', 42, newestPackages('https://track.test'));
    const ways = [...guide.click, ...guide.lead, ...guide.sale];
    for (const { file, language, code } of ways.flatMap((way) => [...(way.shared ?? []), ...way.snippets])) {
      expect(code).not.toContain('svc_key_');
      const script = language === 'html' ? (/<script>([\s\S]*)<\/script>/.exec(code)?.[1] ?? '') : code;
      if (language === 'sh') continue;
      // Rejects if there are errors.
      const { warnings } = await transform(script, { sourcefile: file, loader: 'tsx', jsx: 'preserve' });
      expect([file, warnings]).toEqual([file, []]);
    }
  });
});
