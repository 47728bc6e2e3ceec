import { packageFiles } from '@svc/cli/package-files';
import type { FastifyInstance } from 'fastify';
import { PAGE_HEADERS } from '../docs/page.ts';
import { type Asset, prepareAsset } from './asset.ts';
import { sendAsset } from './send-asset.ts';
import { createTarball } from './tarball.ts';
import { addressesOf, loadTracker, type TrackerFiles } from './tracker-files.ts';
import { trackerPage } from './tracker-page.ts';

const FOR_A_DAY = 'public, max-age=86400, stale-while-revalidate=604800';
const FOREVER = 'public, max-age=31536000, immutable';
const UNTIL_CHECKED = 'public, no-cache';

/** The tracker script and the npm packages. Files are read and compressed on the first request. */
export function addAssetRoutes(app: FastifyInstance, baseUrl: string): void {
  let loading: Promise<TrackerFiles> | undefined;
  const load = () => {
    loading ??= loadTracker(baseUrl).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  app.get('/js/svc-tracker.js', async (request, reply) => sendAsset(request, reply, (await load()).script, FOR_A_DAY));

  app.get<{ Params: { hash: string } }>('/js/svc-tracker.:hash.js', async (request, reply) => {
    const { script } = await load();
    if (request.params.hash === script.hash) return sendAsset(request, reply, script, FOREVER);
    // Pages that pin an earlier build get the current one. With an integrity attribute, the browser rejects it.
    reply.header('Cache-Control', 'no-store').header('Access-Control-Allow-Origin', '*');
    return reply.redirect(`${baseUrl}/js/svc-tracker.js`, 302);
  });

  app.get('/js/svc-tracker.json', async (_request, reply) => {
    reply.header('Cache-Control', UNTIL_CHECKED).header('Access-Control-Allow-Origin', '*');
    return addressesOf(await load(), baseUrl);
  });

  app.get('/packages/tracker.tgz', async (request, reply) =>
    sendAsset(request, reply, (await load()).tarball, UNTIL_CHECKED),
  );

  let packing: Promise<Asset> | undefined;
  app.get('/packages/cli.tgz', async (request, reply) => {
    packing ??= packCommand(baseUrl).catch((error) => {
      packing = undefined;
      throw error;
    });
    return sendAsset(request, reply, await packing, UNTIL_CHECKED);
  });

  app.get('/docs/tracker', async (_request, reply) =>
    reply
      .headers(PAGE_HEADERS)
      .type('text/html; charset=utf-8')
      .send(trackerPage(addressesOf(await load(), baseUrl))),
  );
}

/** The npm package of the `svc` command, with the address of this service written into it. */
async function packCommand(baseUrl: string): Promise<Asset> {
  const tarball = await createTarball(await packageFiles(baseUrl));
  return prepareAsset(tarball, 'application/gzip', { compress: false });
}
