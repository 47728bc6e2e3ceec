import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildScript } from '../build.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Builds both forms of the tracker, so that tests serve and run what is in the sources now. */
export default async function buildTracker(): Promise<void> {
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve('@typescript/native/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-b', folder]);
  await buildScript();
}
