import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTarball } from './tarball.mjs';

const files = new Map([
  ['package/b.txt', Buffer.from('x'.repeat(512))],
  ['package/a.txt', Buffer.from('héllo')],
  ['package/empty.txt', Buffer.alloc(0)],
]);

describe('a tarball', () => {
  it('contains the files in order of their names in whole blocks, followed by two empty blocks', () => {
    const archive = gunzipSync(createTarball(files));
    expect(archive.length % 512).toBe(0);
    expect(archive.subarray(-1024).every((byte) => byte === 0)).toBe(true);
    const names = [0, 1024, 2048].map((at) => archive.toString('utf8', at, at + 100).replace(/\0+$/, ''));
    expect(names).toEqual(['package/a.txt', 'package/b.txt', 'package/empty.txt']);
    expect(archive.toString('utf8', 512, 518)).toBe('héllo');
    expect(archive.toString('utf8', 257, 262)).toBe('ustar');
  });

  it('is identical for the same files in any order', () => {
    const reversed = new Map([...files].reverse());
    expect(createTarball(reversed)).toEqual(createTarball(files));
  });

  it('refuses a path that is too long for the format', () => {
    expect(() => createTarball(new Map([[`package/${'x'.repeat(100)}`, Buffer.alloc(0)]]))).toThrow('too long');
  });
});
