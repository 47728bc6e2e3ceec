import { PAYOUT_FILE_NAMES } from '../manage/payouts/payout-runs.ts';
import { hasEntityTag } from '../routing/entity-tag.ts';
import { acceptsIdempotencyKey } from '../routing/idempotency.ts';
import type { RouteDefinition } from '../routing/route.ts';
import { RATE_LIMITS } from '../values/limits.ts';
import { PROCESSORS } from '../values/processors.ts';
import { codeSamplesOf } from './code-samples.ts';
import { errorResponses, WARNINGS } from './error-responses.ts';
import { exampleOf } from './example.ts';
import { headersOf, takesKey } from './headers.ts';
import type { JsonSchema, Ref, Schemas } from './schemas.ts';

/** Describes a route. The schemas of its body and its reply get names, after its id. */
export function operationOf(route: RouteDefinition, tag: string, schemas: Schemas): Record<string, unknown> {
  const parameters = parametersOf(route, schemas);
  const requestBody = requestBodyOf(route, schemas);
  return {
    tags: [tag],
    operationId: route.id,
    summary: route.summary,
    description: limitedDescription(route),
    ...(route.retired && { deprecated: true }),
    security: securityOf(route),
    ...parameters,
    ...(requestBody && { requestBody }),
    responses: { ...(route.retired ? {} : successOf(route, schemas)), ...errorResponses(route) },
    ...codeSamplesOf(route, requestBody?.content['application/json']?.example),
  };
}

/** What the route does and, where it has a limit, how often it may be called. */
function limitedDescription({ description, bucket }: RouteDefinition): string {
  return bucket ? `${description} Default limit: ${RATE_LIMITS[bucket]} requests per minute.` : description;
}

const nameOf = ({ id }: RouteDefinition) => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

function securityOf({ auth }: RouteDefinition): Record<string, string[]>[] {
  switch (auth) {
    case 'program-key':
      return [{ programKey: [] }];
    case 'optional-key':
      return [{}, { programKey: [] }];
    case 'account-token':
      return [{ accountToken: [] }];
    case 'account':
      return [{ accountToken: [] }, { session: [] }];
    case 'none':
    case 'browser':
      return [];
  }
}

/** The parameters of paths that are not numbers. Ids of accounts and sessions come from the sign-in library. */
const PARAMETERS: Record<string, JsonSchema> = {
  user_id: { type: 'string', examples: ['usr_1'] },
  session_id: { type: 'string', examples: ['ses_1'] },
  transaction_id: { type: 'string', examples: ['order_1001'] },
  customer_key: { type: 'string', examples: ['user_42'] },
  external_id: { type: 'string', examples: ['user_42'] },
  provider: { type: 'string', enum: [...PROCESSORS] },
  file: { type: 'string', enum: [...PAYOUT_FILE_NAMES] },
};

function parametersOf(route: RouteDefinition, schemas: Schemas) {
  const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => {
    const schema = PARAMETERS[name] ?? { type: 'integer', format: 'int64', minimum: 1 };
    return { name, in: 'path', required: true, schema, example: exampleOf(schema, {}) };
  });
  const { properties = {} } = route.query ? schemas.describe(route.query, 'input') : {};
  const inQuery = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(description && { description }),
      schema,
    }),
  );
  const inHeader = acceptsIdempotencyKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  const tags = hasEntityTag(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : [];
  const conditions = route.ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : [];
  const parameters = [...inPath, ...inQuery, ...inHeader, ...tags, ...conditions];
  return parameters.length > 0 ? { parameters } : {};
}

type RequestBody = { required: true; content: Record<string, { schema: object; example: unknown }> };

function requestBodyOf(route: RouteDefinition, schemas: Schemas): RequestBody | undefined {
  if (route.receives) return fileBodyOf(route.receives);
  const schema = route.signed ? signedBodyOf(route, schemas) : bodyOf(route, schemas);
  if (!schema) return undefined;
  const content = { schema, example: route.example ?? exampleOf(schema, schemas.named) };
  const asText = { type: 'string', description: 'The same JSON, as beacons send it.' };
  const ofBeacons: RequestBody['content'] = route.fromBrowsers
    ? { 'text/plain': { schema: asText, example: JSON.stringify(content.example) } }
    : {};
  return { required: true, content: { 'application/json': content, ...ofBeacons } };
}

function fileBodyOf(types: readonly string[]): RequestBody {
  const file = { schema: { type: 'string', format: 'binary' }, example: 'The file.' };
  return { required: true, content: Object.fromEntries(types.map((type) => [type, file])) };
}

function signedBodyOf(route: RouteDefinition, schemas: Schemas): JsonSchema {
  const asSent = { type: 'object' as const, description: 'The event, as the processor sends it.' };
  return route.event ? { anyOf: [asSent, schemas.add('CustomEvent', schemas.describe(route.event, 'input'))] } : asSent;
}

function bodyOf(route: RouteDefinition, schemas: Schemas): Ref | undefined {
  if (!route.body) return undefined;
  const body = schemas.describe(route.body, 'input');
  const inTests = route.testBody && schemas.describe(route.testBody, 'input');
  return schemas.add(`${nameOf(route)}Request`, inTests ? withOptionalInTests(body, inTests) : body);
}

/** Says which fields may be left out in test mode. A second schema for tests would be one more type in every client. */
function withOptionalInTests(body: JsonSchema, { required: inTests = [] }: JsonSchema): JsonSchema {
  const properties = Object.entries((body.properties ?? {}) as Record<string, JsonSchema>).map(([name, field]) => {
    const isOptional = body.required?.includes(name) && !inTests.includes(name);
    const description = [field.description, 'May be left out in test mode.'].filter(Boolean).join(' ');
    return [name, isOptional ? { ...field, description } : field];
  });
  return { ...body, properties: Object.fromEntries(properties) };
}

function successOf(route: RouteDefinition, schemas: Schemas) {
  const status = route.success ?? 200;
  const headers = headersOf(status, {
    isLimited: route.bucket !== undefined,
    hasKey: takesKey(route),
    hasRequestId: !route.withoutRequestId?.includes(status),
    isKept: acceptsIdempotencyKey(route),
    mayBeBehind: route.mayBeBehind ?? false,
    hasTag: hasEntityTag(route),
  });
  const success = { description: 'Success.', headers, content: contentOf(route, schemas) };
  const unchanged = { description: 'Nothing has changed since the reply with this ETag.', headers };
  return { [status]: success, ...(hasEntityTag(route) && { 304: unchanged }) };
}

function contentOf(route: RouteDefinition, schemas: Schemas) {
  const described = schemas.describe(route.reply, 'output');
  if (route.replyType) {
    const types = [route.replyType, ...(route.otherReplyTypes ?? [])];
    return Object.fromEntries(types.map((type) => [type, { schema: described }]));
  }
  const schema = schemas.add(`${nameOf(route)}Reply`, takesKey(route) ? withWarnings(described) : described);
  return { 'application/json': { schema, example: route.replyExample ?? exampleOf(schema, schemas.named) } };
}

/** Any reply to a request with a key may carry warnings about that key. */
function withWarnings(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties, warnings: WARNINGS } };
}
