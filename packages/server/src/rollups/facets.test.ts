import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../contract/test/any-character.ts';
import { type Facets, facetsOf, type Visit } from './facets.ts';

const NOTHING: Visit = {
  pageUrl: null,
  affiliateUrl: null,
  referrerUrl: null,
  userAgent: null,
  country: null,
  sub: null,
};
const SITE = 'https://acme.test/?aff=jane';

describe('facetsOf', () => {
  it.each<[keyof Facets, Partial<Visit>, string]>([
    ['landing_page', { affiliateUrl: 'https://www.acme.test/pricing/?utm_source=x#plans' }, 'acme.test/pricing'],
    ['landing_page', { affiliateUrl: SITE }, 'acme.test'],
    ['landing_page', { affiliateUrl: SITE, pageUrl: 'https://acme.test/blog' }, 'acme.test/blog'],
    ['landing_page', { pageUrl: 'HTTPS://user:secret@Shop.Acme.test:8080/A?x' }, 'shop.acme.test:8080/A'],
    ['landing_page', { pageUrl: 'acme.test/pricing' }, ''],
    ['landing_page', { pageUrl: `https://acme.test/${'x'.repeat(189)}😀` }, `acme.test/${'x'.repeat(189)}`],
    ['referrer', { referrerUrl: 'https://www.google.com/search?q=acme', affiliateUrl: SITE }, 'google.com'],
    ['referrer', { referrerUrl: 'https://m.news.example/a' }, 'news.example'],
    ['referrer', { referrerUrl: 'https://m.test/' }, 'm.test'],
    ['referrer', { referrerUrl: 'android-app://com.example.mail/' }, 'com.example.mail'],
    ['referrer', { referrerUrl: 'https://www.acme.test/blog', affiliateUrl: SITE }, ''],
    ['referrer', { referrerUrl: '' }, ''],
    ['device', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari' }, 'mobile'],
    [
      'device',
      { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36' },
      'desktop',
    ],
    ['device', { userAgent: 'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Mobile/15E148' }, 'tablet'],
    ['device', { userAgent: 'Mozilla/5.0 (Linux; Android 14; SM-X710) Chrome/140 Safari/537.36' }, 'tablet'],
    ['device', { userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/140 Mobile Safari/537.36' }, 'mobile'],
    ['device', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }, 'bot'],
    ['device', {}, ''],
    ['country', { country: 'DE' }, 'DE'],
    ['country', {}, ''],
    ['utm_source', { affiliateUrl: `${SITE}&utm_source=newsletter#top` }, 'newsletter'],
    ['utm_medium', { pageUrl: 'https://acme.test/?utm_medium=email' }, 'email'],
    ['utm_campaign', { affiliateUrl: `${SITE}&UTM_Campaign=Fr%C3%BChling+%2726` }, "Frühling '26"],
    ['utm_campaign', { affiliateUrl: `${SITE}&utm_campaign=100%` }, '100%'],
    ['utm_campaign', { affiliateUrl: `${SITE}&utm_campaign=a%00b` }, 'a%00b'],
    ['utm_campaign', { affiliateUrl: `${SITE}&utm_campaigns=no` }, ''],
    ['sub', { affiliateUrl: `${SITE}&sub=ignored`, sub: 'mail 42' }, 'mail 42'],
    ['sub', {}, ''],
  ])('%s of %j is %j', (facet, visit, value) => {
    expect(facetsOf({ ...NOTHING, ...visit })[facet]).toBe(value);
  });

  it('derives short text that can be stored from whatever a page reports', () => {
    const text = fc.option(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 300 }),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
      ),
    );
    const sub = fc.constantFrom(null, 'mail 42');
    const visits = fc.record({
      ...{ pageUrl: text, affiliateUrl: text, referrerUrl: text, userAgent: text, country: text, sub },
    });
    fc.assert(
      fc.property(visits, (visit) => {
        const { country, ...derived } = facetsOf(visit);
        for (const value of Object.values(derived)) {
          expect(value.length).toBeLessThanOrEqual(200);
          expect(value.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
