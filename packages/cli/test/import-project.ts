import { expect, onTestFinished } from 'vitest';
import type { Command } from './command.ts';
import type { FakeTool } from './fake-tools/fake-tool.ts';
import { TERMS } from './signed-in.ts';

/** A command that is signed in to a service with this home folder. */
export type SignedIn = { command: Command; home: string; apiUrl: string };

/** A folder with a program of its own, and a way to import from a fake tool into it. */
export async function importProject(
  { command, home, apiUrl }: SignedIn,
  fake: FakeTool,
  env: Record<string, string> = {},
) {
  await fake.open();
  onTestFinished(() => fake.close());
  const cwd = await command.folder();
  const init = ['init', '--json', '--no-interactive', '--yes', '--api-url', apiUrl, ...TERMS];
  const made = await command.run(init, { home, cwd });
  expect(made.code).toBe(0);
  const svc = (...args: string[]) => command.run(args, { home, cwd, env });
  const run = (tool: string, ...flags: string[]) =>
    svc('import', tool, '--json', '--yes', '--tool-url', fake.url, ...flags);
  return { cwd, programId: made.json.program_id as number, svc, run };
}

/** Codes are unique in the whole service, which other tests share. */
export const unique = () => Math.random().toString(36).slice(2, 10);
