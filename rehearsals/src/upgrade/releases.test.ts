import { expect, it } from 'vitest';
import { revisionOf } from './releases.ts';

it.each([
  ['0.2.0', 'v0.2.0'],
  ['v0.2.0', 'v0.2.0'],
  ['3966eea9', '3966eea9'],
  ['main', 'main'],
])('a release can be named by its version, its tag or a commit: %s', (release, revision) => {
  expect(revisionOf(release)).toBe(revision);
});
