import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { REPORT_PATH } from '@svc/contract';

type Built = { version: string; body: Buffer };

const { resolve } = createRequire(import.meta.url);

/** A script of the browser tracker, which reports to the path of this installation. */
export async function readTrackerScript(name: string, reportPath: string): Promise<Built> {
  const folder = dirname(resolve('@svc/tracker/package.json'));
  const body = await readFile(join(folder, 'dist', name)).catch((cause) => {
    throw new Error('The browser tracker is not built; run `npm run build`', { cause });
  });
  const script = body.toString().replace(`${REPORT_PATH}/\${`, () => `${reportPath}/\${`);
  return { version: await versionIn(folder), body: Buffer.from(script) };
}

/** The npm package of this name, as the build has packed it: its bytes are the same wherever the release runs. */
export async function readPackage(name: 'tracker' | 'node' | 'cli'): Promise<Built> {
  const folder = dirname(resolve(`@svc/${name}/package.json`));
  const body = await readFile(join(folder, 'dist', `${name}.tgz`)).catch((cause) => {
    throw new Error(`The package @svc/${name} is not packed; run \`npm run build\``, { cause });
  });
  return { version: await versionIn(folder), body };
}

/** The source of a client in one file. */
export async function readClientFile(name: string): Promise<Built> {
  const folder = dirname(resolve('@svc/clients/package.json'));
  return { version: await versionIn(folder), body: await readFile(join(folder, 'src', name)) };
}

async function versionIn(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
