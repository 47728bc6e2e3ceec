import { spawnSync } from 'node:child_process';

/**
 * Before this release, a primary that hung and goes on writes its name over that of the server that was promoted meanwhile, and what that one
 * acknowledged is lost (https://github.com/patroni/patroni/pull/2689).
 */
const YIELDS_SINCE = [3, 0, 3] as const;

/** The Patroni that is installed, such as `3.3.2`; empty if it does not say. */
export function patroniVersion(): string {
  const { stdout } = spawnSync('patroni', ['--version'], { encoding: 'utf8' });
  return /\d+(\.\d+)+/.exec(stdout ?? '')?.[0] ?? '';
}

/** Whether a primary that hung yields to the server that was promoted meanwhile. */
export function yieldsAfterHanging(version: string): boolean {
  const parts = version.split('.').map(Number);
  const index = YIELDS_SINCE.findIndex((part, position) => part !== (parts[position] ?? 0));
  return index < 0 || (parts[index] ?? 0) > YIELDS_SINCE[index]!;
}
