import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTarball } from './tarball.ts';

type Manifest = Record<string, unknown> & { exports?: Record<string, unknown> };

export type PackOptions = {
  /** Whether to leave out a path, in addition to what is never packed. */
  leaveOut?: (path: string) => boolean;
  /** Contents that replace those of files. */
  replace?: Record<string, string>;
  /** Where people read about it. */
  homepage: string;
};

/** Fields that only matter inside this repository. */
const INTERNAL_FIELDS = ['private', 'scripts', 'devDependencies'];

/** Packs a built workspace as npm would: its public manifest, `dist/`, the README and the license. */
export async function packPackage(folder: string, { leaveOut, replace = {}, homepage }: PackOptions): Promise<Buffer> {
  const files = new Map<string, Buffer>();
  for (const path of await listFiles(folder)) {
    if (leaveOut?.(path)) continue;
    const text = replace[path];
    files.set(`package/${path}`, text === undefined ? await readFile(join(folder, path)) : Buffer.from(text));
  }
  const manifest = publicManifest(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest);
  files.set('package/package.json', Buffer.from(`${JSON.stringify({ ...manifest, homepage }, null, 2)}\n`));
  return createTarball(files);
}

async function listFiles(folder: string): Promise<string[]> {
  const built = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true });
  const inDist = built
    .filter((entry) => entry.isFile() && /\.(js|d\.ts|json|md|txt)$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
  const beside = (await readdir(folder)).filter((name) => /^(README\.md|LICENSE)$/.test(name));
  return [...inDist, ...beside];
}

/** The manifest without references to sources, which are not in the package. */
function publicManifest(manifest: Manifest): Manifest {
  const kept = Object.entries(manifest).filter(([field]) => !INTERNAL_FIELDS.includes(field));
  return { ...Object.fromEntries(kept), ...(manifest.exports && { exports: withoutSources(manifest.exports) }) };
}

function withoutSources(exports: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(exports).map(([path, target]) => {
    if (typeof target !== 'object' || target === null) return [path, target];
    const { source, ...conditions } = target as Record<string, unknown>;
    return [path, conditions];
  });
  return Object.fromEntries(entries);
}
