import type { FastifyInstance } from 'fastify';
import { type Asset, prepareAsset } from './asset.ts';
import { readClientFile } from './package-folders.ts';
import { sendAsset } from './send-asset.ts';

/** What is served where. */
const FILES = {
  '/clients/svc.py': 'svc.py',
  '/clients/Svc.php': 'Svc.php',
  '/clients/svc.rb': 'svc.rb',
  '/clients/svc.go': 'svc.go',
  '/integrations/svc-gtm.tpl': 'integrations/svc-gtm.tpl',
  '/integrations/svc-segment.js': 'integrations/svc-segment.js',
  '/integrations/svc-woocommerce.php': 'integrations/svc-woocommerce.php',
};
const UNTIL_CHECKED = 'public, no-cache';

/** The clients for backends without npm, and what connects other tools. Shops copy the file, so only the newest one is served. */
export function addClientRoutes(app: FastifyInstance, { baseUrl }: { baseUrl: string }): void {
  const prepared = new Map<string, Promise<Asset>>();
  for (const [path, file] of Object.entries(FILES)) {
    app.get(path, async (request, reply) => {
      const asset = prepared.get(file) ?? prepare(file, baseUrl);
      prepared.set(file, asset);
      asset.catch(() => prepared.delete(file));
      return sendAsset(request, reply, await asset, UNTIL_CHECKED);
    });
  }
}

/** The file with the address and the release of this service written into it. */
async function prepare(file: string, baseUrl: string): Promise<Asset> {
  const { version, body } = await readClientFile(file);
  const text = body
    .toString()
    .replace(/^(.*default_?api_?url = )""/im, (_, start) => start + JSON.stringify(baseUrl))
    .replace(/^(.*version = )"0\.0\.0"/im, (_, start) => start + JSON.stringify(version))
    .replace(/^( \* Version: |.*'svc-segment\/)0\.0\.0/im, (_, start) => start + version)
    .replaceAll('https://track.example.com', baseUrl);
  return prepareAsset(Buffer.from(text), 'text/plain; charset=utf-8');
}
