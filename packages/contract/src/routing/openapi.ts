import { z } from 'zod';
import type { RouteDefinition } from './route.ts';
import { routes } from './routes.ts';

const STATUS_WORDS: Record<number, string> = {
  400: 'A field is missing or malformed, or an identifier resolved to nothing usable.',
  401: 'No usable credential.',
  403: 'The credential or origin is not entitled to this.',
  404: 'There is no such sale, login session or resource, or it is somebody else’s.',
  409: 'It is there already. For a sale: treat it as success.',
  410: 'The link is disabled and no click was recorded, or the endpoint is retired.',
  429: 'Over the rate limit; nothing was recorded. Retry after `Retry-After` seconds.',
  500: 'The service failed. Retry with backoff.',
};

const ERROR_BODY = {
  type: 'object',
  description: 'Read `error.code` first; where there is none, `error.message`.',
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      properties: {
        status: { type: 'integer' },
        name: { type: 'string' },
        code: { type: 'string' },
        message: { type: 'string' },
        details: { type: 'object' },
      },
      required: ['message'],
    },
  },
  required: ['error'],
};

/** The API description (OpenAPI 3.1) of every declared route. */
export function openApiDocument(baseUrl: string, version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Affiliate attribution API', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      securitySchemes: {
        programKey: { type: 'http', scheme: 'bearer', description: 'The program API key.' },
        accountToken: { type: 'http', scheme: 'bearer', description: 'The login token of an account.' },
        session: { type: 'apiKey', in: 'cookie', name: 'svc.session_token' },
      },
      schemas: { Error: ERROR_BODY },
    },
  };
}

function operation(route: RouteDefinition) {
  const errorReply = (status: number) => ({
    description: STATUS_WORDS[status] ?? 'Refused.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    ...security(route),
    ...parameters(route),
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
    }),
    ...(route.signed && {
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    }),
    responses: {
      [route.success ?? 200]: {
        description: 'Done.',
        content: { [route.replyType ?? 'application/json']: { schema: replySchema(route) } },
      },
      ...Object.fromEntries(
        [...route.statuses, ...(route.bucket ? [429] : []), 500].map((status) => [status, errorReply(status)]),
      ),
    },
  };
}

function security(route: RouteDefinition) {
  switch (route.auth) {
    case 'program-key':
      return { security: [{ programKey: [] }] };
    case 'optional-key':
      return { security: [{}, { programKey: [] }] };
    case 'account-token':
      return { security: [{ accountToken: [] }] };
    case 'account':
      return { security: [{ accountToken: [] }, { session: [] }] };
    default:
      return {};
  }
}

function parameters(route: RouteDefinition) {
  const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    // Accounts are the sign-in library's and have no numbers.
    schema: { type: name === 'user_id' ? 'string' : 'integer' },
  }));
  const properties = route.query ? (jsonSchema(route.query, 'input').properties ?? {}) : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
  return inPath.length + inQuery.length > 0 ? { parameters: [...inPath, ...inQuery] } : {};
}

const WARNINGS = {
  type: 'array',
  description: 'While the key of the request must be rotated.',
  items: {
    type: 'object',
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      hint: { type: 'string' },
      rotate_by: { type: 'string', format: 'date-time' },
      docs_url: { type: 'string' },
    },
  },
};

/** Every answer to a request with a key may carry warnings about that key. */
function replySchema(route: RouteDefinition) {
  const schema = jsonSchema(route.reply, 'output');
  if (route.replyType) return schema;
  return { ...schema, properties: { ...schema.properties, warnings: WARNINGS } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
