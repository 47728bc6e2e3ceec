import { expect, it } from 'vitest';
import { yieldsAfterHanging } from './patroni-version.ts';

it.each([
  ['3.0.2', false],
  ['2.1.7', false],
  ['3.0', false],
  ['', false],
  ['3.0.3', true],
  ['3.2.2', true],
  ['4.0', true],
  ['10.0.0', true],
])('whether a primary of Patroni %s yields after it has hung: %s', (version, yields) => {
  expect(yieldsAfterHanging(version)).toBe(yields);
});
