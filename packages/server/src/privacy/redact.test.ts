import { describe, expect, it } from 'vitest';
import { isNamedIn, redactJson, redactText } from './redact.ts';

const jane = {
  words: ['jane-doe', 'u1', 'a+b(c)'],
  ownsAddress: (address: string) => address.toLowerCase() === 'jane@example.org',
};

describe('redactText', () => {
  it.each([
    ['jane-doe bought twice', '[erased] bought twice'],
    ['Jane-Doe, again', '[erased], again'],
    ['jane-doer and xjane-doe stay', 'jane-doer and xjane-doe stay'],
    ['mail Jane@Example.org.', 'mail [erased].'],
    ['<jane@example.org>, not john@example.org', '<[erased]>, not john@example.org'],
    ['a+b(c) is taken as it is', '[erased] is taken as it is'],
    ['q=jane%40example.org&sort=-name', 'q=[erased]&sort=-name'],
    ['https://acme.test/jane%2Ddoe?mail=JANE%2540example.org', 'https://acme.test/[erased]?mail=[erased]'],
    ['/?key=a%2Bb%28c%29&x=%zz', '/?key=[erased]&x=%zz'],
    ['john%40example.org has 20%25 of jane-doer', 'john%40example.org has 20%25 of jane-doer'],
    ['u1 is too short for free text', 'u1 is too short for free text'],
  ])('%j becomes %j', (text, redacted) => expect(redactText(text, jane)).toBe(redacted));
});

it('redactJson replaces whole values of any length, at any depth, and nothing else', () => {
  const value = { a: ['u1', 1, null, true], b: { c: 'by jane-doe' }, d: 'u12' };
  expect(redactJson(value, jane)).toEqual({ a: ['[erased]', 1, null, true], b: { c: 'by [erased]' }, d: 'u12' });
  expect(redactJson({ 'for jane-doe': 1 }, jane)).toEqual({ 'for [erased]': 1 });
  expect(isNamedIn(value, jane)).toBe(true);
  expect(isNamedIn({ a: ['u12'], b: null }, jane)).toBe(false);
});
