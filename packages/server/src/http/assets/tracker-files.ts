import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Asset, prepareAsset } from './asset.ts';
import { packPackage } from './pack-package.ts';

export type TrackerFiles = { version: string; script: Asset; tarball: Asset };

export type TrackerAddresses = {
  version: string;
  url: string;
  immutable_url: string;
  integrity: string;
  package_url: string;
  script_tag: string;
};

/** Loads the built tracker. The address of this service is written into the package, so users need not configure it. */
export async function loadTracker(baseUrl: string): Promise<TrackerFiles> {
  const manifest = createRequire(import.meta.url).resolve('@svc/tracker/package.json');
  const folder = dirname(manifest);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const script = await readFile(join(folder, 'dist/svc-tracker.js')).catch((cause) => {
    throw new Error('The browser tracker is not built; run `npm run build`', { cause });
  });
  const tarball = await packPackage(folder, {
    leaveOut: (path) => /^dist\/script\./.test(path),
    replace: { 'dist/default-api-base.js': `export const DEFAULT_API_BASE = ${JSON.stringify(baseUrl)};\n` },
  });
  return {
    version,
    script: prepareAsset(script, 'text/javascript; charset=utf-8'),
    tarball: prepareAsset(tarball, 'application/gzip', { compress: false }),
  };
}

/** The URLs of the tracker and how to include it. */
export function addressesOf({ version, script }: TrackerFiles, baseUrl: string): TrackerAddresses {
  const url = `${baseUrl}/js/svc-tracker.js`;
  return {
    version,
    url,
    immutable_url: `${baseUrl}/js/svc-tracker.${script.hash}.js`,
    integrity: script.integrity,
    package_url: `${baseUrl}/packages/tracker.tgz`,
    script_tag: `<script async src="${url}" data-svc-program-id="PROGRAM_ID"></script>`,
  };
}
