import { expect } from 'vitest';

/** Compares whole files. `toEqual` visits every byte like a field of an object, which takes seconds for a package. */
export function expectSameBytes(actual: Buffer | undefined, expected: Buffer): void {
  expect(actual?.length).toBe(expected.length);
  expect(actual?.equals(expected)).toBe(true);
}
