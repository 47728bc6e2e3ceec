import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { unpackStore } from './unpack-store.js';

const FILES = {
  PG_VERSION: '18\n',
  'base/1/empty': '',
  'base/1/page': 'x'.repeat(8_192),
  'base/1/short': 'y'.repeat(700),
};

const folder = useFolder();
const path = (...parts: string[]) => join(folder.path, ...parts);
const mode = (name: string) => statSync(path('copy', name)).mode & 0o777;

beforeAll(() => {
  mkdirSync(path('store/base/1'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path('store', name), text, { mode: 0o644 });
  execFileSync('tar', ['-czf', path('store.tar.gz'), '-C', path('store'), ...readdirSync(path('store'))]);
});

describe('a store that is unpacked', () => {
  it('has the files of the archive, for this user only', () => {
    unpackStore(path('store.tar.gz'), path('copy'));
    for (const [name, text] of Object.entries(FILES)) expect(readFileSync(path('copy', name), 'utf8')).toBe(text);
    expect(['', 'base', 'base/1'].map(mode)).toEqual([0o700, 0o700, 0o700]);
    expect(Object.keys(FILES).map(mode)).toEqual(Object.keys(FILES).map(() => 0o600));
  });

  it('does not count as one until it is complete, and can be unpacked again', () => {
    mkdirSync(path('interrupted/base/1/short'), { recursive: true });
    expect(() => unpackStore(path('store.tar.gz'), path('interrupted'))).toThrow('EISDIR');
    expect(existsSync(path('interrupted/PG_VERSION'))).toBe(false);
    rmdirSync(path('interrupted/base/1/short'));
    unpackStore(path('store.tar.gz'), path('interrupted'));
    expect(readFileSync(path('interrupted/PG_VERSION'), 'utf8')).toBe('18\n');
  });
});
