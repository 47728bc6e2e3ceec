import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createCommandLine } from './command-line.ts';

const commandLine = createCommandLine('1.2.3', '', async () => undefined);
const docs = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

describe('docs/cli.md', () => {
  it('names every command', () => {
    const names = commandLine.commands.map((command) => command.name());
    expect(names).toHaveLength(10);
    for (const name of names) expect(docs).toMatch(new RegExp(`^\\| \`svc ${name}\\b`, 'm'));
  });

  it('names every flag with its value', () => {
    const flags = [commandLine, ...commandLine.commands].flatMap(({ options }) => options);
    expect(flags.length).toBeGreaterThan(20);
    for (const { long, flags: shown } of flags.filter((option) => option.long !== '--version')) {
      const value = /<\w+>/.exec(shown)?.[0];
      expect(docs).toContain(value ? `${long} ${value}` : `${long}\``);
    }
  });
});
