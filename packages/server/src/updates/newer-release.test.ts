import { describe, expect, it } from 'vitest';
import { newerRelease, readAnnounced } from './newer-release.ts';

describe('an announced release', () => {
  it.each([
    ['{"version":"0.4.0"}', '0.4.0'],
    ['{"version":"1.10.2","url":"https://example.com"}', '1.10.2'],
    ['{"version":"0.4.0\\n<b>"}', null],
    ['{"version":["0.4.0"]}', null],
    ['{"version":4}', null],
    ['null', null],
    ['<html>', null],
  ])('is read from %s', (text, version) => {
    expect(readAnnounced(text)).toBe(version);
  });

  it.each([
    ['0.3.0', '0.4.0', '0.4.0'],
    ['0.9.0', '0.10.0', '0.10.0'],
    ['0.9.9', '1.0.0', '1.0.0'],
    ['0.3.0', '0.3.1', '0.3.1'],
    ['0.3.0', '0.3.0', null],
    ['0.10.0', '0.9.0', null],
    ['0.3.0', null, null],
  ])('is compared number by number: %s and %s', (current, announced, newer) => {
    expect(newerRelease(current, announced)).toBe(newer);
  });
});
