import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { REPORT_PATH } from '@svc/contract';
import { packPackage } from './pack-package.ts';

type Built = { version: string; body: Buffer };

const { resolve } = createRequire(import.meta.url);

/** What the service writes into what it serves. */
export type Installation = { baseUrl: string; reportPath: string };

/** A script of the browser tracker, which reports to the path of this installation. */
export async function readTrackerScript(name: string, reportPath: string): Promise<Built> {
  const folder = dirname(resolve('@svc/tracker/package.json'));
  const body = await readFile(join(folder, 'dist', name)).catch((cause) => {
    throw new Error('The browser tracker is not built; run `npm run build`', { cause });
  });
  const script = body.toString().replace(`${REPORT_PATH}/\${`, () => `${reportPath}/\${`);
  return { version: await versionIn(folder), body: Buffer.from(script) };
}

/** The npm package of the browser tracker. */
export async function packTracker(installation: Installation): Promise<Built> {
  const folder = dirname(resolve('@svc/tracker/package.json'));
  return pack(folder, 'tracker', installation, (path) =>
    /^dist\/(cjs\/)?(script|svc-tracker|of-program)[-.]/.test(path),
  );
}

/** The npm package for servers. */
export async function packNodePackage(installation: Installation): Promise<Built> {
  return pack(join(dirname(resolve('@svc/node/package.json')), 'dist/package'), 'node', installation);
}

/** The source of a client in one file. */
export async function readClientFile(name: string): Promise<Built> {
  const folder = dirname(resolve('@svc/clients/package.json'));
  return { version: await versionIn(folder), body: await readFile(join(folder, 'src', name)) };
}

/** Packs a package with the address of this service written into it, so that its users need not configure it. */
async function pack(
  folder: string,
  guide: string,
  { baseUrl, reportPath }: Installation,
  leaveOut?: (path: string) => boolean,
): Promise<Built> {
  const [address, path] = [JSON.stringify(baseUrl), JSON.stringify(reportPath)];
  const body = await packPackage(folder, {
    ...(leaveOut && { leaveOut }),
    homepage: `${baseUrl}/docs/guide/${guide}`,
    replace: {
      'dist/default-api-base.js': `export const DEFAULT_API_BASE = ${address};\n`,
      'dist/cjs/default-api-base.js': `exports.DEFAULT_API_BASE = ${address};\n`,
      'dist/report-path.js': `export const REPORT_PATH = ${path};\n`,
      'dist/cjs/report-path.js': `exports.REPORT_PATH = ${path};\n`,
    },
  });
  return { version: await versionIn(folder), body };
}

async function versionIn(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
