import { newAddress } from '@svc/testkit/service/addresses.ts';
import { type TestService, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

/** How many requests the caller has left after this one; the limit is 60. */
async function left(service: TestService, ip: string, forwardedFor?: string): Promise<number> {
  const headers: Record<string, string> = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const answer = await service.click({}, { ip, headers });
  return Number(answer.headers['x-ratelimit-remaining']);
}

describe('without SVC_TRUSTED_PROXIES', () => {
  const service = useService({ SVC_RATE_LIMITS: '' });

  it('the client is the socket’s address, whatever X-Forwarded-For says', async () => {
    const ip = newAddress();
    expect(await left(service, ip, '203.0.113.1')).toBe(59);
    expect(await left(service, ip, '203.0.113.2')).toBe(58);
    expect(await left(service, ip)).toBe(57);
    expect(await left(service, '203.0.113.1')).toBe(59);
  });

  it('an address counts the same in every notation, and IPv6 by its network', async () => {
    expect(await left(service, '198.51.100.77')).toBe(59);
    expect(await left(service, '::ffff:198.51.100.77')).toBe(58);
    expect(await left(service, '2001:db8:77:1::1')).toBe(59);
    expect(await left(service, '2001:db8:77:1:ffff:ffff:ffff:ffff')).toBe(58);
    expect(await left(service, '2001:db8:77:2::1')).toBe(59);
  });

  it.each(['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'])(
    '%s gets no window of its own either',
    async (name) => {
      const ip = newAddress();
      await service.click({}, { ip, headers: { [name]: 'for=203.0.113.3' } });
      const { headers } = await service.click({}, { ip, headers: { [name]: 'for=203.0.113.4' } });
      expect(headers['x-ratelimit-remaining']).toBe('58');
    },
  );
});

describe('with SVC_TRUSTED_PROXIES', () => {
  const service = useService({
    SVC_RATE_LIMITS: '',
    SVC_TRUSTED_PROXIES: '192.0.2.10, 10.20.0.0/16,2001:db8:1::/48',
  });

  it.each([
    ['a named address', '192.0.2.10'],
    ['an address of a named CIDR', '10.20.30.40'],
    ['an address of a named IPv6 CIDR', '2001:db8:1:2::3'],
    ['a named address as a dual-stack socket shows it', '::ffff:192.0.2.10'],
  ])('X-Forwarded-For is trusted from %s', async (_what, proxy) => {
    const client = newAddress();
    expect(await left(service, proxy, client)).toBe(59);
    expect(await left(service, proxy, client)).toBe(58);
    expect(await left(service, proxy, newAddress())).toBe(59);
  });

  it.each([
    ['an address next to the named one', '192.0.2.11'],
    ['an address outside the CIDR', '10.21.0.1'],
    ['an address outside the IPv6 CIDR', '2001:db8:2::1'],
  ])('X-Forwarded-For is not trusted from %s', async (_what, ip) => {
    await left(service, ip, newAddress());
    expect(await left(service, ip, newAddress())).toBe(58);
  });

  it('the client is the rightmost address that is not a trusted proxy: forged entries to its left gain nothing', async () => {
    const client = newAddress();
    expect(await left(service, '192.0.2.10', client)).toBe(59);
    expect(await left(service, '192.0.2.10', `203.0.113.5, ${client}`)).toBe(58);
    expect(await left(service, '192.0.2.10', `203.0.113.6, 203.0.113.7, ${client}`)).toBe(57);
    expect(await left(service, '192.0.2.10', `not an address, ${client}`)).toBe(56);
  });

  it('ports and forged text in X-Forwarded-For get no window of their own', async () => {
    const client = newAddress();
    expect(await left(service, '192.0.2.10', `${client}:1001`)).toBe(59);
    expect(await left(service, '192.0.2.10', `${client}:1002`)).toBe(58);
    expect(await left(service, '192.0.2.10', '[2001:db8:88:1::1]:1001')).toBe(59);
    expect(await left(service, '192.0.2.10', '2001:db8:88:1::2')).toBe(58);
    const madeUp = await left(service, '192.0.2.10', 'made-up-1');
    expect(await left(service, '192.0.2.10', 'made-up-2')).toBe(madeUp - 1);
  });

  it('several proxies in a row are skipped', async () => {
    const client = newAddress();
    expect(await left(service, '192.0.2.10', `${client}, 10.20.1.1, 10.20.1.2`)).toBe(59);
    expect(await left(service, '10.20.1.2', `${client}, 10.20.1.1`)).toBe(58);
  });

  it('a proxy that forwards no address is counted itself', async () => {
    await left(service, '10.20.99.1');
    expect(await left(service, '10.20.99.1')).toBe(58);
  });

  it('routes counted by key fall back to the forwarded address when there is no key', async () => {
    const client = newAddress();
    const send = (forwardedFor: string) =>
      service.sale({}, { ip: '192.0.2.10', headers: { 'x-forwarded-for': forwardedFor } });
    await send(client);
    expect((await send(client)).headers['x-ratelimit-remaining']).toBe('118');
    expect((await send(newAddress())).headers['x-ratelimit-remaining']).toBe('119');
  });
});

describe('with SVC_RATE_LIMITS', () => {
  const service = useService({ SVC_RATE_LIMITS: 'click=2, sale=3' });

  it('the named buckets have the limits that were set', async () => {
    const ip = newAddress();
    const answers = [];
    for (let sent = 0; sent < 3; sent += 1) answers.push(await service.click({}, { ip }));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 429]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['2', '2', '2']);
    expect((await service.refund({}, { ip })).headers['x-ratelimit-limit']).toBe('3');
  });

  it('the others keep the limits of the specification', async () => {
    const ip = newAddress();
    expect((await service.lead({}, { ip })).headers['x-ratelimit-limit']).toBe('30');
    expect((await service.call('GET', '/api/v1/programs/me/readiness', { ip })).headers['x-ratelimit-limit']).toBe(
      '30',
    );
    expect((await service.call('GET', '/api/v1/cli/status', { ip })).headers['x-ratelimit-limit']).toBe('60');
  });
});
