import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The addresses of the command, the newest and those of releases. */
const TARBALL = /^(https?:\/\/.+)\/packages\/cli(?:-[\w.+-]+)?\.tgz$/;

/**
 * The service that this copy of the command was installed from; undefined if nothing says so, as after `npm install --global`. The
 * package itself is the same everywhere, but the project that depends on it names its address. npx, `pnpm dlx` and `yarn dlx` make
 * such a project for each run.
 */
export function findDownloadSource(script: string): string | undefined {
  for (let folder = dirname(script), above = dirname(folder); above !== folder; above = dirname(folder)) {
    folder = above;
    const source = TARBALL.exec(addressIn(join(folder, 'package.json')))?.[1];
    if (source) return source;
  }
  return undefined;
}

type Manifest = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>;

function addressIn(path: string): string {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    return { ...dependencies, ...devDependencies }['@svc/cli'] ?? '';
  } catch {
    return '';
  }
}
