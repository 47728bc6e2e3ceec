import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildScript } from '../../tracker/build.mjs';

const run = promisify(execFile);
const packages = fileURLToPath(new URL('../../', import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/**
 * Brings what tests start and serve up to date with the sources: the compiled packages, the empty store and the tracker's
 * script. A test never runs an older build; where nothing changed this takes a second.
 */
export default async function build(): Promise<void> {
  const projects = ['server', 'cli', 'tracker'].map((name) => join(packages, name));
  await run(process.execPath, [compiler, '-b', ...projects]).catch(({ stdout }) => {
    throw new Error(`The sources do not compile:\n${stdout}`);
  });
  await run(process.execPath, [join(packages, 'server/build-empty-store.mjs')]);
  await buildScript();
}
