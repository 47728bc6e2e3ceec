import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

describe('the client that an address identifies', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:51234', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ])('reads %s as one IPv4 address', (text, expected) => expect(clientAddress(text)).toBe(expected));

  it.each([
    '2001:db8:1:2::1',
    '2001:DB8:1:2::1',
    '2001:0db8:0001:0002:0000:0000:0000:0001',
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:db8:1:2::',
    '2001:db8:1:2::192.0.2.1',
    '[2001:db8:1:2::1]',
    '[2001:db8:1:2::1]:443',
    '2001:db8:1:2::1%eth0',
  ])('counts %s as its network', (text) => expect(clientAddress(text)).toBe('2001:db8:1:2::/64'));

  it('keeps different networks apart', () => {
    expect(clientAddress('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(clientAddress('::1')).toBe('0:0:0:0::/64');
    expect(clientAddress('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });

  it.each(['', 'unknown', '_hidden', '1.2.3.4.5', '999.1.1.1', '1:2', '[::1', 'x'.repeat(5_000)])(
    'gives %j no window of its own',
    (text) => expect(clientAddress(text)).toBe('unreadable'),
  );
});
