import { errors } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Downloads } from '../assets/downloads.ts';
import { describeTracker } from '../assets/package-addresses.ts';
import { sendAsset } from '../assets/send-asset.ts';
import { isForPeople, sendNotFoundPage } from '../not-found.ts';
import { htmlOf, markdownOf } from './blocks.ts';
import { errorsPage } from './errors-page.ts';
import type { LoadGuide } from './guide.ts';
import { onceLoaded } from './once.ts';
import { addOpenApiRoutes } from './openapi-files.ts';
import { ICON, PAGE_HEADERS } from './page.ts';
import { paymentsPage } from './payments-page.ts';
import { loadReferenceScript, REFERENCE_HEADERS, REFERENCE_SCRIPT, referencePage } from './reference-page.ts';
import { searchBody } from './search-page.ts';
import { trackerPage } from './tracker-page.ts';

/** The most that the page of results shows, and the list below the search field. */
const MOST_FOUND = 30;
const FOUND_WHILE_TYPING = 8;

type Docs = { baseUrl: string; version: string; downloads: Downloads; guide: LoadGuide };

/** The documentation for people and tools, rendered when it is first requested. */
export function addDocsRoutes(app: FastifyInstance, { baseUrl, version, downloads, guide }: Docs): void {
  addOpenApiRoutes(app, baseUrl, version);

  const sendPage = (reply: FastifyReply, html: string) =>
    reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html);

  const sendMarkdown = (reply: FastifyReply, text: string) =>
    reply.headers(PAGE_HEADERS).type('text/markdown; charset=utf-8').send(text);

  const pages = {
    '/docs/errors': errorsPage,
    '/docs/payments': () => paymentsPage(baseUrl),
    '/docs/tracker': async () => trackerPage(await describeTracker(downloads)),
  };
  for (const [path, render] of Object.entries(pages)) {
    app.get(path, async (_request, reply) => {
      const { title, blocks } = await render();
      reply.header('Link', `<${path}.md>; rel="alternate"; type="text/markdown"`);
      return sendPage(reply, (await guide()).frame(path, title, htmlOf(blocks), `${path}.md`));
    });
    app.get(`${path}.md`, async (_request, reply) => {
      const { title, blocks } = await render();
      return sendMarkdown(reply, markdownOf(title, blocks));
    });
  }

  app.get('/docs/search', async (request, reply) => {
    const { frame, search } = await guide();
    const query = queryOf(request);
    return sendPage(reply, frame('/docs/search', 'Search', searchBody(query, search(query, MOST_FOUND))));
  });
  app.get('/docs/search.json', async (request, reply) => {
    const { search } = await guide();
    return reply.headers(PAGE_HEADERS).send({ results: search(queryOf(request), FOUND_WHILE_TYPING) });
  });

  app.get('/docs/guide', async (_request, reply) => sendPage(reply, (await guide()).home));
  app.get<{ Params: { name: string } }>('/docs/guide/:name', async (request, reply) => {
    const { name } = request.params;
    const { pages, markdown } = await guide();
    const source = name.endsWith('.md') ? markdown.get(name.slice(0, -'.md'.length)) : undefined;
    if (source !== undefined) return sendMarkdown(reply, source);
    const html = pages.get(name);
    if (html === undefined) {
      if (isForPeople(request)) return sendNotFoundPage(reply);
      throw errors.notFound();
    }
    reply.header('Link', `</docs/guide/${name}.md>; rel="alternate"; type="text/markdown"`);
    return sendPage(reply, html);
  });
  app.get('/llms.txt', async (_request, reply) =>
    reply
      .headers(PAGE_HEADERS)
      .type('text/plain; charset=utf-8')
      .send((await guide()).index),
  );
  const sendFile = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const file = (await guide()).files.get(name);
    if (!file) throw errors.notFound();
    // As long as pages, so that a page never has the styles of an earlier release for longer.
    return sendAsset(request, reply, file, PAGE_HEADERS['Cache-Control'], { ownPagesOnly: true });
  };
  // Browsers ask for it on pages that name no icon.
  app.get('/favicon.ico', (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'public, max-age=86400', 'X-Content-Type-Options': 'nosniff' })
      .type('image/svg+xml')
      .send(ICON),
  );
  for (const name of ['docs.css', 'docs.js', 'geist.woff2']) {
    app.get(`/docs/${name}`, (request, reply) => sendFile(request, reply, name));
  }
  app.get<{ Params: { name: string } }>('/docs/images/:name', (request, reply) =>
    sendFile(request, reply, `images/${request.params.name}`),
  );

  app.get('/docs', async (_request, reply) =>
    reply.headers(REFERENCE_HEADERS).type('text/html; charset=utf-8').send(referencePage),
  );
  const script = onceLoaded(loadReferenceScript);
  app.get(REFERENCE_SCRIPT, async (request, reply) =>
    sendAsset(request, reply, await script(), 'public, max-age=3600', { ownPagesOnly: true }),
  );
}

/** What was searched for; nothing if it is not a text. */
function queryOf({ query }: FastifyRequest): string {
  const { q } = query as { q?: unknown };
  return typeof q === 'string' ? q.trim() : '';
}
