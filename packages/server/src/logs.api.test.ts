import { useService } from '@svc/testkit/service/service.ts';
import { whileMissing, whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { jobs, runJob } from './jobs/run-jobs.ts';

const service = useService({ LOG_LEVEL: 'trace' });

const EMAIL = 'jane.doe@customer.test';
const TOKEN = 'svc_key_0123456789abcdefghijklmnopqrstuv';

/** Sends requests of every kind with a key, an invalid token, and an e-mail in every field that accepts one. */
async function sendEverything(key: string, link: string): Promise<number[]> {
  const extra = { email: EMAIL, token: TOKEN, authorization: `Bearer ${key}` };
  const body = { customer_key: EMAIL, email: EMAIL, additional_data: extra };
  const click = { affiliate_url: `https://acme.test/?aff=${link}&email=${EMAIL}`, page_url: `https://a.test/${EMAIL}` };
  const answers = [
    await service.click(click, { key }),
    await service.click({ ...click, existing_click_id: EMAIL }, { key: TOKEN }),
    await service.lead(body, { key }),
    await service.lead({ ...body, click_id: EMAIL }),
    await service.lead({ ...body, email: `${EMAIL}\0` }, { key }),
    await service.sale({ ...body, transaction_id: EMAIL, amount_cents: 100 }, { key }),
    await service.sale({ ...body, transaction_id: TOKEN, amount_cents: 100 }, { key: TOKEN }),
    await service.sale({ ...body, transaction_id: EMAIL, amount_cents: 100, currency: EMAIL }, { key }),
    await service.refund({ transaction_id: EMAIL, refund_reason: EMAIL }, { key }),
    await service.call('GET', `/api/v1/programs/me/readiness?key=${key}&email=${EMAIL}`, { key }),
    await service.call('GET', `/nowhere/${EMAIL}?key=${key}`, { key: TOKEN }),
    await service.call('POST', '/api/v1/track/sale', {
      body: `{"email":"${EMAIL}","key":"${key}"`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    }),
    await service.call('POST', '/api/v1/track/sale', {
      headers: { authorization: `Basic ${key}`, cookie: `a=${key}` },
    }),
  ];
  return answers.map(({ status }) => status);
}

function expectNothingLeaked(key: string) {
  const log = service.logLines.join('');
  for (const secret of [key, key.slice(8), TOKEN, EMAIL, encodeURIComponent(EMAIL), 'jane.doe']) {
    expect(log).not.toContain(secret);
  }
}

describe('the log contains no key, token or e-mail', () => {
  it('of requests that succeed or are refused', async () => {
    const { apiKey, link } = await service.program();
    const statuses = await sendEverything(apiKey, link);
    expect(statuses).toEqual(expect.arrayContaining([200, 400, 401, 404]));
    expectNothingLeaked(apiKey);
  });

  it.each(['programs', 'program_keys', 'links', 'customers', 'clicks', 'sales', 'decisions'])(
    'of requests that fail because %s cannot be read',
    async (table) => {
      const { apiKey, link } = await service.program();
      service.logLines.length = 0;
      const statuses = await whileMissing(service, table, () => sendEverything(apiKey, link));
      expect(statuses).toContain(500);
      expect(service.logLines.join('')).toContain(table);
      expectNothingLeaked(apiKey);
    },
  );

  it('of requests whose rows the database refuses', async () => {
    const { apiKey, link } = await service.program();
    service.logLines.length = 0;
    const statuses = await whileRefused(service, 'decisions', () => sendEverything(apiKey, link));
    expect(statuses).toContain(500);
    expect(service.logLines.join('')).toContain('refused by a test');
    expectNothingLeaked(apiKey);
  });

  it('of jobs that fail', async () => {
    const { apiKey, link } = await service.program();
    await sendEverything(apiKey, link);
    service.logLines.length = 0;
    await whileMissing(service, 'sales', async () => {
      for (const job of jobs) await runJob(service.ctx, job);
    });
    expect(service.logLines.join('')).toContain('A background job failed');
    expectNothingLeaked(apiKey);
  });
});

describe('the log', () => {
  it('describes a failed request with its id, its route and the cause', async () => {
    const { apiKey } = await service.program();
    // What follows from the new program in the background is done.
    await expect.poll(() => service.sql('select id from outbox')).toEqual([]);
    service.logLines.length = 0;
    const { headers } = await whileMissing(service, 'sales', () => service.readiness(apiKey));
    const entries = service.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(entries).toMatchObject([
      {
        requestId: headers['x-request-id'],
        route: '/api/v1/programs/me/readiness',
        msg: 'Failed to compute readiness. Retry shortly.',
        err: { message: expect.stringContaining('sales') },
      },
    ]);
  });
});
