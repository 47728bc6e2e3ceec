import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnvFile, setValues, writeSecret } from './env-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-env-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('values in an env file', () => {
  it.each([
    ['', { A: '1' }, 'A=1\n'],
    ['# why\nA=1\nB=2\n', { A: '3' }, '# why\nA=3\nB=2\n'],
    ['B=2', { A: '1' }, 'B=2\nA=1\n'],
    ['export A=1\n', { A: '2' }, 'A=2\n'],
    ['AA=1\n', { A: '2' }, 'AA=1\nA=2\n'],
    ['A=old\n', { A: '$& $1' }, 'A=$& $1\n'],
  ])('%j with %j is %j', (text, values, expected) => {
    expect(setValues(text, values)).toBe(expected);
  });

  it('may have quotes and comments, and are empty for a missing file', async () => {
    await writeFile(join(folder, 'quoted'), '# key\nSVC_API_KEY="svc_key_1"\nexport SVC_PROGRAM_ID=7\n');
    expect(await readEnvFile(join(folder, 'quoted'))).toEqual({ SVC_API_KEY: 'svc_key_1', SVC_PROGRAM_ID: '7' });
    expect(await readEnvFile(join(folder, 'none'))).toEqual({});
    expect(await readEnvFile(join(folder, 'quoted', 'below a file'))).toEqual({});
  });
});

describe('a secret', () => {
  it('is readable only by its owner, even if it replaces a world-readable file', async () => {
    const path = join(folder, 'secrets', '.env');
    await writeSecret(path, 'one');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const open = join(folder, 'open');
    await writeFile(open, 'before', { mode: 0o644 });
    await writeSecret(open, 'after');
    expect((await stat(open)).mode & 0o777).toBe(0o600);
    expect(await readFile(open, 'utf8')).toBe('after');
    expect(await readdir(join(folder, 'secrets'))).toEqual(['.env']);
  });
});
