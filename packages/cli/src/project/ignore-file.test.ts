import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addIgnoreEntries, ignoreSecrets } from './ignore-file.ts';

const ALL = '.svc/.env\n.svc/.env.*\n!.svc/.env.example\n';

describe('the ignore file', () => {
  it.each([
    ['', ALL],
    ['node_modules/\n', `node_modules/\n${ALL}`],
    ['node_modules/', `node_modules/\n${ALL}`],
    ['dist\r\n', `dist\r\n${ALL.replaceAll('\n', '\r\n')}`],
    ['.svc/.env\n', `.svc/.env\n.svc/.env.*\n!.svc/.env.example\n`],
    ['!.svc/.env.example\n', `!.svc/.env.example\n${ALL}`],
    [
      '!.svc/.env.example\n.svc/.env\n.svc/.env.*\n',
      `!.svc/.env.example\n.svc/.env\n.svc/.env.*\n!.svc/.env.example\n`,
    ],
    [ALL, ALL],
    [`  .svc/.env  \n.svc/.env.*\n!.svc/.env.example`, `  .svc/.env  \n.svc/.env.*\n!.svc/.env.example`],
  ])('%j becomes %j', (before, after) => {
    expect(addIgnoreEntries(before)).toBe(after);
    expect(addIgnoreEntries(after)).toBe(after);
  });

  it('keeps key files out of git and the example file in, whatever the project already ignores', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-ignore-'));
    try {
      execFileSync('git', ['init', '-q'], { cwd: folder });
      await mkdir(join(folder, '.svc'));
      for (const name of ['.env', '.env.program-1', '.env.example', 'AGENTS.md']) {
        await writeFile(join(folder, '.svc', name), '');
      }
      await writeFile(join(folder, '.gitignore'), '.env*\n');
      await ignoreSecrets(join(folder, '.gitignore'));
      const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: folder });
      expect(String(listed).trim().split('\n')).toEqual(['.gitignore', '.svc/.env.example', '.svc/AGENTS.md']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
