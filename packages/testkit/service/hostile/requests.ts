import { openApiDocument, type RouteDefinition } from '@svc/contract';
import type { z } from 'zod';
import type { Chance } from '../../src/index.ts';
import type { ValidRequest } from '../routes/valid-request.ts';
import { nastyCursor, nastyText, nastyValue } from './values.ts';

export type HostileRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
};

type Described = { parameters?: { name: string; in: string }[] };

const { paths } = openApiDocument('http://test', '1') as { paths: Record<string, Record<string, Described>> };

const describedOf = ({ path, method }: RouteDefinition): Described | undefined =>
  paths[path.replace(/:([a-z_]+)/g, '{$1}')]?.[method.toLowerCase()];

/** A valid request of the route with one or more changes. */
export function hostileRequest(chance: Chance, route: RouteDefinition, valid: ValidRequest): HostileRequest {
  const described = describedOf(route);
  const method = chance.happens(0.05) ? chance.pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) : route.method;
  const path = hostilePath(chance, valid.path) + hostileQuery(chance, described);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? hostileBody(chance, valid.body, route) : undefined;
  const type = chance.happens(0.9)
    ? 'application/json'
    : chance.pick(['text/plain', 'text/html', '', 'a/b; c=', '*/*']);
  return {
    method,
    path,
    body,
    headers: { ...(body !== undefined && { 'content-type': type }), ...hostileHeaders(chance, valid) },
  };
}

function hostilePath(chance: Chance, path: string): string {
  if (chance.happens(0.75)) return path;
  const parts = path.split('/');
  const position = 1 + chance.below(parts.length - 1);
  switch (chance.below(4)) {
    case 0:
      parts[position] = encoded(nastyText(chance));
      break;
    case 1:
      parts.splice(position, 0, encoded(nastyText(chance)));
      break;
    case 2:
      parts[position] = (parts[position] ?? '').toUpperCase();
      break;
    default:
      parts[position] = chance.pick(['%', '%zz', '%00', '..', '.', '%2e%2e', '%2f', ';a=b', '0', '-1', '1'.repeat(30)]);
  }
  return parts.join('/');
}

function hostileQuery(chance: Chance, described: Described | undefined): string {
  const known = (described?.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const names = [...known, ...(chance.happens(0.2) ? ['__proto__', 'a[]', 'toString', ''] : [])];
  if (names.length === 0 || chance.happens(0.3)) return '';
  const pairs = Array.from({ length: 1 + chance.below(4) }, () => {
    const name = chance.pick(names);
    const value = name === 'cursor' && chance.happens(0.7) ? nastyCursor(chance) : nastyText(chance);
    return `${encoded(name)}=${encoded(value)}`;
  });
  return `?${pairs.join('&')}`;
}

function hostileBody(chance: Chance, valid: Record<string, unknown> | undefined, { body: fields }: RouteDefinition) {
  const properties = (fields as z.ZodObject | undefined)?.shape ?? {};
  if (chance.happens(0.1)) return brokenBody(chance);
  const body: Record<string, unknown> = { ...valid };
  const names = [...Object.keys(properties), ...Object.keys(body), 'additional_data', '__proto__', 'extra'];
  for (let changes = 1 + chance.below(3); changes > 0; changes -= 1) {
    const name = chance.pick(names);
    if (chance.happens(0.15)) delete body[name];
    else Object.defineProperty(body, name, { value: nastyValue(chance), enumerable: true, configurable: true });
  }
  return JSON.stringify(chance.happens(0.05) ? [body] : body);
}

const brokenBody = (chance: Chance): string | Buffer =>
  chance.pick([
    '',
    ' ',
    '{',
    '[]',
    'null',
    '"x"',
    '1',
    '{"a":1}{"b":2}',
    '{"a":1,}',
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '\ufeff{}',
    `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    `{"a":"${'x'.repeat(66_000)}"}`,
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0x1f, 0x8b, 8, 0]),
  ]);

function hostileHeaders(chance: Chance, { key, headers }: ValidRequest): Record<string, string> {
  const sent: Record<string, string> = { ...headers };
  if (key !== undefined) sent.authorization = `Bearer ${key}`;
  if (chance.happens(0.15)) sent.authorization = chance.pick(CREDENTIALS);
  if (chance.happens(0.1)) delete sent.authorization;
  for (const [name, values] of Object.entries(HEADERS)) if (chance.happens(0.08)) sent[name] = chance.pick(values);
  // Every request has its own address, because limits are not under test here.
  sent['x-forwarded-for'] = `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}`;
  return sent;
}

const CREDENTIALS = [
  'Bearer',
  'Bearer ',
  'bearer svc_key_x',
  'Basic YTpi',
  `Bearer svc_at_${'x'.repeat(60)}`,
  `Bearer svc_key_${'x'.repeat(8_000)}`,
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
];

const HEADERS: Record<string, string[]> = {
  origin: ['null', 'https://track.test', 'https://acme.test', 'https://acme.test.evil.test', '::', ''],
  cookie: ['a', '__Secure-svc.session_token=%', `__Secure-svc.session_token=${'x'.repeat(3_000)}`, ';;;=;'],
  'x-request-id': ['x'.repeat(200), '../..', '<b>', 'ok-1'],
  'user-agent': ['', 'x'.repeat(3_000), '\u00ff'],
  accept: ['text/html', '*/*;q=x'],
  'accept-encoding': ['br;q=0', 'gzip, , ,', 'x'.repeat(300)],
  'if-none-match': ['*', '"', 'W/'],
  'stripe-signature': ['', 't=1,v1=00', 't=x', `t=${'9'.repeat(400)},v1=a`],
  'idempotency-key': ['', 'x'.repeat(300), 'ok'],
  expect: ['100-continue'],
  host: ['evil.test', '', 'a b'],
};

/** URL-encoded; text that cannot be encoded is replaced by the bytes of a lone surrogate. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
}
