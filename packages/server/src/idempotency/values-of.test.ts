import { expect, it } from 'vitest';
import { spellingOf, valuesOf } from './values-of.ts';

const read = (text: string) => valuesOf(JSON.parse(text));

it.each([
  ['the order of fields', '{"a":1,"b":{"d":[{"f":1,"e":2}],"c":3}}', '{"b":{"c":3,"d":[{"e":2,"f":1}]},"a":1}'],
  ['white space', '{"a":[1,2]}', '{ "a" : [ 1,\n2 ] }'],
  ['the spelling of numbers', '{"a":100,"b":0}', '{"a":1.0E2,"b":-0}'],
  ['the spelling of characters', '{"name":"Zoë/"}', '{"n\\u0061me":"Zo\\u00eb\\/"}'],
])('%s makes no difference', (_, one, other) => {
  expect(read(one)).toBe(read(other));
});

it.each([
  ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
  ['another value', '{"a":{"b":1}}', '{"a":{"b":2}}'],
  ['a number as text', '{"a":1}', '{"a":"1"}'],
  ['another name', '{"a":1}', '{"b":1}'],
  ['another place', '{"a":1,"b":{}}', '{"b":{"a":1}}'],
  ['null and a number that is too large', '{"a":null}', '{"a":1e400}'],
  ['the sign of such a number', '{"a":-1e400}', '{"a":1e400}'],
  ['the place of such a number', '{"a":[null,1e400]}', '{"a":[1e400,null]}'],
  ['null and nothing', '{"a":null}', '{}'],
  ['an empty list and an empty object', '{"a":[]}', '{"a":{}}'],
])('%s makes a difference', (_, one, other) => {
  expect(read(one)).not.toBe(read(other));
  expect(spellingOf(JSON.parse(one))).not.toBe(spellingOf(JSON.parse(other)));
});
