import { openApiDocument } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { apiPage } from './api-page.ts';
import { errorsPage } from './errors-page.ts';
import { PAGE_HEADERS } from './page.ts';
import { paymentsPage } from './payments-page.ts';

/** Documentation of the API, for tools and for people, made once from the contract. */
export function addDocsRoutes(app: FastifyInstance, baseUrl: string, version: string): void {
  const document = openApiDocument(baseUrl, version);
  const pages = { '/docs': apiPage(baseUrl), '/docs/errors': errorsPage(), '/docs/payments': paymentsPage(baseUrl) };
  app.get('/openapi.json', async () => document);
  for (const [path, html] of Object.entries(pages)) {
    app.get(path, async (_request, reply) => reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html));
  }
}
