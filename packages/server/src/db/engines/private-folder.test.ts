import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { describe, expect, it } from 'vitest';
import { makePrivate } from './private-folder.ts';

const folder = useFolder();
const modeOf = (...path: string[]) => (statSync(join(...path)).mode & 0o777).toString(8);

/** A data folder that is accessible to everyone, with the files of the service. */
function openFolder(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(join(path, 'postgres', 'base', '5'), { recursive: true });
  writeFileSync(join(path, 'postgres', 'base', '5', '2620'), 'rows');
  writeFileSync(join(path, 'secret'), 'secret');
  writeFileSync(join(path, 'notes.txt'), 'of somebody else');
  for (const each of ['', 'postgres', 'postgres/base', 'postgres/base/5']) chmodSync(join(path, each), 0o755);
  for (const each of ['postgres/base/5/2620', 'secret', 'notes.txt']) chmodSync(join(path, each), 0o666);
  return path;
}

describe('a data folder', () => {
  it('that is new is accessible to its user only', () => {
    const path = join(folder.path, 'new', 'data');
    makePrivate(path);
    expect(modeOf(path)).toBe('700');
  });

  it('that was open to others is closed to them, with all files of the service', () => {
    const path = openFolder('open');
    makePrivate(path);
    expect(['', 'postgres', 'postgres/base', 'postgres/base/5'].map((name) => modeOf(path, name))).toEqual([
      '700',
      '700',
      '700',
      '700',
    ]);
    expect([modeOf(path, 'postgres/base/5/2620'), modeOf(path, 'secret')]).toEqual(['600', '600']);
  });

  it('keeps unrelated files unchanged', () => {
    const path = openFolder('with-notes');
    const elsewhere = join(folder.path, 'elsewhere.txt');
    writeFileSync(elsewhere, 'x');
    chmodSync(elsewhere, 0o644);
    symlinkSync(elsewhere, join(path, 'postgres', 'link'));
    makePrivate(path);
    expect([modeOf(path, 'notes.txt'), modeOf(elsewhere)]).toEqual(['666', '644']);
  });

  it.skipIf(process.platform !== 'linux')('that cannot be created is refused at once', () => {
    expect(() => makePrivate('/proc/svc/data')).toThrow(/^SVC_DATA_DIR: \/proc\/svc cannot be created \(/);
  });

  it('that is shared on purpose is refused, with advice', () => {
    const path = join(folder.path, 'shared');
    mkdirSync(path);
    chmodSync(path, 0o1777);
    expect(() => makePrivate(path)).toThrow(/^SVC_DATA_DIR: .* name a folder inside it, which is then created\.$/);
  });
});
