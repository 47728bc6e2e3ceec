import { readFile } from 'node:fs/promises';

// The same folder seen from `src` and from `dist`.
const BUILT = new URL('../dist/package/', import.meta.url);

/**
 * The files of the npm package, by their path in its tarball. The URL of the service that serves it is written into
 * package.json, so that users never have to type it.
 */
export async function packageFiles(apiUrl: string): Promise<Map<string, Buffer>> {
  const read = (name: string) => readFile(new URL(name, BUILT)).catch(notBuilt);
  const packageJson = JSON.parse(String(await read('package.json'))) as { files: string[] };
  const served = Buffer.from(`${JSON.stringify({ ...packageJson, svc: { apiUrl } }, null, 2)}\n`);
  const files = new Map([['package/package.json', served]]);
  for (const name of [...packageJson.files, 'LICENSE']) files.set(`package/${name}`, await read(name));
  return files;
}

function notBuilt(cause: unknown): never {
  throw new Error('The CLI is not built; run `npm run build`', { cause });
}
