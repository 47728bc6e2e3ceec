import { createHash, createHmac } from 'node:crypto';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { countryDatabase } from '@svc/testkit/service/country-database.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { regenerateKey } from '../../programs/regenerate-key.ts';

const METRICS_TOKEN = 'a token of the operator';
const service = useService({
  SVC_RATE_LIMITS: '',
  SVC_METRICS_TOKEN: METRICS_TOKEN,
  SVC_GEOIP_DATABASE: await countryDatabase({ 81: 'DE' }),
});

type Signed = { programId: number; key: string; address: string; ageSeconds?: number };

/** Written out as docs/relay.md describes it, for other languages to follow. */
function signed({ programId, key, address, ageSeconds = 0 }: Signed): string {
  const text = `${programId},${Math.floor(service.time.getTime() / 1000) - ageSeconds},${address}`;
  const secret = createHash('sha256').update(key).digest('hex');
  return `${text},${createHmac('sha256', secret).update(`relay\0${text}`).digest('base64url')}`;
}

const by = ({ program, apiKey }: TestProgram, address: string): Signed => ({
  programId: program.id,
  key: apiKey,
  address,
});

async function click(on: TestProgram, relay: string, ip: string) {
  const body = { affiliate_url: `https://acme.test/?aff=${on.link}` };
  const { status, headers } = await service.click(body, { ip, headers: { 'svc-relay': relay } });
  return { status, left: Number(headers['x-ratelimit-remaining']) };
}

async function counted(result: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics', { key: METRICS_TOKEN });
  return Number(new RegExp(`^svc_relay_signatures_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

describe('a signed visitor', () => {
  it('is counted by their own address, whatever the address of the relay', async () => {
    const on = await service.program();
    const [one, other] = [newAddress(), newAddress()];
    expect(await click(on, signed(by(on, one)), '192.0.2.1')).toEqual({ status: 200, left: 59 });
    expect(await click(on, signed(by(on, one)), '192.0.2.2')).toEqual({ status: 200, left: 58 });
    expect(await click(on, signed(by(on, other)), '192.0.2.1')).toEqual({ status: 200, left: 59 });
    expect(await click(on, signed(by(on, `::ffff:${one}`)), '192.0.2.1')).toEqual({ status: 200, left: 57 });
  });

  it('is not the same for two programs, so that none uses up the limit of the other’s visitors', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const address = newAddress();
    await click(on, signed(by(on, address)), '192.0.2.1');
    expect(await click(other, signed(by(other, address)), '192.0.2.1')).toEqual({ status: 200, left: 59 });
    const { headers } = await service.click({}, { ip: address });
    expect(headers['x-ratelimit-remaining']).toBe('59');
  });

  it('has the country of their address, and the address is not stored', async () => {
    const on = await service.program();
    await click(on, signed(by(on, '81.2.69.160')), newAddress());
    const rows = await service.sql('select * from clicks where program_id = $1', [on.program.id]);
    expect(rows).toMatchObject([{ country: 'DE' }]);
    expect(JSON.stringify(rows)).not.toContain('81.2.69');
  });

  it('is counted in leads too', async () => {
    const on = await service.program();
    const lead = (programId: number, customerKey: string) =>
      service.lead(
        { customer_key: customerKey, program_id: programId },
        { ip: '192.0.2.9', headers: { 'svc-relay': signed(by(on, '203.0.113.77')), origin: 'https://acme.test' } },
      );
    expect((await lead(on.program.id, 'a')).headers['x-ratelimit-remaining']).toBe('29');
    expect((await lead(on.program.id, 'b')).headers['x-ratelimit-remaining']).toBe('28');
  });

  it('can be signed until five minutes later, and a minute ahead', async () => {
    const on = await service.program();
    for (const ageSeconds of [0, 299, -59]) {
      const relay = signed({ ...by(on, newAddress()), ageSeconds });
      expect(await click(on, relay, newAddress())).toEqual({ status: 200, left: 59 });
    }
    const relay = signed(by(on, '203.0.113.90'));
    expect((await click(on, relay, '192.0.2.1')).left).toBe(59);
    expect((await click(on, relay, '192.0.2.1')).left).toBe(58);
  });
});

describe('the address of the relay counts, and the click is recorded,', () => {
  it.each<[string, string, (on: TestProgram, other: TestProgram) => string]>([
    ['an old signature', 'wrong_time', (on) => signed({ ...by(on, newAddress()), ageSeconds: 301 })],
    ['one from the future', 'wrong_time', (on) => signed({ ...by(on, newAddress()), ageSeconds: -61 })],
    ['another address', 'wrong_signature', (on) => signed(by(on, '203.0.113.1')).replace('203.0.113.1', newAddress())],
    ['another key', 'wrong_signature', (on, other) => signed({ ...by(on, newAddress()), key: other.apiKey })],
    ['an unknown program', 'no_key', (on) => signed({ ...by(on, newAddress()), programId: 999_999_999_999 })],
    ['no signature', 'malformed', (on) => `${on.program.id},1,203.0.113.1`],
    ['no address', 'malformed', (on) => signed(by(on, '999.1.1.1'))],
    ['something else', 'malformed', () => 'for=203.0.113.1'],
    ['another program’s click', 'other_program', (_on, other) => signed(by(other, newAddress()))],
  ])('with %s', async (_what, reason, header) => {
    const [on, other] = [await service.program(), await service.program()];
    const relay = newAddress();
    const before = await counted(reason);
    expect(await click(on, header(on, other), relay)).toEqual({ status: 200, left: 59 });
    expect(await click(on, header(on, other), relay)).toEqual({ status: 200, left: 58 });
    expect(await counted(reason)).toBe(before + 2);
    const rows = await service.sql('select country from clicks where program_id = $1', [on.program.id]);
    expect(rows).toEqual([{ country: null }, { country: null }]);
  });

  it('once the key that signed was replaced, and not before', async () => {
    const on = await service.program();
    const relay = newAddress();
    expect((await click(on, signed(by(on, newAddress())), relay)).left).toBe(59);
    await regenerateKey(service.ctx, on.program, OPERATOR);
    service.ctx.lookup.forgetProgram(on.program.id);
    const before = await counted('wrong_signature');
    await click(on, signed(by(on, newAddress())), relay);
    expect(await counted('wrong_signature')).toBe(before + 1);
  });

  it('in a lead that names another program', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const lead = () =>
      service.lead(
        { customer_key: 'a', program_id: on.program.id },
        { ip: '192.0.2.33', headers: { 'svc-relay': signed(by(other, newAddress())), origin: 'https://acme.test' } },
      );
    expect((await lead()).headers['x-ratelimit-remaining']).toBe('29');
    expect((await lead()).headers['x-ratelimit-remaining']).toBe('28');
  });

  it.each([
    ['of another program', (_own: string, other: string) => other],
    ['that was never given out', (own: string) => own.replace(/_(\d+)$/, (_all, time) => `_${Number(time) + 1}`)],
    ['that is none', () => 'guess'],
  ])('in a lead that names its own program and a click %s, so that nobody can guess at will', async (_what, guess) => {
    const [on, other] = [await service.program(), await service.program()];
    const [own, foreign] = [await service.clickId(on.link), await service.clickId(other.link)];
    const relay = newAddress();
    const lead = async (clickId: string) => {
      const body = { click_id: clickId, customer_key: 'a', program_id: on.program.id };
      const headers = { 'svc-relay': signed(by(on, newAddress())), origin: 'https://evil.test' };
      const answer = await service.lead(body, { ip: relay, headers });
      return answer.headers['x-ratelimit-remaining'];
    };
    expect([await lead(guess(own, foreign)), await lead(guess(own, foreign))]).toEqual(['29', '28']);
    expect([await lead(own), await lead(own)]).toEqual(['29', '29']);
  });

  it('and a relay that has used up its own limit is refused', async () => {
    const on = await service.program();
    const relay = newAddress();
    for (let sent = 0; sent < 60; sent += 1) await click(on, 'forged', relay);
    expect((await click(on, 'forged', relay)).status).toBe(429);
    expect((await click(on, signed(by(on, newAddress())), relay)).status).toBe(200);
  });
});

describe('the click cookie', () => {
  const ask = async (on: TestProgram, domain: string | undefined, extra: object = {}) => {
    const body = { affiliate_url: `https://acme.test/?aff=${on.link}`, ...extra };
    const headers: Record<string, string> = domain === undefined ? {} : { 'svc-relay-cookie': domain };
    const answer = await service.click(body, { ip: newAddress(), headers });
    return { cookie: answer.headers['set-cookie'], id: answer.body.click_id as string };
  };

  it('is not sent to pages, which set it themselves', async () => {
    const on = await service.program();
    expect((await ask(on, undefined)).cookie).toBeUndefined();
    const preflight = await service.call('OPTIONS', '/api/v1/track/click', {});
    expect(preflight.headers['access-control-allow-headers']).toBe('Content-Type, Authorization, X-Request-ID');
  });

  it('is sent to a server that asks for it, for the program’s window', async () => {
    const on = await service.program({ cookieWindowDays: 30 });
    const host = await ask(on, 'host');
    expect(host.cookie).toBe(`svc_click_id=${host.id}; Max-Age=2592000; Path=/; SameSite=Lax; Secure`);
    const domain = await ask(on, 'acme.test');
    expect(domain.cookie).toBe(
      `svc_click_id=${domain.id}; Max-Age=2592000; Path=/; SameSite=Lax; Secure; Domain=acme.test`,
    );
    const rows = await service.sql('select is_relayed from clicks where program_id = $1', [on.program.id]);
    expect(rows).toEqual([{ is_relayed: true }, { is_relayed: true }]);
  });

  it('ends with the window that the first click began', async () => {
    const on = await service.program({ cookieWindowDays: 30 });
    const { id } = await ask(on, 'host');
    service.advance({ days: 10 });
    const again = await ask(on, 'host', { existing_click_id: id });
    expect(again).toEqual({ id, cookie: `svc_click_id=${id}; Max-Age=1728000; Path=/; SameSite=Lax; Secure` });
    service.advance({ days: 20 });
    expect(await ask(on, 'host', { existing_click_id: id })).toEqual({ id, cookie: undefined });
  });

  it.each(['acme.test; HttpOnly', 'a,b.test', 'localhost', `${'x'.repeat(250)}.test`])(
    'has no domain if the one asked for is %j',
    async (domain) => {
      const on = await service.program();
      expect((await ask(on, domain)).cookie).not.toContain('Domain');
    },
  );
});
