import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from '../service-context.ts';
import type { Downloads, FileName } from './downloads.ts';
import { SERVED_FILES } from './downloads.ts';
import { describePackages, describeTracker } from './package-addresses.ts';
import { createProgramScripts, type ProgramScriptKind } from './program-script.ts';
import { sendAsset } from './send-asset.ts';

const FOR_A_DAY = 'public, max-age=86400, stale-while-revalidate=604800';
const FOREVER = 'public, max-age=31536000, immutable';
const UNTIL_CHECKED = 'public, no-cache';

/** The tracker scripts and the npm packages, newest and by hash, and where they are. */
export function addAssetRoutes(
  app: FastifyInstance,
  ctx: Pick<ServiceContext, 'lookup' | 'log'>,
  downloads: Downloads,
  reportPath: string,
): void {
  addScript(app, downloads, 'script');
  addScript(app, downloads, 'stripeScript');
  addProgramScripts(app, ctx, downloads, reportPath);
  addPackages(app, downloads);

  app.get('/js/svc-tracker.json', async (_request, reply) => {
    reply.header('Cache-Control', UNTIL_CHECKED).header('Access-Control-Allow-Origin', '*');
    return describeTracker(downloads);
  });

  app.get('/packages.json', async (_request, reply) => {
    reply.header('Cache-Control', UNTIL_CHECKED).header('Access-Control-Allow-Origin', '*');
    return describePackages(downloads);
  });
}

function addScript(app: FastifyInstance, downloads: Downloads, name: FileName): void {
  const { newest } = SERVED_FILES[name];
  app.get(newest, async (request, reply) => sendAsset(request, reply, (await downloads.load(name)).asset, FOR_A_DAY));

  app.get(newest.replace(/js$/, ':hash.js'), async (request, reply) => {
    const found = await downloads.findImmutable(name, new URL(request.url, 'http://any').pathname);
    if (found) return sendAsset(request, reply, found, FOREVER);
    // A build that nobody has loaded before: pages get the current one. With an integrity attribute, the browser rejects it.
    reply.header('Cache-Control', 'no-store').header('Access-Control-Allow-Origin', '*');
    return reply.redirect((await downloads.load(name)).newestUrl, 302);
  });
}

/** The trackers of programs. Where no program has the id, it is the script that all share. */
function addProgramScripts(
  app: FastifyInstance,
  { lookup, log }: Pick<ServiceContext, 'lookup' | 'log'>,
  downloads: Downloads,
  reportPath: string,
): void {
  const scriptOf = createProgramScripts(lookup, reportPath);
  const serve = (kind: ProgramScriptKind, shared: FileName) =>
    app.get<{ Params: { program_id: string } }>(
      SERVED_FILES[shared].newest.replace(/\.js$/, '-:program_id(^\\d{1,15}).js'),
      async (request, reply) => {
        const sendShared = async (cacheControl: string) =>
          sendAsset(request, reply, (await downloads.load(shared)).asset, cacheControl);
        try {
          const found = await scriptOf(kind, Number(request.params.program_id));
          return found ? sendAsset(request, reply, found, FOR_A_DAY) : sendShared(FOR_A_DAY);
        } catch (error) {
          // Without its store the service cannot tell, and pages should be tracked all the same.
          log.warn({ err: error }, 'The parameters of a program for its tracker could not be read');
          return sendShared('no-store');
        }
      },
    );
  serve('plain', 'script');
  serve('stripe', 'stripeScript');
}

const PACKAGES: FileName[] = ['tracker', 'node', 'cli'];

function addPackages(app: FastifyInstance, downloads: Downloads): void {
  for (const name of PACKAGES) {
    app.get(SERVED_FILES[name].newest, async (request, reply) =>
      sendAsset(request, reply, (await downloads.load(name)).asset, UNTIL_CHECKED),
    );
  }

  app.get<{ Params: { file: string } }>('/packages/:file', async (request, reply) => {
    const { file } = request.params;
    const [, prefix] = /^(tracker|node|cli)-\d[\w.+-]{0,60}-[0-9a-f]{16}\.tgz$/.exec(file) ?? [];
    const name = PACKAGES.find((known) => known === prefix);
    const found = name && (await downloads.findImmutable(name, `/packages/${file}`));
    if (!found) throw errors.notFound();
    return sendAsset(request, reply, found, FOREVER);
  });
}
