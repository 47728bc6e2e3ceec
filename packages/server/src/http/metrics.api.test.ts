import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { platformError, type TestService, useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const TOKEN = 'a token of the operator';
const WRONG = platformError(
  401,
  'UnauthorizedError',
  'Missing or wrong metrics token. Send SVC_METRICS_TOKEN as Authorization: Bearer <token>.',
);
const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');

const scrape = (service: TestService, key?: string) => service.call('GET', '/metrics', { key });
const isMetrics = /^svc_processor_inbox_age_seconds /m;

describe('on a loopback address', () => {
  const service = useService({ SVC_BASE_URL: 'http://track.test' });

  it('any process on the machine can read them', async () => {
    expect(await scrape(service)).toMatchObject({ status: 200, text: expect.stringMatching(isMetrics) });
  });

  it('scrapes within five seconds share one query', async () => {
    await scrape(service);
    const { db, eventWorker } = service.ctx;
    // It asks the same when it starts.
    await eventWorker.idle();
    const asked: string[] = [];
    const { query } = db;
    db.query = (sql, params) => {
      if (sql.includes('from processor_events')) asked.push(sql);
      return query(sql, params);
    };
    try {
      await Promise.all([scrape(service), scrape(service), scrape(service)]);
      expect(asked).toEqual([]);
      service.advance({ seconds: 5 });
      await Promise.all([scrape(service), scrape(service), scrape(service)]);
      expect(asked).toHaveLength(1);
    } finally {
      db.query = query;
    }
  });
});

describe.each([
  ['on an address that others can reach', { HOST: '0.0.0.0', SVC_BASE_URL: 'http://track.test' }],
  ['behind a proxy on the same machine', { SVC_TRUSTED_PROXIES: '127.0.0.1', SVC_BASE_URL: 'http://track.test' }],
  ['behind something that speaks https', { SVC_BASE_URL: 'https://track.test' }],
])('%s', (_where, env: Record<string, string>) => {
  const service = useService(env);

  it('nobody can read them without a setting, which the answer names', async () => {
    const message =
      'Metrics are not public. Set SVC_METRICS_TOKEN and send it as Authorization: Bearer <token>, or set SVC_METRICS_PORT.';
    expect(await scrape(service)).toMatchObject({
      status: 401,
      body: platformError(401, 'UnauthorizedError', message),
    });
    expect((await scrape(service, TOKEN)).status).toBe(401);
  });
});

describe.each(['0.0.0.0', '127.0.0.1'])('with SVC_METRICS_TOKEN, on %s', (HOST) => {
  const service = useService({ HOST, SVC_METRICS_TOKEN: TOKEN });

  it('they need the token', async () => {
    for (const key of [undefined, '', 'x', `${TOKEN}x`, TOKEN.slice(1)]) {
      const { status, body, headers, text } = await scrape(service, key);
      expect({ status, body }).toEqual({ status: 401, body: WRONG });
      expect(headers['www-authenticate']).toBe('Bearer');
      expect(text).not.toMatch(isMetrics);
    }
    expect(await scrape(service, TOKEN)).toMatchObject({ status: 200, text: expect.stringMatching(isMetrics) });
  });
});

describe('with SVC_METRICS_PORT', () => {
  const service = useService({ HOST: '0.0.0.0', SVC_METRICS_PORT: '9100' });
  let url: string;
  beforeAll(async () => {
    const { metricsListener } = service.service;
    metricsListener.listen(0, '127.0.0.1');
    await once(metricsListener, 'listening');
    url = `http://127.0.0.1:${(metricsListener.address() as AddressInfo).port}`;
  });

  it('that port serves them and nothing else, and no other port serves them', async () => {
    expect(await scrape(service)).toMatchObject({ status: 404, body: NOT_FOUND });
    const answer = await fetch(`${url}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toMatch(isMetrics);
    const other = await fetch(`${url}/api/v1/manage/me`);
    expect([other.status, await other.json()]).toEqual([404, NOT_FOUND]);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});

describe('with both', () => {
  const service = useService({ SVC_METRICS_PORT: '9100', SVC_METRICS_TOKEN: TOKEN });

  it('the port requires the token too', async () => {
    const { metricsListener } = service.service;
    metricsListener.listen(0, '127.0.0.1');
    await once(metricsListener, 'listening');
    const url = `http://127.0.0.1:${(metricsListener.address() as AddressInfo).port}/metrics`;
    const refused = await fetch(url);
    expect([refused.status, await refused.json()]).toEqual([401, WRONG]);
    expect((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  });
});
