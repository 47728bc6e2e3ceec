import { openApiDocument } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Asset } from '../assets/asset.ts';
import { sendAsset } from '../assets/send-asset.ts';
import { errorsPage } from './errors-page.ts';
import { PAGE_HEADERS } from './page.ts';
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

  app.get('/docs', async (_request, reply) =>
    reply.headers(REFERENCE_HEADERS).type('text/html; charset=utf-8').send(referencePage),
  );
  let script: Promise<Asset> | undefined;
  app.get(REFERENCE_SCRIPT, async (request, reply) => {
    script ??= loadReferenceScript();
    const asset = await script.catch((error) => {
      script = undefined;
      throw error;
    });
    return sendAsset(request, reply, asset, 'public, max-age=3600', { ownPagesOnly: true });
  });
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
