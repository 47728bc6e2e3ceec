import { spawnSync } from 'node:child_process';

/** Whether a program is there for tests to try. If it is not, the output says what is not tried. */
export function isInstalled(what: string, [program, ...args]: readonly [string, ...string[]]): boolean {
  const isThere = spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  if (!isThere) console.warn(`${what} is not tried: ${program} is not installed.`);
  return isThere;
}
