import { expect, it } from 'vitest';
import { linkTo, shortLinkTo } from './partner-link.ts';

const OWN = { domain: 'acme.test', shortLink: 'bob' };

it.each([
  ['', 'https://acme.test/?aff=bob'],
  ['/pricing', 'https://acme.test/pricing?aff=bob'],
  ['pricing', 'https://acme.test/pricing?aff=bob'],
  [' /pricing?plan=pro#faq ', 'https://acme.test/pricing?plan=pro&aff=bob#faq'],
  ['/pricing?aff=eve', 'https://acme.test/pricing?aff=bob'],
  ['acme.test/docs', 'https://acme.test/docs?aff=bob'],
  ['blog.acme.test', 'https://blog.acme.test/?aff=bob'],
  ['http://www.acme.test/a', 'https://www.acme.test/a?aff=bob'],
  ['//evil.test/x', 'https://acme.test/evil.test/x?aff=bob'],
])('%j becomes %s', (typed, url) => expect(linkTo(typed, OWN)).toEqual({ url }));

it.each(['https://evil.test/x', 'https://notacme.test/', 'http://acme.test.evil.test'])('%s is refused', (typed) =>
  expect(linkTo(typed, OWN)).toEqual({ problem: 'Your link works on pages of acme.test only.' }),
);

it.each([
  ['https://acme.test/start?aff=bob', 'https://track.test/r/bob'],
  ['https://acme.test/?aff=bob', 'https://track.test/r/bob?to=%2F'],
  ['https://acme.test/pricing?plan=pro&aff=bob#faq', 'https://track.test/r/bob?to=%2Fpricing%3Fplan%3Dpro%23faq'],
  ['https://blog.acme.test/?aff=bob', null],
])('the short address of %s is %s', (page, expected) =>
  expect(shortLinkTo(page, { url: 'https://acme.test/start?aff=bob', short_url: 'https://track.test/r/bob' })).toBe(
    expected,
  ),
);
