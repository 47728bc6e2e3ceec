import { z } from 'zod';
import { RATE_LIMITS } from '../values/limits.ts';
import type { RouteDefinition } from './route.ts';
import { routeGroups } from './routes.ts';

const STATUS_DESCRIPTIONS: Record<number, string> = {
  400: 'A field is missing or malformed, or an identifier was not found.',
  401: 'No usable credential.',
  403: 'The credential or origin is not allowed to do this.',
  404: 'There is no such sale, login session or resource, or it belongs to another account.',
  409: 'It already exists, or its state does not allow this. For a sale, treat it as success.',
  410: 'The link is disabled and no click was recorded, or the endpoint is retired.',
  429: 'Rate limit exceeded; nothing was recorded. Retry after `Retry-After` seconds.',
  500: 'The service failed. Retry with backoff.',
};

const ERROR_BODY = {
  type: 'object',
  description: 'Read `error.code` first. If there is none, match on `error.message`.',
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
  for (const { name, routes } of routeGroups) {
    for (const route of routes) {
      const path = route.path.replace(/:([a-z_]+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: { tags: [name], ...operation(route) } };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Affiliate attribution API',
      version,
      description: `JSON over HTTP at ${baseUrl}. Amounts are whole numbers of the smallest currency unit. Times are ISO 8601 in UTC.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: routeGroups.map(({ name }) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        programKey: { type: 'http', scheme: 'bearer', description: 'The program API key.' },
        accountToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The login token of an account, from the CLI login.',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'svc.session_token' },
      },
      schemas: { Error: ERROR_BODY },
    },
  };
}

function operation(route: RouteDefinition) {
  const errorReply = (status: number) => ({
    description: STATUS_DESCRIPTIONS[status] ?? 'Refused.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  return {
    operationId: route.id,
    summary: route.summary,
    description: limitedDescription(route),
    ...security(route),
    ...parameters(route),
    ...requestBody(route),
    responses: {
      [route.success ?? 200]: {
        description: 'Success.',
        content: { [route.replyType ?? 'application/json']: { schema: replySchema(route) } },
      },
      ...Object.fromEntries([...route.statuses, ...refusals(route), 500].map((status) => [status, errorReply(status)])),
    },
  };
}

/** What the route does and, where it has a limit, how often it may be called. */
function limitedDescription({ description, bucket }: RouteDefinition): string {
  return bucket ? `${description} Default limit: ${RATE_LIMITS[bucket]} requests per minute.` : description;
}

/** Roles that are too low are refused, and so are requests beyond the limit. */
function refusals({ role, bucket }: RouteDefinition): number[] {
  return [...(role && role !== 'viewer' ? [403] : []), ...(bucket ? [429] : [])];
}

function requestBody({ body, signed, example }: RouteDefinition) {
  const schema = body ? jsonSchema(body, 'input') : signed ? { type: 'object' } : undefined;
  if (!schema) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema, ...(example && { example }) } } } };
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
    // Account ids come from the sign-in library and are not numbers.
    schema: { type: name === 'user_id' ? 'string' : 'integer' },
  }));
  const properties = route.query ? (jsonSchema(route.query, 'input').properties ?? {}) : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
  return inPath.length + inQuery.length > 0 ? { parameters: [...inPath, ...inQuery] } : {};
}

const WARNINGS = {
  type: 'array',
  description: 'Present while the API key must be rotated.',
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

/** Any reply to a request with a key may carry warnings about that key. */
function replySchema(route: RouteDefinition) {
  const schema = jsonSchema(route.reply, 'output');
  if (route.replyType) return schema;
  return { ...schema, properties: { ...schema.properties, warnings: WARNINGS } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: withoutSafeBounds });
  return rest;
}

/** Every integer is a safe one; saying so on each of them would only hide the bounds that mean something. */
function withoutSafeBounds({ jsonSchema: described }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (described.minimum === Number.MIN_SAFE_INTEGER) delete described.minimum;
  if (described.maximum === Number.MAX_SAFE_INTEGER) delete described.maximum;
}
