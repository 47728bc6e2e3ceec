import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operator, startService, temporaryFolder } from '../test/processes.ts';

/** Everything in the folder that others may read, write or enter, by its mode. */
function openToOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['', ...names]
    .map((name) => ({ name, mode: statSync(join(folder, name)).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ name, mode }) => `${name} ${mode.toString(8)}`);
}

it('a data folder that was open to others is private once the service has started, and a backup is too', async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  const env = { SVC_DATA_DIR: dataDir };
  const service = await startService(env);
  expect(openToOthers(dataDir)).toEqual([]);
  const backup = join(folder, 'svc.backup');
  expect((await operator(env, 'backup', '--to', backup)).code).toBe(0);
  expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
  await service.end();
  expect(openToOthers(dataDir)).toEqual([]);
  expect(readdirSync(join(dataDir, 'postgres')).length).toBeGreaterThan(10);
});
