import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('..', import.meta.url));
const contract = fileURLToPath(new URL('../../contract', import.meta.url));
const builtFrom = join(folder, 'dist/built-from');

/** Builds the application unless the build that is there was made from the same sources. */
export default async function buildDashboard(): Promise<void> {
  const sources = await fingerprint();
  if ((await readFile(builtFrom, 'utf8').catch(() => '')) === sources) return;
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  await run(process.execPath, [compiler, '-b', contract]);
  await run(process.execPath, [join(folder, 'build.mjs')]);
  await writeFile(builtFrom, sources);
}

async function fingerprint(): Promise<string> {
  const files = [
    ...(await filesIn(join(folder, 'src'))),
    ...(await filesIn(join(contract, 'src'))),
    ...['index.html', 'package.json', 'vite.config.mjs', 'build.mjs'].map((name) => join(folder, name)),
  ].filter((path) => !/\.test\.tsx?$/.test(path));
  const hash = createHash('sha256');
  for (const path of files.sort()) hash.update(path.slice(folder.length)).update(await readFile(path));
  return hash.digest('hex');
}

async function filesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
