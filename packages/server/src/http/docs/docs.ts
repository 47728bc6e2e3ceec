import { openApiDocument } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { apiPage } from './api-page.ts';
import { errorsPage } from './errors-page.ts';
import { PAGE_HEADERS } from './page.ts';
import { paymentsPage } from './payments-page.ts';

/** The API documentation for people and tools, rendered from the contract when it is first requested. */
export function addDocsRoutes(app: FastifyInstance, baseUrl: string, version: string): void {
  const document = once(() => openApiDocument(baseUrl, version));
  const pages = {
    '/docs': () => apiPage(baseUrl),
    '/docs/errors': errorsPage,
    '/docs/payments': () => paymentsPage(baseUrl),
  };
  app.get('/openapi.json', async () => document());
  for (const [path, render] of Object.entries(pages)) {
    const html = once(render);
    app.get(path, async (_request, reply) => reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html()));
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
