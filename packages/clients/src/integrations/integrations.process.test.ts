import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { isInstalled } from '@svc/testkit';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { VERSION } from '@svc/testkit/service/version.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const service = useService();
let apiUrl = '';
let folder = '';
let program: TestProgram;

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'svc-integrations-'));
  program = await service.program();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A file as the service serves it, for the address that it has in this test. */
async function served(path: string): Promise<string> {
  const { status, text } = await service.call('GET', path);
  expect([path, status]).toEqual([path, 200]);
  expect(text).not.toContain('track.example.com');
  expect(text).not.toContain('0.0.0');
  return text.replaceAll('https://track.test', apiUrl);
}

/** The sales of the program, oldest first. */
const sales = (of: TestProgram) =>
  service.sql(
    `select processor_event_id as transaction_id, amount_cents::int, currency, is_recurring, refunded_cents::int as refunded
     from sales where program_id = $1 order by id`,
    [of.program.id],
  );

describe('the destination function for Segment', () => {
  class EventNotSupported extends Error {}
  class InvalidEventPayload extends Error {}
  class RetryError extends Error {}
  class ValidationError extends Error {}
  type Handler = (event: unknown, settings: object) => Promise<void>;
  type Functions = { onIdentify: Handler; onTrack: Handler; onBatch: Handler; onPage: Handler };

  /** Runs the function as Segment does, with its globals. */
  const load = async (send: typeof fetch = fetch) => {
    const globals = { fetch: send, EventNotSupported, InvalidEventPayload, RetryError, ValidationError, Intl };
    const names = ['onIdentify', 'onTrack', 'onBatch', 'onPage', 'onScreen', 'onGroup', 'onAlias', 'onDelete'];
    const code = `${await served('/integrations/svc-segment.js')}\n({ ${names.join(', ')} })`;
    return runInNewContext(code, globals) as Functions;
  };
  const settings = () => ({ apiKey: program.apiKey });
  const track = (event: string, properties: object, more = {}) => ({
    ...{ type: 'track', event, userId: 'segment_1', messageId: `message of ${event}`, properties, ...more },
  });

  it('reports a signup, an order and a part of it that is refunded', async () => {
    const { onIdentify, onTrack, onBatch } = await load();
    const context = { svc_click_id: await service.clickId(program.link) };
    const identify = { type: 'identify', userId: 'segment_1', traits: { email: 'ann@example.com' }, context };
    await onIdentify(identify, settings());
    await onTrack(track('Order Completed', { order_id: 'segment order', revenue: 49.9, currency: 'usd' }), settings());
    await onTrack(track('Order Refunded', { order_id: 'segment order', total: '9.90', currency: 'USD' }), settings());
    const yen = track('Order Completed', { order_id: 'yen', total: 500, currency: 'JPY' });
    // Repeated events and those of no interest do no harm.
    await onBatch([identify, yen, { type: 'page' }, track('Product Viewed', {}), yen], settings());

    expect(await sales(program)).toEqual([
      { transaction_id: 'segment order', amount_cents: 4990, currency: 'USD', is_recurring: false, refunded: 990 },
      { transaction_id: 'yen', amount_cents: 500, currency: 'JPY', is_recurring: false, refunded: 0 },
    ]);
  });

  it('tells Segment what to do with the rest', async () => {
    const { onTrack, onPage } = await load();
    await expect(onTrack(track('Product Viewed', {}), settings())).rejects.toBeInstanceOf(EventNotSupported);
    await expect(onPage({}, settings())).rejects.toBeInstanceOf(EventNotSupported);
    await expect(onTrack(track('Order Completed', { total: 1 }), settings())).rejects.toThrow(
      'properties.order_id is missing',
    );
    const free = track('Order Completed', { order_id: 'free', total: 0 });
    await expect(onTrack(free, settings())).rejects.toBeInstanceOf(InvalidEventPayload);
    const organic = track('Order Completed', { order_id: 'organic', total: 1 }, { userId: 'nobody' });
    await expect(onTrack(organic, settings())).resolves.toBeUndefined();
    const order = track('Order Completed', { order_id: 'later', total: 1 });
    await expect(onTrack(order, { apiKey: 'svc_key_wrong' })).rejects.toBeInstanceOf(ValidationError);
    for (const failing of [
      async () => Response.json({}, { status: 429 }),
      async () => Response.json({}, { status: 503 }),
      () => Promise.reject(new TypeError('fetch failed')),
    ] as (typeof fetch)[]) {
      await expect((await load(failing)).onTrack(order, settings())).rejects.toBeInstanceOf(RetryError);
    }
  });
});

describe('the plugin for WooCommerce', () => {
  const isThere = isInstalled('The plugin for WooCommerce', ['php', '--version']);

  /** Plays what happens in a shop with the plugin. */
  async function shop(steps: object[], apiKey: string, url = apiUrl) {
    await writeFile(join(folder, 'svc-woocommerce.php'), await served('/integrations/svc-woocommerce.php'));
    await writeFile(join(folder, 'Svc.php'), (await served('/clients/Svc.php')).replaceAll(apiUrl, url));
    const shop = fileURLToPath(new URL('../../test/woocommerce-shop.php', import.meta.url));
    const child = spawn('php', ['-d', 'error_reporting=E_ALL', '-d', 'display_errors=stderr', shop, folder], {
      env: { PATH: process.env.PATH ?? '' },
    });
    child.stdin.end(JSON.stringify({ programId: '42"', apiKey, steps }));
    const errors: string[] = [];
    child.stderr.on('data', (text) => errors.push(String(text)));
    const done = (await json(child.stdout)) as { page: string; scheduled: object[]; reported: Record<string, boolean> };
    return { ...done, errors: errors.join('') };
  }

  it.skipIf(!isThere)('reports users, guests, renewals and refunds once, where PHP is installed', async () => {
    const own = await service.program();
    const [click, guestClick] = [await service.clickId(own.link), await service.clickId(own.link)];
    const first = { order: 11, customer: 5, total: '60.50', tax: '5.50', shipping: '5.00', currency: 'EUR' };
    const result = await shop(
      [
        { do: 'page' },
        { do: 'signup', user: 5, click },
        { do: 'checkout', ...first, click },
        // Both hooks of a payment, by webhook: there is no visitor.
        { do: 'woocommerce_payment_complete', arguments: [11] },
        { do: 'woocommerce_order_status_completed', arguments: [11] },
        { do: 'refund', order: 11, refund: 12, total: '-11.00', tax: '-1.00', currency: 'EUR' },
        { do: 'checkout', order: 13, total: '3000', currency: 'JPY', click: guestClick },
        { do: 'woocommerce_order_status_completed', arguments: [13] },
        { do: 'checkout', order: 14, customer: 5, total: '20.00', currency: 'EUR', renewal: true },
        { do: 'woocommerce_payment_complete', arguments: [14] },
        { do: 'checkout', order: 15, total: '0.00' },
        { do: 'woocommerce_payment_complete', arguments: [15] },
        { do: 'woocommerce_payment_complete', arguments: [99] },
      ],
      own.apiKey,
    );
    expect(result).toEqual({
      page: `<script async src="${apiUrl}/js/svc-tracker-42%22.js" data-svc-program-id="42&quot;"></script>\n`,
      scheduled: [],
      reported: { 11: true, 12: false, 13: true, 14: true, 15: false },
      errors: '',
    });
    expect(await sales(own)).toEqual([
      { transaction_id: 'woo_11', amount_cents: 5000, currency: 'EUR', is_recurring: false, refunded: 1000 },
      { transaction_id: 'woo_13', amount_cents: 3000, currency: 'JPY', is_recurring: false, refunded: 0 },
      { transaction_id: 'woo_14', amount_cents: 2000, currency: 'EUR', is_recurring: true, refunded: 0 },
    ]);
  });

  it.skipIf(!isThere)('repeats later what the service does not take now, where PHP is installed', async () => {
    const steps = [
      { do: 'checkout', order: 21, customer: 5, total: '10.00' },
      { do: 'woocommerce_payment_complete', arguments: [21] },
      { do: 'svc_report_sale', arguments: [21, 7] },
      { do: 'svc_report_sale', arguments: [21, 8] },
    ];
    const { scheduled, reported, errors } = await shop(steps, program.apiKey, 'http://127.0.0.1:9');
    expect([scheduled, reported, errors]).toEqual([
      [
        { in: 300, action: 'svc_report_sale', arguments: [21, 1] },
        { in: 38_400, action: 'svc_report_sale', arguments: [21, 8] },
      ],
      { 21: false },
      '',
    ]);
  });
});

it('the files name their release and may be cached until checked', async () => {
  const { headers, text } = await service.call('GET', '/integrations/svc-woocommerce.php');
  expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, no-cache' });
  expect(text).toContain(` * Version: ${VERSION}\n`);
  expect((await service.call('GET', '/integrations/svc-segment.js')).text).toContain(`'svc-segment/${VERSION}'`);
});
