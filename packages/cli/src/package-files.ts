import { readFile } from 'node:fs/promises';

const FILES = ['svc.mjs', 'package.json', 'LICENSE', 'LICENSES.txt'];
// The same folder seen from `src` and from `dist`.
const BUILT = new URL('../dist/package/', import.meta.url);

/**
 * The files of the npm package, by their path in its tarball. The URL of the service that serves it is written into
 * package.json, so that users never have to type it.
 */
export async function packageFiles(apiUrl: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of FILES) files.set(`package/${name}`, await readFile(new URL(name, BUILT)).catch(notBuilt));
  const packageJson = JSON.parse(String(files.get('package/package.json'))) as Record<string, unknown>;
  files.set('package/package.json', Buffer.from(`${JSON.stringify({ ...packageJson, svc: { apiUrl } }, null, 2)}\n`));
  return files;
}

function notBuilt(cause: unknown): never {
  throw new Error('The CLI is not built; run `npm run build`', { cause });
}
