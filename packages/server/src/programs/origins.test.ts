import { describe, expect, it } from 'vitest';
import { isOriginAllowed } from './origins.ts';

const program = { domain: 'acme.test', allowedOrigins: ['http://localhost:3000', 'https://partner.example'] };

describe('isOriginAllowed', () => {
  it.each([
    'https://acme.test',
    'https://www.acme.test',
    'https://a.b.c.acme.test',
    'https://xn--mnchen-3ya.acme.test',
    'http://localhost:3000',
    'https://partner.example',
  ])('allows %s', (origin) => {
    expect(isOriginAllowed(program, origin)).toBe(true);
  });

  it.each([
    ['', 'empty'],
    ['null', 'a page without an origin'],
    ['acme.test', 'no scheme'],
    ['http://acme.test', 'not https'],
    ['http://www.acme.test', 'not https on a subdomain'],
    ['ftp://acme.test', 'another scheme'],
    ['https://acme.test:8443', 'a port'],
    ['https://www.acme.test:8443', 'a port on a subdomain'],
    ['https://acme.test.', 'a trailing dot'],
    ['https://acme.test/', 'a path'],
    ['https://notacme.test', 'a domain with the same end'],
    ['https://acme.test.elsewhere.example', 'a domain with the same start'],
    ['https://acme.example', 'another top-level domain'],
    ['https://test', 'only the top-level domain'],
    ['http://localhost', 'no port'],
    ['http://localhost:30000', 'a longer port'],
    ['https://localhost:3000', 'another scheme than in the settings'],
    ['http://127.0.0.1:3000', '127.0.0.1 instead of localhost'],
    ['http://www.partner.example', 'another scheme and host'],
    ['https://www.partner.example', 'a subdomain of an origin in the settings'],
    ['https://PARTNER.example', 'another case'],
  ])('refuses %j: %s', (origin) => {
    expect(isOriginAllowed(program, origin)).toBe(false);
  });

  it.each(['https://acme.test', 'https://www.acme.test', 'https://app.acme.test'])(
    'allows %s if the domain was stored with www.',
    (origin) => {
      expect(isOriginAllowed({ domain: 'www.acme.test', allowedOrigins: [] }, origin)).toBe(true);
      expect(isOriginAllowed({ domain: 'www.test', allowedOrigins: [] }, origin)).toBe(false);
    },
  );

  it('ignores the case of the domain', () => {
    const uppercase = { domain: 'ACME.Test', allowedOrigins: [] };
    expect(isOriginAllowed(uppercase, 'https://acme.test')).toBe(true);
    expect(isOriginAllowed(uppercase, 'https://www.acme.test')).toBe(true);
  });

  it('allows only the domain if the settings contain no origins', () => {
    const strict = { domain: 'acme.test', allowedOrigins: [] };
    expect(isOriginAllowed(strict, 'http://localhost:3000')).toBe(false);
    expect(isOriginAllowed(strict, 'https://acme.test')).toBe(true);
  });

  it('treats the domain as text, not as a pattern', () => {
    expect(isOriginAllowed({ domain: 'a.me', allowedOrigins: [] }, 'https://acme')).toBe(false);
    expect(isOriginAllowed({ domain: 'a.me', allowedOrigins: [] }, 'https://x.abme')).toBe(false);
  });
});
