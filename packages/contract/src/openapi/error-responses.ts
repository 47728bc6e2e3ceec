import { errors } from '../errors/errors.ts';
import { errorBody, type ServiceError } from '../errors/service-error.ts';
import { acceptsIdempotencyKey } from '../routing/idempotency.ts';
import type { RouteDefinition } from '../routing/route.ts';
import { headersOf, takesKey } from './headers.ts';
import type { JsonSchema } from './schemas.ts';

/** Every error status: the name of its response, what it means, and an example. */
const STATUSES: Record<number, [name: string, description: string, example: () => ServiceError]> = {
  400: [
    'BadRequest',
    'A field is missing or malformed, or an identifier was not found.',
    () => errors.invalidField({ message: 'transaction_id is required and must be a string' }),
  ],
  401: ['Unauthorized', 'No usable credential.', () => errors.programKey('unknown')],
  403: ['Forbidden', 'The credential or origin is not allowed to do this.', errors.originNotAllowed],
  404: [
    'NotFound',
    'There is no such sale, login session or resource, or it belongs to another account.',
    errors.notFound,
  ],
  409: [
    'Conflict',
    'It already exists, or its state does not allow this. For a sale, treat it as success. Or the Idempotency-Key was used with a different request, or for one that is still in progress.',
    errors.duplicateTransaction,
  ],
  410: [
    'Gone',
    'The link is disabled and no click was recorded, the endpoint is retired, or events after the cursor are no longer kept.',
    errors.linkDisabled,
  ],
  412: ['PreconditionFailed', 'It has changed since the reply whose ETag is in `If-Match`.', errors.changedSinceRead],
  413: ['PayloadTooLarge', 'The body is too large.', () => errors.bodyTooLarge(64 * 1024)],
  415: ['UnsupportedMediaType', 'The body is not sent as `application/json`.', errors.unsupportedMediaType],
  429: [
    'RateLimited',
    'Rate limit exceeded; nothing was recorded. Retry after `Retry-After` seconds.',
    () => errors.rateLimited(17),
  ],
  500: ['InternalError', 'The service failed. Retry with backoff.', errors.unexpected],
  503: ['Unavailable', 'The service is busy or restarting. Retry after `Retry-After` seconds.', errors.overloaded],
};

/** Whether the status is kept for a request with an Idempotency-Key. A body that could not be read is not. */
const isKeptStatus = (status: number) => status < 500 && ![401, 413, 415, 429].includes(status);

/** What the errors of a route have in common; each combination has its own responses. */
type Kind = { suffix: string; hasKey: boolean; isKept: boolean; hasRequestId: boolean };

const KINDS: Kind[] = [
  { suffix: '', hasKey: false, isKept: false, hasRequestId: true },
  { suffix: 'Repeatable', hasKey: false, isKept: true, hasRequestId: true },
  { suffix: 'ForKey', hasKey: true, isKept: false, hasRequestId: true },
  { suffix: 'ForKeyRepeatable', hasKey: true, isKept: true, hasRequestId: true },
  { suffix: 'WithoutRequestId', hasKey: true, isKept: false, hasRequestId: false },
];

function kindOf(route: RouteDefinition, status: number): Kind {
  const hasKey = takesKey(route);
  const isKept = acceptsIdempotencyKey(route) && isKeptStatus(status);
  const hasRequestId = !route.withoutRequestId?.includes(status);
  const isSame = (kind: Kind) => kind.hasKey === hasKey && kind.isKept === isKept && kind.hasRequestId === hasRequestId;
  return KINDS.find(isSame) as Kind;
}

const nameOf = (status: number, { suffix }: Kind) => `${STATUSES[status]?.[0]}${suffix}`;

/** The error responses of a route. */
export function errorResponses(route: RouteDefinition): Record<string, { $ref: string }> {
  const statuses = [...new Set([...route.statuses, ...impliedStatuses(route)])].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status, kindOf(route, status))}` }]),
  );
}

/** What follows from the rest of the definition: what is read, who is asked, and how often. */
function impliedStatuses(route: RouteDefinition): number[] {
  const { method, auth, role, bucket, path, query, signed, retired } = route;
  const limited = bucket ? [429] : [];
  if (retired) return limited;
  return [
    ...(method === 'GET' ? [] : signed ? [413] : [400, 413, 415]),
    // Accounts are told of parameters that a route does not have.
    ...(query || auth === 'account' ? [400] : []),
    ...(auth === 'none' ? [] : [401]),
    ...(auth === 'account' || (role && role !== 'viewer') ? [403] : []),
    ...(path.includes(':') ? [404] : []),
    ...(acceptsIdempotencyKey(route) ? [409] : []),
    ...(route.ifMatch ? [412] : []),
    ...limited,
    ...[500, 503],
  ];
}

/** The responses that the given routes refer to, as components of the document. */
export function errorComponents(routes: RouteDefinition[]): Record<string, object> {
  const components: Record<string, object> = {};
  for (const route of routes) {
    for (const status of Object.keys(errorResponses(route)).map(Number)) {
      const kind = kindOf(route, status);
      const [, description, example] = STATUSES[status] as (typeof STATUSES)[number];
      components[nameOf(status, kind)] = {
        description,
        headers: headersOf(status, { isLimited: true, ...kind }),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: errorBody(example()) },
        },
      };
    }
  }
  return components;
}

export const WARNING: JsonSchema = {
  type: 'object',
  description: 'Why the API key of the request must be replaced.',
  properties: {
    code: { type: 'string', examples: ['api_key_rotation_required'] },
    message: { type: 'string' },
    hint: { type: 'string' },
    rotate_by: { type: 'string', format: 'date-time' },
    docs_url: { type: 'string' },
  },
  required: ['code', 'message', 'hint', 'rotate_by', 'docs_url'],
};

export const WARNINGS: JsonSchema = {
  type: 'array',
  description: 'Present while the API key must be rotated.',
  items: { $ref: '#/components/schemas/Warning' },
};

export const ERROR: JsonSchema = {
  type: 'object',
  description:
    'Errors with a stable `code` have no `data`; the others have `data: null`, `name` and `details`. Read `error.code` first. If there is none, match on `error.message`.',
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      properties: {
        status: { type: 'integer' },
        name: { type: 'string', examples: ['BadRequestError'] },
        message: { type: 'string' },
        code: { type: 'string', description: 'Stable, on errors that clients act on.', examples: ['rate_limited'] },
        hint: { type: 'string', description: 'What to do about it.' },
        docs_url: { type: 'string', description: 'Where it is explained.' },
        retry_after_seconds: { type: 'integer' },
        details: {
          type: 'object',
          properties: {
            code: { type: 'string', examples: ['ACCOUNT_BLOCKED'] },
            request_id: { type: 'string' },
            field: {
              type: 'string',
              description: 'The field that the error is about. Only in the management API.',
              examples: ['commission_rate'],
            },
            rule: {
              type: 'integer',
              description: 'The rule of the terms that `field` belongs to, counted from 1. Only in the management API.',
            },
          },
        },
      },
      required: ['message'],
    },
    success: { type: 'boolean', const: false, description: 'Only with `link_disabled`, like `message`.' },
    message: { type: 'string' },
    warnings: WARNINGS,
  },
  required: ['error'],
};
