import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '@svc/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createCommandLine } from './command-line.ts';
import { completionScript, type Shell } from './completion-script.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-completions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const svc = createCommandLine(
  { version: '1.2.3', template: '', stdout: process.stdout, stderr: process.stderr },
  async () => undefined,
);

/** How each shell is asked what can follow, without a terminal. */
const ASKS: Record<Shell, (file: string, words: string[]) => string[]> = {
  bash: (file, words) => [
    'bash',
    '-c',
    `source ${file}; COMP_WORDS=(svc ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (file, words) => [
    'zsh',
    '-f',
    '-c',
    // Stands in for the editor of the shell, which only terminals have.
    `compdef() { :; }; _files() { :; }; compadd() { shift; print -l -- "$@"; }; source ${file};
     words=(svc ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=$#words; PREFIX='${words.at(-1)}'; _svc`,
  ],
  fish: (file, words) => ['fish', '--no-config', '-c', `source ${file}; complete -C 'svc ${words.join(' ')}'`],
};

function completions(shell: Shell, ...words: string[]): string[] {
  const file = join(folder, `svc.${shell}`);
  writeFileSync(file, completionScript(svc, shell));
  const [command = '', ...args] = ASKS[shell](file, words);
  const { stdout, stderr, status } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  });
  expect([status, stderr]).toEqual([0, '']);
  const found = stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
  return found.filter((word) => word.startsWith(words.at(-1) ?? ''));
}

describe.each<Shell>(['bash', 'zsh', 'fish'])('completions for %s', (shell) => {
  const isThere = isInstalled(`The completion script for ${shell}`, [shell, '--version']);

  it.skipIf(!isThere)('offer commands, what follows them, and flags, where it is installed', () => {
    expect(completions(shell, 'pa')).toEqual(['partners']);
    expect(
      completions(shell, 'partners', '')
        .filter((word) => /^\w/.test(word))
        .toSorted(),
    ).toEqual(['add', 'list']);
    expect(completions(shell, 'links', 'list', '--al')).toEqual(['--all']);
    expect(completions(shell, '--json', 'partners', 'list', '--al')).toEqual(['--all']);
    expect(completions(shell, 'test', 'ch')).toEqual(['chain']);
    expect(completions(shell, 'completions', 'f')).toEqual(['fish']);
    expect(completions(shell, 'init', '--commission-t')).toEqual(['--commission-type']);
    expect(completions(shell, 'init', '--js')).toEqual(['--json']);
  });
});
