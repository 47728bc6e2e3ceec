import { newAddress } from '@svc/testkit/service/addresses.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const limited = useService({ SVC_RATE_LIMITS: 'click=2,lead=2', SVC_TRACKER_PATH: '/q9' });
const ORIGIN = { headers: { origin: 'https://acme.test', 'content-type': 'text/plain' } };

const landing = (link: string) => JSON.stringify({ affiliate_url: `https://acme.test/?aff=${link}` });

describe('what the tracker reports under its own path', () => {
  it('is recorded as by the API, and pages can read the answer', async () => {
    const { program, link, partnerId } = await service.program();
    const click = await service.call('POST', '/svc/c', { body: landing(link), ...ORIGIN });
    expect({ status: click.status, body: click.body }).toEqual({
      status: 200,
      body: {
        success: true,
        click_id: expect.stringMatching(/^cust_\d+_\d+$/),
        partner_code: link,
        cookie_window_days: 60,
      },
    });
    expect(click.headers['access-control-allow-origin']).toBe('*');
    const body = JSON.stringify({ click_id: click.body.click_id, customer_key: 'user-1' });
    const lead = await service.call('POST', '/svc/l', { body, ...ORIGIN });
    expect(lead.body).toEqual({ success: true, message: 'Lead tracked successfully' });
    expect(
      await service.sql('select partner_id, status, customer_key from customers where program_id = $1', [program.id]),
    ).toEqual([{ partner_id: partnerId, status: 'lead', customer_key: 'user-1' }]);
  });

  it.each([
    ['/svc/c', '/api/v1/track/click', '{"affiliate_url":"https://acme.test/?aff=nobody"}', 'Referral link not found'],
    ['/svc/c', '/api/v1/track/click', '{}', 'affiliate_url is required'],
    ['/svc/c', '/api/v1/track/click', 'no JSON', undefined],
    ['/svc/l', '/api/v1/track/lead', '{"click_id":"cust_1_1","customer_key":"user-1"}', undefined],
    ['/svc/l', '/api/v1/track/lead', '{}', undefined],
  ])('is refused with status 200 at %s, and otherwise as by %s: %s', async (own, api, body, message) => {
    const reported = await service.call('POST', own, { body, ...ORIGIN });
    const called = await service.call('POST', api, { body, ...ORIGIN });
    expect(called.status).toBeGreaterThanOrEqual(400);
    expect({ status: reported.status, body: reported.body }).toEqual({
      status: 200,
      body: { success: false, ...called.body },
    });
    if (message) expect(reported.body.error.message).toBe(message);
  });

  it('is repeated under its own path, and refused with its own status by the API', async () => {
    const { apiKey } = await service.program();
    const send = (path: string) =>
      service.call('POST', path, {
        body: { click_id: 'cust_1_1', customer_key: 'user-1' },
        key: apiKey,
        headers: { 'idempotency-key': 'lead 1' },
      });
    const answers = [];
    for (const path of ['/svc/l', '/svc/l', '/api/v1/track/lead', '/api/v1/track/lead']) answers.push(await send(path));
    const refusal = answers[2]?.body;
    const status = answers[2]?.status;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(answers.map((each) => [each.status, each.headers['idempotent-replayed'], each.body])).toEqual([
      [200, undefined, { success: false, ...refusal }],
      [200, 'true', { success: false, ...refusal }],
      [status, undefined, refusal],
      [status, 'true', refusal],
    ]);
  });

  it('is no use of a key that has ended', async () => {
    const [{ apiKey, program }, other] = [await service.program(), await service.program()];
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', [
      program.id,
      new Date(service.time.getTime() - 1000),
    ]);
    const { status, body } = await service.call('POST', '/svc/l', { body: {}, key: apiKey });
    expect([status, body.success]).toEqual([200, false]);
    expect((await service.readiness(apiKey)).status).toBe(401);
    // Uses are recorded after the answer, so a later one is waited for.
    expect((await service.readiness(other.apiKey)).status).toBe(200);
    const lastUse = async (id: number) =>
      (await service.sql('select last_used_at from program_keys where program_id = $1', [id]))[0]?.last_used_at;
    expect(await eventually(() => lastUse(other.program.id), Boolean)).toEqual(service.time);
    expect(await lastUse(program.id)).toBe(null);
  });

  it('is refused for an origin that may not report, and counted for it', async () => {
    const { program, link } = await service.program();
    const headers = { ...ORIGIN.headers, origin: 'https://elsewhere.example' };
    const { status, body } = await service.call('POST', '/svc/c', { body: landing(link), headers });
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: false, ...platformError(403, 'ForbiddenError', 'Origin not allowed for this program') },
    });
    expect(await service.sql('select 1 from clicks where program_id = $1', [program.id])).toEqual([]);
  });

  it('shares its limits with the API, whatever path the operator has chosen, and keeps the status that says to wait', async () => {
    const { link } = await limited.program();
    const ip = newAddress();
    const send = (path: string) => limited.call('POST', path, { body: landing(link), ...ORIGIN, ip });
    expect((await send('/q9/c')).body).toMatchObject({ success: true });
    expect((await send('/api/v1/track/click')).body).toMatchObject({ success: true });
    const refused = await send('/svc/c');
    expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([429, '2']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send('/q9/c')).status).toBe(429);
    expect((await limited.call('POST', '/q9/x', { body: {} })).status).toBe(404);
    expect((await service.call('POST', '/q9/c', { body: {} })).status).toBe(404);
  });

  it('takes only POST, and answers preflights', async () => {
    const { status, headers } = await service.call('GET', '/svc/c');
    expect([status, headers.allow]).toEqual([405, 'POST']);
    const preflight = await service.call('OPTIONS', '/svc/c', { headers: { origin: 'https://acme.test' } });
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([204, 'POST']);
  });

  it('goes to the path of the operator from every tracker of the installation', async () => {
    const { program } = await limited.program({ linkParameters: ['via'] });
    for (const file of [
      'svc-tracker',
      'svc-tracker-stripe',
      `svc-tracker-${program.id}`,
      `svc-tracker-stripe-${program.id}`,
    ]) {
      const { text } = await limited.call('GET', `/js/${file}.js`);
      expect(text).toContain('/q9/${');
      expect(text).not.toContain('/svc/${');
    }
  });
});
