import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trackClick } from './click.ts';

const firstMessage = (schema: typeof trackClick.body | typeof trackClick.testBody, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message;
const urlMessage = (affiliate_url: unknown) => firstMessage(trackClick.body, { affiliate_url });
const parsedUrl = (affiliate_url: string) => trackClick.body.parse({ affiliate_url }).affiliate_url;

describe('affiliate_url', () => {
  it.each([
    ['https://acme.test/?aff=jane', 'jane'],
    ['http://acme.test?aff=jane', 'jane'],
    ['HTTPS://ACME.TEST/?aff=Jane', 'Jane'],
    ['https://acme.test:8443/a/b?x=1&aff=jane&y=2#z', 'jane'],
    ['https://acme.test/?aff=one&aff=two', 'one'],
    ['https://acme.test/?aff=a%20b%2Bc', 'a b+c'],
    ['https://acme.test/?aff=a+b', 'a b'],
    ['https://acme.test/?%61ff=jane', 'jane'],
    ['https://user:secret@acme.test/?aff=jane', 'jane'],
    ['https://[::1]/?aff=jane', 'jane'],
    ['https://münchen.example/?aff=jänë', 'jänë'],
  ])('%s has aff %j, and is not changed', (url, aff) => {
    expect(parsedUrl(url)).toEqual({ url, aff });
  });

  it.each([
    ['affiliate_url is required', undefined],
    ['affiliate_url is required', ''],
    ['Invalid affiliate_url', null],
    ['Invalid affiliate_url', 7],
    ['Invalid affiliate_url', {}],
    ['Invalid affiliate_url', ' '],
    ['Invalid affiliate_url', 'jane'],
    ['Invalid affiliate_url', '/?aff=jane'],
    ['Invalid affiliate_url', '//acme.test/?aff=jane'],
    ['Invalid affiliate_url', 'acme.test/?aff=jane'],
    ['Invalid affiliate_url', 'acme.test:443/?aff=jane'],
    ['Invalid affiliate_url', 'https://'],
    ['Invalid affiliate_url', 'https://?aff=jane'],
    ['Invalid affiliate_url', 'https://a b/?aff=jane'],
    ['Invalid affiliate_url', 'https://acme.test:99999/?aff=jane'],
    ['Invalid affiliate_url', 'javascript:alert(1)//?aff=jane'],
    ['Invalid affiliate_url', 'data:text/html,?aff=jane'],
    ['Invalid affiliate_url', 'file:///?aff=jane'],
    ['No aff parameter found in affiliate_url', 'https://acme.test'],
    ['No aff parameter found in affiliate_url', 'https://acme.test/?aff'],
    ['No aff parameter found in affiliate_url', 'https://acme.test/?aff='],
    ['No aff parameter found in affiliate_url', 'https://acme.test/?aff=&aff=jane'],
    ['No aff parameter found in affiliate_url', 'https://acme.test/?AFF=jane'],
    ['No aff parameter found in affiliate_url', 'https://acme.test/?affiliate=jane'],
    ['No aff parameter found in affiliate_url', 'https://acme.test/#aff=jane'],
    ['affiliate_url must be at most 2048 characters', `https://acme.test/?aff=${'x'.repeat(2026)}`],
    ['affiliate_url contains characters that cannot be stored', 'https://acme.test/?aff=a\0'],
    ['affiliate_url contains characters that cannot be stored', 'https://acme.test/?aff=\ud800'],
  ])('%s: %j', (message, url) => {
    expect(urlMessage(url)).toBe(message);
  });

  it('is either refused or has an aff, whatever it is', () => {
    const nearUrl = fc.tuple(fc.constantFrom('', 'https://', 'http://a.test/?', 'https://a.test/?aff='), fc.string());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.webUrl(),
          nearUrl.map((parts) => parts.join('')),
        ),
        (affiliate_url) => {
          const parsed = trackClick.body.safeParse({ affiliate_url });
          if (parsed.success) expect(parsed.data.affiliate_url.aff).not.toBe('');
          else expect(parsed.error.issues[0]?.message).toMatch(/affiliate_url/);
        },
      ),
    );
  });

  it('is checked before the other fields', () => {
    expect(firstMessage(trackClick.body, { page_title: 7 })).toBe('affiliate_url is required');
    expect(firstMessage(trackClick.body, { affiliate_url: 'x', page_title: 7 })).toBe('Invalid affiliate_url');
  });

  it('is optional only in test mode, where it is checked if sent', () => {
    expect(trackClick.testBody.parse({})).toEqual({});
    expect(firstMessage(trackClick.testBody, { affiliate_url: 'x' })).toBe('Invalid affiliate_url');
  });
});

describe('the other fields', () => {
  const affiliate_url = 'https://acme.test/?aff=jane';

  it('are all optional, and unknown ones are ignored', () => {
    expect(trackClick.body.parse({ affiliate_url, debug_mode: true })).toEqual({
      affiliate_url: { url: affiliate_url, aff: 'jane' },
    });
  });

  it.each([
    ['page_url', 2048],
    ['page_title', 1024],
    ['referrer_url', 2048],
    ['session_id', 255],
    ['user_agent', 1024],
    ['screen_resolution', 1024],
    ['viewport_size', 1024],
    ['language', 1024],
    ['timezone', 1024],
    ['existing_click_id', 255],
  ])('%s has up to %i characters', (field, maxChars) => {
    const longest = 'x'.repeat(maxChars);
    expect(trackClick.body.parse({ affiliate_url, [field]: longest })).toMatchObject({ [field]: longest });
    expect(firstMessage(trackClick.body, { affiliate_url, [field]: `${longest}x` })).toBe(
      `${field} must be at most ${maxChars} characters`,
    );
    expect(firstMessage(trackClick.body, { affiliate_url, [field]: 7 })).toBe(`${field} must be a string`);
  });
});
