import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packPackage } from './pack-package.ts';

type Built = { version: string; body: Buffer };

const { resolve } = createRequire(import.meta.url);

/** A script of the browser tracker. */
export async function readTrackerScript(name: string): Promise<Built> {
  const folder = dirname(resolve('@svc/tracker/package.json'));
  const body = await readFile(join(folder, 'dist', name)).catch((cause) => {
    throw new Error('The browser tracker is not built; run `npm run build`', { cause });
  });
  return { version: await versionIn(folder), body };
}

/** The npm package of the browser tracker. */
export async function packTracker(baseUrl: string): Promise<Built> {
  const folder = dirname(resolve('@svc/tracker/package.json'));
  return pack(folder, baseUrl, (path) => /^dist\/(cjs\/)?(script|svc-tracker|of-program)[-.]/.test(path));
}

/** The npm package for servers. */
export async function packNodePackage(baseUrl: string): Promise<Built> {
  return pack(join(dirname(resolve('@svc/node/package.json')), 'dist/package'), baseUrl);
}

/** The source of a client in one file. */
export async function readClientFile(name: string): Promise<Built> {
  const folder = dirname(resolve('@svc/clients/package.json'));
  return { version: await versionIn(folder), body: await readFile(join(folder, 'src', name)) };
}

/** Packs a package with the address of this service written into it, so that its users need not configure it. */
async function pack(folder: string, baseUrl: string, leaveOut?: (path: string) => boolean): Promise<Built> {
  const address = JSON.stringify(baseUrl);
  const body = await packPackage(folder, {
    ...(leaveOut && { leaveOut }),
    replace: {
      'dist/default-api-base.js': `export const DEFAULT_API_BASE = ${address};\n`,
      'dist/cjs/default-api-base.js': `exports.DEFAULT_API_BASE = ${address};\n`,
    },
  });
  return { version: await versionIn(folder), body };
}

async function versionIn(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
