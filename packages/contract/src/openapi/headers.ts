import { IDEMPOTENCY_KEY, IDEMPOTENT_REPLAYED } from '../routing/idempotency.ts';
import type { RouteDefinition } from '../routing/route.ts';

/** The headers of answers, by the name under which the document has them. */
const HEADERS = {
  RequestId: [
    'X-Request-ID',
    'The id of the request: yours, if it was 1–128 characters of `[A-Za-z0-9._-]`.',
    'string',
  ],
  RateLimitLimit: ['X-RateLimit-Limit', 'How many requests a minute are allowed.', 'integer'],
  RateLimitRemaining: ['X-RateLimit-Remaining', 'How many are left in this window.', 'integer'],
  RateLimitReset: ['X-RateLimit-Reset', 'When the window ends, in Unix seconds.', 'integer'],
  RetryAfter: ['Retry-After', 'How many seconds to wait before the next try.', 'integer'],
  Deprecation: [
    'Deprecation',
    'When the key was marked for rotation, as `@<Unix seconds>`. Only while it is.',
    'string',
  ],
  Sunset: ['Sunset', 'When the key stops working. Only while it is marked for rotation.', 'string'],
  Link: ['Link', 'Where key rotation is explained. Only while the key is marked for rotation.', 'string'],
  IdempotentReplayed: [
    IDEMPOTENT_REPLAYED,
    `\`true\` on an answer that was given before, to a request with the same ${IDEMPOTENCY_KEY}.`,
    'string',
  ],
  EntityTag: [
    'ETag',
    'Names what was returned. Send it as `If-None-Match` to get 304 while nothing has changed, or as `If-Match` to change only that.',
    'string',
  ],
  DataBehind: [
    'X-Data-Behind-Seconds',
    'By how many seconds the figures may be behind. Only if they were read from a replica.',
    'integer',
  ],
} as const;

type HeaderName = keyof typeof HEADERS;
const RATE_LIMIT: HeaderName[] = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'];
const ROTATION: HeaderName[] = ['Deprecation', 'Sunset', 'Link'];

/** The headers as components of the document. */
export const headerComponents = Object.fromEntries(
  Object.entries(HEADERS).map(([name, [, description, type]]) => [name, { description, schema: { type } }]),
);

export const idempotencyKeyParameter = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  description:
    'Makes the request safe to repeat: the first answer is kept for 24 hours, and a repetition with the same key and body gets it again. Counts for requests with a credential.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: 'order_1001',
};

export const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier reply. If nothing has changed since, the reply is 304 without a body.',
  schema: { type: 'string' },
  example: '"2c26b46b"',
};

export const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the reply that the change is based on. If somebody has changed the resource since, the reply is 412 and nothing changes.',
  schema: { type: 'string' },
  example: '"2c26b46b"',
};

/** Whether requests to the route can carry a program key, and answers warnings about it. */
export const takesKey = ({ auth }: RouteDefinition) => ['browser', 'optional-key', 'program-key'].includes(auth);

/** The headers that an answer with this status can have. */
export function headersOf(
  status: number,
  { isLimited, hasKey, hasRequestId = true, isKept = false, mayBeBehind = false, hasTag = false }: HeaderFacts,
): Record<string, { $ref: string }> {
  const mayRetry = status === 409 ? isKept : status === 429 || status === 503;
  const names: HeaderName[] = [
    ...(hasRequestId ? ['RequestId' as const] : []),
    ...(isLimited ? RATE_LIMIT : []),
    ...(mayRetry ? ['RetryAfter' as const] : []),
    ...(hasKey ? ROTATION : []),
    ...(isKept ? ['IdempotentReplayed' as const] : []),
    ...(mayBeBehind ? ['DataBehind' as const] : []),
    ...(hasTag ? ['EntityTag' as const] : []),
  ];
  return Object.fromEntries(names.map((name) => [HEADERS[name][0], { $ref: `#/components/headers/${name}` }]));
}

export type HeaderFacts = {
  isLimited: boolean;
  hasKey: boolean;
  hasRequestId?: boolean;
  /** Whether the answer is kept for requests with an Idempotency-Key. */
  isKept?: boolean;
  /** Whether the answer may come from a replica. */
  mayBeBehind?: boolean;
  /** Whether the answer is about one resource. */
  hasTag?: boolean;
};
