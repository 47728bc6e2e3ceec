import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createCommandLine } from './command-line.ts';

const commandLine = createCommandLine(
  { version: '1.2.3', template: '', stdout: process.stdout, stderr: process.stderr },
  async () => undefined,
);
const docs = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

describe('docs/cli.md', () => {
  it('names every command', () => {
    const names = commandLine.commands.flatMap((command) =>
      command.commands.length > 0 ? command.commands.map((sub) => `${command.name()} ${sub.name()}`) : [command.name()],
    );
    expect(names).toHaveLength(32);
    for (const name of names) expect(docs).toMatch(new RegExp(`^\\| .*\`svc ${name}\\b`, 'm'));
  });

  it('names every flag with its value', () => {
    const commands = commandLine.commands.flatMap((command) => [command, ...command.commands]);
    const flags = [commandLine, ...commands].flatMap(({ options }) => options);
    expect(flags.length).toBeGreaterThan(20);
    for (const { long, flags: shown } of flags.filter((option) => option.long !== '--version')) {
      const value = /<[\w=-]+>/.exec(shown)?.[0];
      expect(docs).toContain(value ? `${long} ${value}` : `${long}\``);
    }
  });
});
