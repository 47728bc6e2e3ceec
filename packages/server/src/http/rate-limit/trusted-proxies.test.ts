import { compile } from '@fastify/proxy-addr';
import { describe, expect, it } from 'vitest';
import { trustProxies } from './trusted-proxies.ts';

const LISTS = [
  ['127.0.0.1'],
  ['10.0.0.0/8', '192.0.2.7'],
  ['loopback', 'uniquelocal'],
  ['::1', '2001:db8::/32'],
  ['::ffff:10.0.0.1'],
];
const ADDRESSES = [
  ...['127.0.0.1', '127.0.0.2', '10.1.2.3', '11.1.2.3', '192.0.2.7', '192.0.2.8', '192.168.1.1', '10.0.0.1'],
  ...['::1', '::2', '2001:db8::1', '2001:db9::1', 'fd00::1', '::ffff:127.0.0.1', '::ffff:10.1.2.3', '::ffff:192.0.2.7'],
];

describe.each(LISTS.map((list) => [list]))('with %j trusted', (list) => {
  it.each(ADDRESSES)('%s is judged as by comparing parsed addresses', (address) => {
    expect(trustProxies(list)(address, 0)).toBe(compile(list)(address, 0));
  });
});
