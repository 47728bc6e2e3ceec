import { expect, it } from 'vitest';
import { affiliateCodeIn, FOREIGN_PARAMETERS, linkParameters } from './link-parameters.ts';

it.each([
  ['aff=jane', 'jane'],
  ['via=jane', 'jane'],
  ['ref=ben', 'ben'],
  ['via=jane&aff=ben', 'ben'],
  ['ref=ben&via=jane', 'jane'],
  ['aff=&via=jane', 'jane'],
  ['via=&ref=ben', 'ben'],
  ['via=a%20b%2Bc', 'a b+c'],
  ['via=first&via=second', 'first'],
  ['VIA=jane', null],
  ['fpr=jane', null],
  ['', null],
])('in ?%s, a program that reads via and ref finds %s', (query, code) => {
  expect(affiliateCodeIn(new URLSearchParams(query), ['via', 'ref'])).toBe(code);
});

it('a program without other parameters finds aff alone', () => {
  expect(affiliateCodeIn(new URLSearchParams('via=jane&ref=ben'), [])).toBeNull();
  expect(affiliateCodeIn(new URLSearchParams('via=jane&aff=ben'), [])).toBe('ben');
});

it('every suggested parameter is accepted', () => {
  for (const { parameters } of FOREIGN_PARAMETERS) expect(linkParameters.parse([...parameters])).toEqual(parameters);
});
