import { expect, it } from 'vitest';
import { releasesAhead } from './release.ts';

it.each([
  ['0.2.0', '0.2.9', 0],
  ['0.2.3', '0.3.0', 1],
  ['0.9.0', '0.11.0', 2],
  ['0.3.0', '0.2.0', -1],
  ['0.3.0', '1.0.0', Number.POSITIVE_INFINITY],
  ['2.0.0', '1.9.0', Number.NEGATIVE_INFINITY],
])('%s and %s are %d apart', (release, other, ahead) => {
  expect(releasesAhead(release, other)).toBe(ahead);
});
