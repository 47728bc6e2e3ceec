import { manage, memberOf, newToken, ownedProgram, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { type CallOptions, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService({ SVC_RATE_LIMITS: 'manage=3,webhook=2' });
const ME = '/api/v1/manage/me';
const WEBHOOK = '/api/v1/webhooks/stripe';

/** The statuses of this many identical requests. */
async function statuses(count: number, path: string, options: CallOptions, method = 'GET'): Promise<number[]> {
  const answers = [];
  for (let sent = 0; sent < count; sent += 1) answers.push(await service.call(method, path, options));
  return answers.map(({ status }) => status);
}

describe('the management API has a limit', () => {
  it('per account token, from any address', async () => {
    const made = await ownedProgram(service);
    const key = made.owner.token;
    expect(await statuses(2, ME, { key, ip: newAddress() })).toEqual([200, 200]);
    expect(await statuses(2, manage(made), { key, ip: newAddress() })).toEqual([200, 429]);
    const other = await memberOf(service, made.workspaceId);
    expect(await statuses(1, ME, { key: other.token })).toEqual([200]);
    expect(await statuses(1, ME, { key: await newToken(service, made.owner.userId) })).toEqual([200]);
  });

  it('per address for other callers, and says when to retry', async () => {
    const { cookie } = await signUp(service);
    const ip = newAddress();
    expect(await statuses(3, ME, { headers: { cookie }, ip })).toEqual([200, 200, 200]);
    const { status, headers, body } = await service.call('GET', ME, { ip });
    expect(status).toBe(429);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0', 'retry-after': '60' });
    expect(body.error.code).toBe('rate_limited');
    expect(await statuses(1, '/api/v1/manage/nowhere', { ip })).toEqual([429]);
    expect(await statuses(1, '/api/v1/manage/%zz', { ip })).toEqual([429]);
    service.advance({ seconds: 60 });
    expect(await statuses(1, ME, { headers: { cookie }, ip })).toEqual([200]);
  });

  it('an address that has guessed too many tokens is refused before its tokens are looked up', async () => {
    const ip = newAddress();
    expect(await statuses(4, ME, { key: 'svc_at_nobody', ip })).toEqual([401, 401, 401, 429]);
    const { db } = service.ctx;
    const { query } = db;
    const asked: string[] = [];
    db.query = (sql, params) => {
      asked.push(sql);
      return query(sql, params);
    };
    try {
      expect(await statuses(2, ME, { key: 'svc_at_somebody', ip })).toEqual([429, 429]);
    } finally {
      db.query = query;
    }
    expect(asked).toEqual([]);
    service.advance({ seconds: 60 });
    const { owner } = await ownedProgram(service);
    expect(await statuses(1, ME, { key: owner.token, ip })).toEqual([200]);
  });
});

describe('events of payment processors have a limit', () => {
  it('per program and address, before the body is read', async () => {
    const ip = newAddress();
    const body = 'x'.repeat(2 * 1024 * 1024);
    const headers = { 'content-type': 'application/json' };
    expect(await statuses(3, `${WEBHOOK}/7`, { body, ip, headers }, 'POST')).toEqual([413, 413, 429]);
    expect(await statuses(1, `${WEBHOOK}/8`, { body: '{}', ip, headers }, 'POST')).toEqual([404]);
    expect(await statuses(3, WEBHOOK, { body: '{}', ip, headers }, 'POST')).toEqual([400, 400, 429]);
    expect(await statuses(1, `${WEBHOOK}/7`, { body: '{}', ip: newAddress(), headers }, 'POST')).toEqual([404]);
  });
});
