import { deliver, StripeEvents, settle, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { TestService, useService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const service = useService({ SVC_BASE_URL: 'http://track.test' });

const get = (path: string) => service.call('GET', path);

describe('/healthz', () => {
  it('answers 200 while the process runs', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('/readyz', () => {
  it('answers 200 and names the kind of store while it is reachable', async () => {
    const { status, body } = await get('/readyz');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ready', store: service.ctx.db.kind } });
    expect((await get('/metrics')).text).toMatch(/^svc_store_ready 1$/m);
  });
});

describe('when the store is gone', () => {
  const stranded = new TestService();
  beforeAll(async () => {
    await stranded.open({ SVC_BASE_URL: 'http://track.test' });
    await stranded.ctx.db.close();
  });
  afterAll(() => stranded.service.http.close());

  it('/readyz answers 503 and says why, /healthz and /metrics keep working', async () => {
    const { status, body } = await stranded.call('GET', '/readyz');
    expect({ status, body }).toEqual({
      status: 503,
      body: { status: 'unavailable', store: stranded.ctx.db.kind, message: 'The store does not answer.' },
    });
    expect(await stranded.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const metrics = await stranded.call('GET', '/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.text).toMatch(/^svc_processor_inbox_age_seconds NaN$/im);
    expect(metrics.text).toMatch(/^svc_store_ready 0$/m);
  });

  it('documentation is still served', async () => {
    for (const path of ['/docs', '/docs/errors', '/openapi.json']) {
      expect((await stranded.call('GET', path)).status).toBe(200);
    }
  });
});

describe('/metrics', () => {
  /** The value of a sample, by its name and labels as printed. */
  const sample = (text: string, name: string) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  };

  it('are in the Prometheus text format, each with its help and type', async () => {
    const { status, headers, text } = await get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const name of [
      'svc_http_request_seconds',
      'svc_group_size',
      'svc_group_commit_seconds',
      'svc_group_waiting',
      'svc_processor_inbox_age_seconds',
      'svc_processor_events_total',
    ]) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
      expect(text).toMatch(new RegExp(`^# TYPE ${name} (histogram|gauge|counter)$`, 'm'));
    }
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  });

  it('report request durations by route and status, and the group commits of clicks and sales', async () => {
    const made = await service.program();
    const before = (await get('/metrics')).text;
    await service.customer(made, 'buyer');
    const order = { transaction_id: 'order-metrics', amount_cents: 1000, customer_key: 'buyer' };
    await service.sale(order, { key: made.apiKey });
    await service.sale(order, { key: made.apiKey });
    await service.click({});
    const { text } = await get('/metrics');
    const grown = (name: string) => (sample(text, name) ?? 0) - (sample(before, name) ?? 0);
    const requests = (route: string, status: number) =>
      grown(`svc_http_request_seconds_count{route="${route}",status="${status}"}`);
    expect(requests('/api/v1/track/click', 200)).toBe(1);
    expect(requests('/api/v1/track/click', 400)).toBe(1);
    expect(requests('/api/v1/track/lead', 200)).toBe(1);
    expect(requests('/api/v1/track/sale', 200)).toBe(1);
    expect(requests('/api/v1/track/sale', 409)).toBe(1);
    expect(grown('svc_group_size_count{what="clicks"}')).toBe(1);
    expect(grown('svc_group_size_sum{what="clicks"}')).toBe(1);
    expect(grown('svc_group_size_sum{what="sales"}')).toBe(2);
    expect(grown('svc_group_commit_seconds_count{what="sales"}')).toBe(2);
    expect(sample(text, 'svc_group_waiting{what="clicks"}')).toBe(0);
  });

  it('have no label that a caller can choose', async () => {
    for (const path of ['/made-up-path', '/api/v1/cli/made-up-path', '/api/v1/track/click/made-up-path', '/%zz']) {
      await service.call('GET', path);
      await service.call('PROPFIND', path);
    }
    const { text } = await get('/metrics');
    expect(text).not.toContain('made-up-path');
    expect(text).toContain('route="unknown",status="404"');
  });

  it('contain no key', async () => {
    const { apiKey } = await service.program();
    await service.readiness(apiKey);
    const { text } = await get('/metrics');
    expect(text).toContain('route="/api/v1/programs/me/readiness"');
    expect(text).not.toContain('svc_key_');
  });

  it('report the outcomes of processor events, and how long the oldest has been due', async () => {
    const { id } = await withBuyer(service);
    const stripe = new StripeEvents('2026', service.time);
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1' } });
    const [paid, unknown] = [
      stripe.event('checkout.session.completed', session),
      stripe.event('checkout.session.completed', stripe.session()),
    ];
    const before = (await get('/metrics')).text;
    await deliver(service, id, paid, unknown);
    const after = (await get('/metrics')).text;
    const grown = (outcome: string) => {
      const name = `svc_processor_events_total{outcome="${outcome}"}`;
      return (sample(after, name) ?? 0) - (sample(before, name) ?? 0);
    };
    expect([grown('recorded'), grown('no_customer')]).toEqual([1, 1]);
    expect(sample(after, 'svc_processor_inbox_age_seconds')).toBe(0);
    // The event of an unknown customer is due again after five seconds, and no event worker runs.
    service.advance({ seconds: 65 });
    expect(sample((await get('/metrics')).text, 'svc_processor_inbox_age_seconds')).toBe(60);
    await settle(service);
    // The database is queried again after five seconds.
    service.advance({ seconds: 5 });
    expect(sample((await get('/metrics')).text, 'svc_processor_inbox_age_seconds')).toBe(0);
  });
});
