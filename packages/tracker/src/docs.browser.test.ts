import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { connectPaddle, deliverPaddle, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import { connectStripe, deliver, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { clickIdOn, trackerOn } from '../test/visitor.ts';
import { describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();
const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

/** The examples in a language, in order, with the service and program of the test filled in. */
function examples(language: string, programId: number, text = read('tracker.md')): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code = '']) =>
    code
      .replaceAll('https://track.example.com', world.front.url)
      .replaceAll('"42"', `"${programId}"`)
      .replaceAll("'42'", `'${programId}'`)
      .replace(/programId(: |=\{)42/, `programId$1${programId}`),
  );
}

/** A page with markup and code that imports the package. */
async function pageOf(code: string, loader: 'js' | 'jsx', markup = ''): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  });
  world.site.put('/example.js', outputFiles[0]?.text ?? '');
  return world.site.path('package', { tag: `${markup}<script defer src="/example.js"></script>` });
}

describeInBrowser('the examples in docs/tracker.md', () => {
  it('report a click and a signup with the script tag, including early calls', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const [tag = '', signup = '', stub = ''] = examples('html', program.program.id);
    const path = world.site.path('script', { tag: stub + tag + signup });

    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1' }]);
    expect(visitor.pageErrors).toEqual([]);
  });

  it('ask for consent', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const tag = examples('html', program.program.id).find((code) => code.includes('data-svc-consent')) ?? '';
    const path = world.site.path('script', { tag });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await trackerOn(page);
    expect(visitor.clicks).toEqual([]);

    await page.getByText('Accept').click();
    await clickIdOn(page);
    await page.getByText('Refuse').click();

    expect(visitor.clicks).toHaveLength(1);
    expect(await visitor.cookies()).toEqual({});
  });

  it('work with the package', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const [code = ''] = examples('js', program.program.id);
    const path = await pageOf(code, 'js', '<button id="join">Join</button>');
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);

    await page.click('#join');

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1' }]);
    await eventually(
      () => visitor.console,
      (lines) => lines.length > 0,
    );
    expect(visitor.console).toEqual([expect.stringMatching(/^log cust_/)]);
  });

  it('work with React', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const [code = ''] = examples('jsx', program.program.id);
    const start = `import { createRoot } from 'react-dom/client'; createRoot(document.body).render(<App />);`;
    const path = await pageOf(`${code}\n${start}`, 'jsx');
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);

    await page.getByText('Join with your discount').click();

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1' }]);
  });
});

describeInBrowser('the code for pages in the docs of payment processors', () => {
  it('passes on the click of a visitor who has just arrived, and their payments credit the partner', async () => {
    const { service } = world;
    const program = await world.program();
    const { id } = program.program;
    await connectStripe(service, program);
    await connectPaddle(service, program);
    const visitor = await world.visitor();
    // Stands in for the processors: their pages and scripts.
    const paddleJs = 'window.Paddle = { Initialize() {}, Checkout: { open: (options) => (window.opened = options) } };';
    await visitor.context.route(/^https:\/\/(buy\.stripe|js\.stripe|cdn\.paddle)\.com\//, (route) =>
      route.fulfill({ body: route.request().url().endsWith('/paddle.js') ? paddleJs : '' }),
    );
    const processors = ['payments.md', 'paddle.md', 'polar.md', 'lemon-squeezy.md'];
    const parts = processors.flatMap((name) => examples('html', id, read(name)));
    expect(parts).toHaveLength(5);
    const path = world.site.path('script', { tag: parts.join('') });

    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    await page.locator(`stripe-pricing-table[client-reference-id="${clickId}"]`).waitFor({ state: 'attached' });
    await page.click('#buy');
    const { customData } = await page.evaluate(() => (window as unknown as { opened: { customData: object } }).opened);
    // Leads nowhere, so that the page stays.
    await page.evaluate(() => {
      document.addEventListener('click', (event) => {
        if (event.target instanceof HTMLAnchorElement && event.target.text.startsWith('Get it')) event.preventDefault();
      });
    });
    const addressOf = async (name: string) => {
      const link = page.getByRole('link', { name });
      await link.click();
      return new URL((await link.getAttribute('href')) ?? '').searchParams;
    };
    const polarLink = await addressOf('Get it with Polar');
    const lemonLink = await addressOf('Get it with Lemon Squeezy');
    await page.getByRole('link', { name: 'Buy' }).click();
    await page.waitForURL('https://buy.stripe.com/**');

    expect(customData).toEqual({ program_id: String(id), svc_click_id: clickId });
    expect(polarLink.get('reference_id')).toBe(clickId);
    expect(lemonLink.get('checkout[custom][svc_click_id]')).toBe(clickId);
    expect(lemonLink.get('checkout[custom][program_id]')).toBe(String(id));
    const reference = new URL(page.url()).searchParams.get('client_reference_id');
    expect(reference).toBe(clickId);
    const stripe = new StripeEvents('2026', service.time);
    const session = stripe.session({ extra: { client_reference_id: reference } });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    const paddle = new PaddleEvents(service.time);
    const transaction = paddle.event('transaction.completed', paddle.transaction({ customData }));
    expect(await deliverPaddle(service, id, transaction)).toBe('recorded');
    expect(visitor.pageErrors).toEqual([]);
  });
});
