import { errors, openApiDocument } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendAsset } from '../assets/send-asset.ts';
import { errorsPage } from './errors-page.ts';
import { loadGuide } from './guide.ts';
import { ICON, PAGE_HEADERS } from './page.ts';
import { paymentsPage } from './payments-page.ts';
import { loadReferenceScript, REFERENCE_HEADERS, REFERENCE_SCRIPT, referencePage } from './reference-page.ts';

/** The API documentation for people and tools, rendered from the contract when it is first requested. */
export function addDocsRoutes(app: FastifyInstance, baseUrl: string, version: string): void {
  const document = once(() => openApiDocument(baseUrl, version));
  app.get('/openapi.json', async () => document());

  const pages = { '/docs/errors': errorsPage, '/docs/payments': () => paymentsPage(baseUrl) };
  for (const [path, render] of Object.entries(pages)) {
    const html = once(render);
    app.get(path, async (_request, reply) => reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html()));
  }

  const guide = onceLoaded(loadGuide);
  app.get('/docs/guide', async (_request, reply) => reply.redirect('/docs/guide/dashboard'));
  app.get<{ Params: { name: string } }>('/docs/guide/:name', async (request, reply) => {
    const html = (await guide()).pages.get(request.params.name);
    if (html === undefined) throw errors.notFound();
    return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html);
  });
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

/** Loads something when it is first needed, and again if that failed. */
function onceLoaded<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
