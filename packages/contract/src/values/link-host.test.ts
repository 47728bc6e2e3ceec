import { expect, it } from 'vitest';
import { linkHost, normalHost } from './link-host.ts';

it.each([
  ['go.example.com', 'go.example.com'],
  ['GO.Example.COM.', 'go.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['go。example。com', 'go.example.com'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['1.example.com', '1.example.com'],
  ['a.b.c.d.e.example', 'a.b.c.d.e.example'],
])('%s is %s', (text, host) => expect(normalHost(text)).toBe(host));

it.each([
  '',
  '.',
  'localhost',
  'example',
  'example.',
  '127.0.0.1',
  '0x7f.0.0.1',
  '0177.1',
  '2130706433',
  '１２７.0.0.1',
  '[::1]',
  '::1',
  'go.example.com:443',
  'go.example.com/',
  'https://go.example.com',
  'user@go.example.com',
  'go.example.com?x',
  'go.example.com#x',
  'go.example.com\\x',
  'go%2eexample.com',
  'go.exam ple.com',
  'go.example.com\r\nx',
  '-go.example.com',
  'go-.example.com',
  '_svc.example.com',
  'go..example.com',
  '*.example.com',
  `${'a'.repeat(64)}.example.com`,
  'go.example.123',
  'go.ex\u0000ample.com',
])('%j is not the name of a host', (text) => expect(normalHost(text)).toBeNull());

it('a host is so short that the name of its record is a host name too', () => {
  const host = (chars: number) => `${'a.'.repeat((chars - 4) / 2)}example`.slice(-chars).replace(/^\./, 'a');
  expect(linkHost.safeParse(host(248)).data).toBe(host(248));
  expect(host(248)).toHaveLength(248);
  expect(linkHost.safeParse(host(249)).success).toBe(false);
});
