import { asOpenApi30, openApiDocument } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { prepareAsset } from '../assets/asset.ts';
import { sendAsset } from '../assets/send-asset.ts';
import { once, onceLoaded } from './once.ts';
import { toYaml } from './yaml.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const UNTIL_CHECKED = 'public, no-cache';

/** What pages of other sites may ask before they read a description, such as whether they have the newest one. */
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

/** The API description in each of its forms, for tools on any site. Each is written and compressed when it is first requested. */
export function addOpenApiRoutes(app: FastifyInstance, baseUrl: string, version: string): void {
  const document = once(() => openApiDocument(baseUrl, version));
  const forms: Record<string, { type: string; write: () => string }> = {
    '/openapi.json': { type: JSON_TYPE, write: () => JSON.stringify(document()) },
    '/openapi.yaml': { type: 'application/yaml; charset=utf-8', write: () => toYaml(document()) },
    '/openapi-3.0.json': { type: JSON_TYPE, write: () => JSON.stringify(asOpenApi30(document())) },
  };
  for (const [path, { type, write }] of Object.entries(forms)) {
    const asset = onceLoaded(async () => prepareAsset(Buffer.from(write()), type));
    app.get(path, async (request, reply) => {
      reply.header('Access-Control-Expose-Headers', 'ETag');
      return sendAsset(request, reply, await asset(), UNTIL_CHECKED);
    });
    app.options(path, async (_request, reply) => reply.headers(PREFLIGHT_HEADERS).code(204).send());
  }
}
