import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Asset, assetOf } from '../assets/asset.ts';

/** The built web application: its page, without settings, and its assets by name. */
export type DashboardFiles = { page: string; assets: Map<string, Asset> };

const CONTENT_TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Reads the application and its compressed assets from the build. */
export async function loadDashboard(): Promise<DashboardFiles> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@svc/dashboard/package.json')), 'dist');
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch((cause) => {
    throw new Error('The dashboard is not built; run `npm run build`', { cause });
  });
  const names = (await readdir(join(folder, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name));
  const read = (name: string) => readFile(join(folder, 'assets', name));
  const assets = await Promise.all(
    names.map(async (name): Promise<[string, Asset]> => {
      const type = CONTENT_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      // Fonts are compressed already.
      if (type.startsWith('font/')) return [name, assetOf(await read(name), type)];
      const [body, br, gzip] = await Promise.all([read(name), read(`${name}.br`), read(`${name}.gz`)]);
      return [name, assetOf(body, type, { br, gzip })];
    }),
  );
  return { page, assets: new Map(assets) };
}
