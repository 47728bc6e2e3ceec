import { errors } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendAsset } from '../assets/send-asset.ts';
import { errorsPage } from './errors-page.ts';
import { loadGuide } from './guide.ts';
import { once, onceLoaded } from './once.ts';
import { addOpenApiRoutes } from './openapi-files.ts';
import { ICON, PAGE_HEADERS } from './page.ts';
import { paymentsPage } from './payments-page.ts';
import { loadReferenceScript, REFERENCE_HEADERS, REFERENCE_SCRIPT, referencePage } from './reference-page.ts';

/** The API documentation for people and tools, rendered from the contract when it is first requested. */
export function addDocsRoutes(app: FastifyInstance, baseUrl: string, version: string): void {
  addOpenApiRoutes(app, baseUrl, version);

  const pages = { '/docs/errors': errorsPage, '/docs/payments': () => paymentsPage(baseUrl) };
  for (const [path, render] of Object.entries(pages)) {
    const html = once(render);
    app.get(path, async (_request, reply) => reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html()));
  }

  const guide = onceLoaded(() => loadGuide(baseUrl));
  app.get('/docs/guide', async (_request, reply) => reply.redirect('/docs/guide/dashboard'));
  app.get<{ Params: { name: string } }>('/docs/guide/:name', async (request, reply) => {
    const { name } = request.params;
    const { pages, markdown } = await guide();
    const source = name.endsWith('.md') ? markdown.get(name.slice(0, -'.md'.length)) : undefined;
    if (source !== undefined) return reply.headers(PAGE_HEADERS).type('text/markdown; charset=utf-8').send(source);
    const html = pages.get(name);
    if (html === undefined) throw errors.notFound();
    reply.header('Link', `</docs/guide/${name}.md>; rel="alternate"; type="text/markdown"`);
    return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html);
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
    return sendAsset(request, reply, file, 'public, max-age=3600', { ownPagesOnly: true });
  };
  // Browsers ask for it on pages that name no icon.
  app.get('/favicon.ico', (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'public, max-age=86400', 'X-Content-Type-Options': 'nosniff' })
      .type('image/svg+xml')
      .send(ICON),
  );
  for (const name of ['docs.css', 'geist.woff2']) {
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
