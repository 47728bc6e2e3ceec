import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CallFailed, createCallOut } from './call-out.ts';
import type { Resolve } from './connection.ts';

/** The only address that calls may reach here. */
const ALLOWED = '127.0.0.9';
const SEED = 20_311_117;
const ADDRESSES = 2_000;

type Range = { v4: [string, number] } | { v6: [string, number] };

// Written down from section 14 and the registries of special addresses, not from the code.
const FORBIDDEN: Range[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32', '127.0.0.1/32', '169.254.169.254/32', '168.63.129.16/32'],
  ...['100.100.100.200/32', '192.0.0.192/32'],
]
  .map((text) => text.split('/'))
  .map(([address = '', bits]): Range => ({ v4: [address, Number(bits)] }))
  .concat(
    [
      ...[
        '::/128',
        '::1/128',
        '::/96',
        '::ffff:0:0/96',
        '::ffff:0:0:0/96',
        '64:ff9b::/96',
        '64:ff9b:1::/48',
        '100::/64',
      ],
      ...['2001::/32', '2001:2::/48', '2001:db8::/32', '2001:10::/28', '2001:20::/28', '2002::/16', '3fff::/20'],
      ...['5f00::/16', 'fc00::/7', 'fd00:ec2::254/128', 'fe80::/10', 'fe80::a9fe:a9fe/128', 'fec0::/10', 'ff00::/8'],
    ]
      .map((text) => text.split('/'))
      .map(([address = '', bits]): Range => ({ v6: [address, Number(bits)] })),
  );

/** The same numbers in every run. */
function numbersFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { below, oneOf: <Item>(items: readonly Item[]) => items[below(items.length)] as Item };
}

const random = numbersFrom(SEED);

/** The groups of an IPv6 address as 16-bit numbers. */
function groupsOf(text: string): number[] {
  const [before = '', after] = text.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [numbers(before), numbers(after ?? '')];
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** A random address of a network: parts of `width` bits, of which the first `bits` bits stay. */
const within = (parts: number[], width: number, bits: number) =>
  parts.map((part, index) => {
    const free = Math.min(Math.max((index + 1) * width - bits, 0), width);
    return part - (part % 2 ** free) + random.below(2 ** free);
  });

/** An address in a plain spelling, and in another one that means the same. */
function hostileAddress(): { plain: string; spelled: string; family: 4 | 6 } {
  const range = random.oneOf(FORBIDDEN);
  if ('v4' in range) {
    const octets = within(range.v4[0].split('.').map(Number), 8, range.v4[1]);
    return { plain: octets.join('.'), spelled: spellIPv4(octets), family: 4 };
  }
  const groups = within(groupsOf(range.v6[0]), 16, range.v6[1]);
  const plain = groups.map((group) => group.toString(16)).join(':');
  return { plain, spelled: `[${spellIPv6(groups)}]`, family: 6 };
}

const FULLWIDTH = [...'０１２３４５６７８９'];
const MATHEMATICAL = [...'𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'];
const CIRCLED = [...'⓪①②③④⑤⑥⑦⑧⑨'];
const inDigits = (digits: string[], text: string) => text.replace(/\d/g, (digit) => digits[Number(digit)] ?? '');

function spellIPv4(octets: number[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const octal = (part: number) => `0${part.toString(8)}`;
  const hex = (part: number) => `0x${part.toString(16)}`;
  const plain = octets.join('.');
  return random.oneOf([
    () => plain,
    () => `${plain}.`,
    () => String(number),
    () => hex(number),
    () => octal(number),
    () => `0x${hex(number).slice(2).padStart(12, '0')}`,
    () => octets.map(octal).join('.'),
    () => octets.map(hex).join('.'),
    () => octets.map((part) => `000${part.toString(8)}`).join('.'),
    () => `${a}.${(b * 256 + c) * 256 + d}`,
    () => `${hex(a)}.${octal(b)}.${c * 256 + d}`,
    () => octets.map((part) => random.oneOf([String, octal, hex])(part)).join('.'),
    () => inDigits(FULLWIDTH, plain),
    () => inDigits(MATHEMATICAL, plain),
    () => inDigits(CIRCLED, plain),
    () => plain.replaceAll('.', random.oneOf(['。', '．', '｡'])),
    () => [...plain].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
    () => `[::ffff:${plain}]`,
    () => `[::${plain}]`,
    () => `[64:ff9b::${plain}]`,
    () => `[64:ff9b:1::${plain}]`,
    () => `[2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::1]`,
    () => `[0:0:0:0:0:FFFF:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
  ])();
}

function spellIPv6(groups: number[]): string {
  const hex = groups.map((group) => group.toString(16));
  const plain = hex.join(':');
  const tail = groups.slice(6).flatMap((group) => [group >> 8, group & 255]);
  return random.oneOf([
    () => plain,
    () => plain.toUpperCase(),
    () => hex.map((group) => group.padStart(4, '0')).join(':'),
    () => plain.replace(/\b0(:0)+\b/, ':').replace(/:{3,}/, '::'),
    () => `${hex.slice(0, 6).join(':')}:${tail.join('.')}`,
    () => `${plain}%25eth0`,
    () => `${plain}%lo`,
  ])();
}

/** Names that the tests resolve, each to what its next lookup says. */
const names = new Map<string, string[][]>();
let named = 0;

function nameFor(...answers: string[][]): string {
  named += 1;
  const name = `host-${named}.test`;
  names.set(name, answers);
  return name;
}

const resolve: Resolve = (hostname, done) => {
  const answers = names.get(hostname) ?? [];
  const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  done(
    null,
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};

let port: number;
/** The addresses of this machine at which a connection arrived, and those to which a socket was told to connect. */
const arrivedAt: string[] = [];
const asked: { address?: string; port?: number }[] = [];

// The request that a socket hands to the operating system, one for each address that it tries.
const observer = createHook({
  init(_id, type, _trigger, resource) {
    if (type === 'TCPCONNECTWRAP') asked.push(resource);
  },
});
const connectedTo = () => asked.map(({ address }) => address);

// Whatever reaches this machine at this port, at any of its addresses.
const listener = createServer((request, response) => {
  const redirect = new URL(request.url ?? '/', 'http://receiver.test').searchParams.get('to');
  response.writeHead(redirect ? 302 : 200, redirect ? { location: redirect } : {}).end();
}).on('connection', ({ localAddress = '' }) => arrivedAt.push(localAddress.replace(/^::ffff:/, '')));

beforeAll(async () => {
  listener.listen(0, '::');
  await once(listener, 'listening');
  ({ port } = listener.address() as AddressInfo);
  observer.enable();
});
afterAll(async () => {
  observer.disable();
  listener.closeAllConnections();
  listener.close();
});

function newCallOut() {
  const callOut = createCallOut([ALLOWED], { resolve });
  onTestFinished(() => callOut.close());
  return callOut;
}

/** A URL that leads to a forbidden address in one of many ways. */
function hostileUrl(): string {
  const { plain, spelled } = hostileAddress();
  const host = random.oneOf([
    () => spelled,
    () => spelled,
    () => spelled,
    () => nameFor([plain]),
    () => nameFor([ALLOWED, plain]),
    () => nameFor([plain, ALLOWED]),
    () => `user@${spelled}`,
    () => `${ALLOWED}:${port}@${spelled}`,
    () => `${ALLOWED}%40${spelled}`,
    () => `${ALLOWED}:${port}\\@${spelled}`,
    () => `${ALLOWED}#@${spelled}`,
    () => `${nameFor([plain]).toUpperCase()}.`,
  ])();
  const scheme = random.oneOf(['http:', 'https:', 'HTTP:', 'hTTps:', 'ftp:', 'file:', 'gopher:', 'ws:']);
  const slashes = random.oneOf(['//', '//', '//', '/', '\\\\', '////']);
  return `${scheme}${slashes}${host}${random.oneOf([`:${port}`, '', ':443', ':80'])}/hook`;
}

const call = (callOut: ReturnType<typeof createCallOut>, url: string) =>
  callOut.call({ method: 'POST', url, headers: {}, body: '{}' });

describe('calls that leave the service', () => {
  it('reach an allowed address, which the listener and the observer see', async () => {
    const callOut = newCallOut();
    expect(await call(callOut, `http://${ALLOWED}:${port}/hook`)).toMatchObject({ status: 200 });
    expect(await call(callOut, `http://${nameFor([ALLOWED])}:${port}/hook`)).toMatchObject({ status: 200 });
    expect(arrivedAt).toEqual([ALLOWED, ALLOWED]);
    expect(connectedTo()).toEqual([ALLOWED, ALLOWED]);
  });

  it(`never connect to a forbidden address, in ${ADDRESSES} spellings`, async () => {
    const callOut = newCallOut();
    const outcomes = { refused: 0, answered: 0 };
    const urls = Array.from({ length: ADDRESSES }, hostileUrl);
    const before = asked.length;
    for (const url of urls) {
      const answer = await call(callOut, url).catch((error: unknown) => error);
      // A backslash or a hash before the address leaves the allowed host in front of it.
      if (answer instanceof CallFailed) outcomes.refused += 1;
      else outcomes.answered += 1;
      expect(answer, url).toSatisfy((is) => is instanceof CallFailed || is.status === 200);
    }
    expect(new Set(connectedTo().slice(before))).toEqual(new Set([ALLOWED]));
    expect(new Set(arrivedAt)).toEqual(new Set([ALLOWED]));
    expect(outcomes.refused).toBeGreaterThan(ADDRESSES * 0.8);
    // Nothing was refused only because it could not be read.
    expect(urls.filter((url) => URL.canParse(url)).length).toBeGreaterThan(ADDRESSES / 2);
  });

  it('do not follow a name that leads to a public address first and to a private one later', async () => {
    const callOut = newCallOut();
    const name = nameFor([ALLOWED], ['127.0.0.1'], ['::1'], [ALLOWED]);
    const url = `http://${name}:${port}/hook`;
    expect(await call(callOut, url)).toMatchObject({ status: 200 });
    // Still the connection to the address that was checked.
    expect(await call(callOut, url)).toMatchObject({ status: 200 });
    await callOut.closeIdle(name);
    const before = asked.length;
    await expect(call(callOut, url)).rejects.toThrow(`${name} leads to 127.0.0.1, which is not allowed.`);
    await expect(call(callOut, url)).rejects.toThrow(`${name} leads to ::1, which is not allowed.`);
    expect(connectedTo().slice(before)).toEqual([]);
    expect(await call(callOut, url)).toMatchObject({ status: 200 });
    expect(connectedTo().slice(before)).toEqual([ALLOWED]);
  });

  it('do not follow redirects', async () => {
    const callOut = newCallOut();
    const before = asked.length;
    for (const to of [`http://127.0.0.1:${port}/`, `http://[::1]:${port}/`, 'http://169.254.169.254/', '//10.0.0.1/']) {
      const answer = await call(callOut, `http://${ALLOWED}:${port}/hook?to=${encodeURIComponent(to)}`);
      expect(answer).toMatchObject({ status: 302, headers: { location: to } });
    }
    expect(connectedTo().slice(before)).toEqual([ALLOWED]);
  });

  it('ignore proxies that the environment names', async () => {
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const before = { ...process.env };
    for (const name of proxies) process.env[name] = `http://127.0.0.1:${port}`;
    process.env.NODE_USE_ENV_PROXY = '1';
    onTestFinished(() => {
      for (const name of [...proxies, 'NODE_USE_ENV_PROXY']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    });
    const calls = asked.length;
    expect(await call(newCallOut(), `http://${ALLOWED}:${port}/hook`)).toMatchObject({ status: 200 });
    expect(connectedTo().slice(calls)).toEqual([ALLOWED]);
  });

  it('refuse the names of this machine, which the operating system resolves', async () => {
    const callOut = createCallOut([]);
    const before = asked.length;
    await expect(call(callOut, 'https://localhost/')).rejects.toThrow(
      /^localhost leads to .*, which is not allowed\.$/,
    );
    await callOut.close();
    expect(connectedTo().slice(before)).toEqual([]);
  });

  it('use plain http and other ports only where an exception is listed', async () => {
    const none = createCallOut([]);
    expect(none.problemOf(`https://example.com:${port}/`)).toBe('The URL must use port 443.');
    expect(none.problemOf('http://example.com/')).toBe('The URL must start with https://.');
    expect(none.problemOf('https://example.com/')).toBeNull();
    expect(none.problemOf('https://example.com:443/')).toBeNull();
    expect(none.problemOf('https://8.8.8.8/')).toBeNull();
    const some = newCallOut();
    expect(some.problemOf('http://8.8.8.8/')).toBe('The URL must start with https://.');
    expect(some.problemOf('https://8.8.8.8:8443/')).toBe('The URL must use port 443.');
    // A name may turn out to lead to the exception. If it leads elsewhere, nothing is sent.
    const name = nameFor(['8.8.8.8']);
    const before = asked.length;
    for (const url of [`http://${name}/`, `http://${name}:${port}/`, `https://${name}:8443/`]) {
      expect(some.problemOf(url)).toBeNull();
      await expect(call(some, url)).rejects.toThrow(`${name} leads to 8.8.8.8, which is not allowed.`);
    }
    expect(connectedTo().slice(before)).toEqual([]);
  });
});
