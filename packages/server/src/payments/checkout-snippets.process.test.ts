import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import {
  checkoutGuides,
  type EMPTY_SHOPS,
  emptyShop,
  integrationGuide,
  newestPackages,
  PROCESSORS,
} from '@svc/contract';
import { CUSTOM_SECRET } from '@svc/testkit/service/payments/custom.ts';
import { ExampleShop } from '@svc/testkit/service/payments/example-shop.ts';
import { LemonEvents, lemonSigned } from '@svc/testkit/service/payments/lemonsqueezy.ts';
import { connectPaddle, deliverPaddle, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import { PolarEvents, polarSigned } from '@svc/testkit/service/payments/polar.ts';
import { ProcessorApi } from '@svc/testkit/service/payments/processor-api.ts';
import { SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { connectStripe, deliver, ledger, newId, StripeEvents, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { transform } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const service = useService();
const folder = useFolder();
const api = new ProcessorApi();
let made: TestProgram;
let baseUrl = '';
let shop: ExampleShop | undefined;

beforeAll(async () => {
  await api.open();
  baseUrl = await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  made = await service.program();
  await connectStripe(service, made);
  await connectPaddle(service, made);
  for (const name of ['polar', 'lemonsqueezy', 'custom'] as const) await SHOPS[name](service).connect(made);
});
afterEach(() => shop?.close());
afterAll(() => api.close());

/** Where the examples load the tracker from. */
const BASE_URL = 'https://track.test';

type Asked = ProcessorApi['asked'][number]['body'];

const stripe = () => new StripeEvents('2026', service.time);
const sendStripe = (type: string, object: object) => deliver(service, made.program.id, stripe().event(type, object));

/** Sends an event and returns its outcome. */
async function sendSigned(processor: string, body: string, headers: Record<string, string>): Promise<string> {
  const { id } = made.program;
  await service.call('POST', `/api/v1/webhooks/${processor}/${id}`, { body, headers });
  await settle(service);
  const [event] = await service.sql<{ outcome: string }>(
    'select outcome from processor_events where program_id = $1 and provider = $2 order by id desc limit 1',
    [id, processor],
  );
  return event?.outcome ?? 'not stored';
}

type Way = {
  /** The project in examples/. */
  example: string;
  /** The route of the shop, and what its page gets. */
  path: string;
  reply: string;
  /** The address of the processor's API that the shop calls. Null if the address of the checkout says it all. */
  api: string | null;
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
  'polar-checkout': {
    example: 'polar',
    path: 'checkout',
    reply: '303 https://polar.sh/checkout/polar_c_1',
    api: '/v1/checkouts/',
    pay({ metadata }) {
      const polar = new PolarEvents(service.time);
      const body = JSON.stringify(polar.event('order.paid', polar.order({ metadata })));
      return sendSigned('polar', body, polarSigned(body, service.time));
    },
  },
  'lemonsqueezy-checkout': {
    example: 'lemonsqueezy',
    path: 'checkout',
    reply: '303 https://your-store.lemonsqueezy.com/checkout/buy/%E2%80%A6',
    api: null,
    pay({ custom_data: customData }) {
      const lemon = new LemonEvents(service.time);
      const body = JSON.stringify(lemon.event('order_created', lemon.order(), customData));
      return sendSigned('lemonsqueezy', body, lemonSigned(body));
    },
  },
};

/** What the address that a shop redirects to says, as Lemon Squeezy reads it. */
function addressParts({ headers }: Response): { path: string; body: Asked } {
  const { pathname, searchParams } = new URL(headers.get('location') ?? '');
  const named = [...searchParams].map(([name, value]) => [/^checkout\[custom\]\[(\w+)\]$/.exec(name)?.[1], value]);
  return { path: pathname, body: { custom_data: Object.fromEntries(named) } };
}

/** The file that serves the routes of an example, by framework as the guide names it. */
const FRAMEWORKS: Record<string, (shop: ExampleShop, paths: string[]) => Promise<string>> = {
  'Next.js, Remix, Hono': (shop, paths) => shop.writeServer(paths),
  Express: async () => 'express.js',
  Fastify: async () => 'fastify.js',
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
    // Shops without a known processor report payments where they learn of them; see below.
    const withRoutes = PROCESSORS.filter((name) => name !== 'custom');
    const guides = withRoutes.flatMap((name) => checkoutGuides[name](42, BASE_URL).ways);
    const onServer = guides.filter(({ snippets }) => snippets.some(({ language }) => language !== 'html'));
    expect(onServer.map(({ name }) => name)).toEqual(Object.keys(WAYS));
    for (const { snippets } of onServer) {
      expect(snippets.map(({ framework }) => framework)).toEqual(Object.keys(FRAMEWORKS));
    }
  });

  it.each(['stripe-checkout', 'paddle', 'polar', 'lemonsqueezy'])(
    'credits the partner for every kind of payment, with every framework: %s',
    async (example) => {
      const ways = Object.values(WAYS).filter((way) => way.example === example);
      const paths = ways.map(({ path }) => path);
      const shop = await copied(example);
      const files = await Promise.all(Object.values(FRAMEWORKS).map((fileOf) => fileOf(shop, paths)));
      await shop.startTogether(files);
      for (const [file, { path, reply, api: address, pay }] of files.flatMap((file) =>
        ways.map((way) => [file, way] as const),
      )) {
        shop.choose(file);
        const clickId = await service.clickId(made.link);
        const user = newId('user');
        const before = await commissions();
        const got = await shop.request('POST', `/${path}`, { cookie: `a=b; svc_click_id=${clickId}; c=d`, user });
        const shown = `${got.status} ${got.headers.get('location') ?? (await got.text())}`;
        expect([file, shown.replace(/\?.*/, '')]).toEqual([file, reply]);
        const asked = address === null ? addressParts(got) : api.asked.pop();
        expect(asked?.path).toBe(address ?? '/checkout/buy/%E2%80%A6');
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
    },
  );

  it.each<[(typeof EMPTY_SHOPS)[number], string, string]>([
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

describe('the code for shops with any other payment processor', () => {
  it('records a payment and takes back a refund', async () => {
    await copied('custom');
    const [report, payments] = await Promise.all(
      ['report-event.js', 'payments.js'].map((file) => readFile(join(folder.path, file), 'utf8')),
    );
    await writeFile(join(folder.path, 'report-event.js'), String(report).replace('https://track.example.com', baseUrl));
    const clickId = await service.clickId(made.link);
    const order = {
      id: newId('order'),
      cents: 11_900,
      taxCents: 1_900,
      currency: 'EUR',
      userId: newId('user'),
      clickId,
    };
    await writeFile(
      join(folder.path, 'main.js'),
      // The clock of the shop is that of the service.
      `${payments}\nDate.now = () => ${service.time.getTime()};\nconst order = ${JSON.stringify(order)};\nawait orderPaid(order);\nawait orderRefunded(order, { id: 'r1', cents: 1190 });`,
    );
    await run(process.execPath, ['main.js'], { cwd: folder.path, env: { SVC_WEBHOOK_SECRET: CUSTOM_SECRET } });
    await settle(service);
    const sales = await ledger(service, made.program.id);
    expect(sales.filter(({ id }) => id === order.id)).toMatchObject([
      { cents: 11_900, currency: 'EUR', refunded: 1_190, commission: 2_000, deducted: 200 },
    ]);
  });
});

describe('the code for signups and sales that the setup guide shows', () => {
  it.each(['nextjs', 'express'])('credits the partner, with %s', async (example) => {
    const shop = await copied(example, { SVC_API_KEY: made.apiKey, SVC_API_URL: baseUrl });
    await shop.start(example === 'nextjs' ? await shop.writeServer(['signup', 'order']) : 'server.js');
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
