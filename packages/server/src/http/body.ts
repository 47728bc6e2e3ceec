import { errors, type FieldProblem, precheckProblem, type RouteDefinition, schemaProblem } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** Accepts JSON sent as `application/json`; an empty body is an empty object. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  acceptAs(app, 'application/json');
}

/** Accepts JSON sent as plain text too, because beacons cannot be sent as `application/json`. */
export function acceptBeacons(app: FastifyInstance): void {
  acceptAs(app, 'text/plain');
}

function acceptAs(app: FastifyInstance, contentType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(contentType, { parseAs: 'string' }, (request, body, done) => {
    const text = String(body).trim();
    if (text === '') return done(null, {});
    if (!isPlain(text)) return parse(request, text, (error, value) => done(error && errors.invalidJson(), value));
    const value = parseJson(text);
    return value === undefined ? done(errors.invalidJson()) : done(null, value);
  });
}

/** Whether no name in the text can change a prototype. The parser that refuses such names searches every body with two regular expressions. */
function isPlain(text: string): boolean {
  return !text.includes('__proto__') && !text.includes('constructor') && !text.includes('\\u');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type ParsedBody<Body> =
  | { ok: true; body: Body; isTest: boolean }
  | { ok: false; problem: FieldProblem; isTest: boolean };

type BodyOf<Route extends RouteDefinition> = Route['testBody'] extends z.ZodType
  ? z.infer<Route['testBody']>
  : Route['body'] extends z.ZodType
    ? z.infer<Route['body']>
    : undefined;

/** Checks the body against the route's fields, in their order. `null` counts as absent, unknown fields are ignored. */
export function parseBody<Route extends RouteDefinition>(
  route: Route,
  raw: unknown,
  isTestCaller = false,
): ParsedBody<BodyOf<Route>> {
  const sent = raw === undefined ? {} : raw;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw errors.bodyNotAnObject();
  const plain = isTestCaller ? undefined : route.plainBody?.(sent);
  if (plain) return { ok: true, body: plain as BodyOf<Route>, isTest: false };
  const entries = Object.entries(sent).filter(([name, value]) => value !== null || route.keepsNull?.includes(name));
  const fields = Object.fromEntries(entries);
  const isTest = isTestCaller || asksForTestMode(fields);
  const refusal = precheckProblem(route, fields);
  if (refusal) return { ok: false, problem: refusal, isTest };
  const schema = (isTest && route.testBody) || route.body;
  const parsed = schema?.safeParse(fields);
  if (parsed?.success) return { ok: true, body: parsed.data as BodyOf<Route>, isTest };
  const problem = parsed ? schemaProblem(parsed.error) : { message: errors.invalidRequest().message };
  return { ok: false, problem, isTest };
}

/** The checked body of a route without a test mode. */
export function bodyOf<Route extends RouteDefinition>(route: Route, request: FastifyRequest): BodyOf<Route> {
  const parsed = parseBody(route, request.body);
  if (!parsed.ok) throw errors.invalidField(parsed.problem);
  return parsed.body;
}

/** The checked fields of a body that no route of the contract declares. */
export function checkFields<Fields>(schema: z.ZodType<Fields>, raw: unknown): Fields {
  const sent = raw === undefined ? {} : raw;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw errors.bodyNotAnObject();
  const parsed = schema.safeParse(sent);
  if (!parsed.success) throw errors.invalidField(schemaProblem(parsed.error));
  return parsed.data;
}

/** The checked parameters of the query string. */
export function queryOf<Query>(route: RouteDefinition & { query: z.ZodType<Query> }, request: FastifyRequest): Query {
  const sent = request.query as Record<string, unknown>;
  const refusal = precheckProblem(route, sent);
  if (refusal) throw errors.invalidField(refusal);
  const parsed = route.query.safeParse(sent);
  if (!parsed.success) throw errors.invalidField(schemaProblem(parsed.error));
  return parsed.data;
}

/** Whether the body asks for test mode, even if the rest of it is invalid. */
export function asksForTestMode(body: unknown): boolean {
  const extra = (body as { additional_data?: unknown } | null | undefined)?.additional_data;
  return typeof extra === 'object' && extra !== null && 'test_mode' in extra && extra.test_mode === true;
}
