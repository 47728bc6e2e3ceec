import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type RouteDefinition, routes } from '@svc/contract';
import { Chance } from '../../src/index.ts';
import { OWN_ORIGIN, ownedProgram } from '../accounts.ts';
import { untilNumbered } from '../numbered.ts';
import { settle } from '../payments/stripe.ts';
import { type ValidRequest, validRequest } from '../routes/valid-request.ts';
import type { TestService } from '../service.ts';
import { hostileEvent } from './events.ts';
import { type HostileRequest, hostileRequest } from './requests.ts';
import { nastyText, nastyValue } from './values.ts';

/** Something that a request must not cause. */
type Finding = HostileRequest & { number: number; status: number; reply: string; problem: string };

/** Paths that are served besides the routes of the contract. */
const PAGES = [
  '/api/auth/get-session',
  '/api/auth/token',
  '/api/auth/jwks',
  '/api/auth/error',
  '/',
  '/app/programs/1',
  '/invite',
  '/cli/login?state=',
  '/assets/',
  '/js/svc-tracker.',
  '/packages/cli.tgz',
  '/docs/errors',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
];

/** Only a few routes, but they parse large bodies, so they are picked more often. */
const SIGNED = routes.filter(({ signed }) => signed);

/** Matches an answer that reveals internals: positions in code, and messages of the database. */
const INTERNALS =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|\.ts:\d+|DbError|SQLSTATE|syntax error at|violates [\w ]*constraint|relation "|invalid input syntax/;

/**
 * Tables to which a refused request may add rows: the decision that explains it, counted sign-in attempts, the answer that an
 * Idempotency-Key repeats, and counts of what pages were refused, by hour and origin, which are written a while later. Which node
 * sends to a host is noted in the background, whenever something is due.
 */
const ADDED_BY_REFUSALS = [
  'decisions',
  'sign_in_attempts',
  'refused_calls',
  'idempotency_keys',
  'kept_answer_days',
  'webhook_hosts',
];

/** The number of requests by status, and what should not have happened. */
export type HostileRun = { statuses: Record<number, number>; findings: Finding[] };

/** Sends generated requests to every route, one at a time. */
export async function runHostile(service: TestService, seed: number, requests: number): Promise<HostileRun> {
  const chance = new Chance(seed);
  const findings: Finding[] = [];
  const statuses: Record<number, number> = {};
  const templates = new Map<RouteDefinition, ValidRequest>();
  const countRows = await createCount(service);
  // Reads change nothing, so their requests share a program.
  const read = await ownedProgram(service);
  let before = await countRows();
  for (let number = 1; number <= requests; number += 1) {
    const route = chance.happens(0.05) ? null : chance.pick(chance.happens(0.1) ? SIGNED : routes);
    if (route && !templates.has(route)) {
      const isRead = route.method === 'GET' && !route.consumes;
      templates.set(route, await validRequest(service, route, isRead ? read : undefined));
      await settle(service);
      before = await countRows();
    }
    const sent = route
      ? routeRequest(chance, route, templates.get(route) as ValidRequest, service)
      : pageRequest(chance);
    const answer = await send(service, sent);
    if (!answer) continue;
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (route?.signed) await settle(service);
    const after = await countRows();
    for (const problem of problemsOf(answer, before, after)) findings.push({ ...sent, ...answer, number, problem });
    before = after;
    // A request that changed something may have consumed what made it valid.
    if (route && route.method !== 'GET' && !route.signed && answer.status < 400) templates.delete(route);
  }
  return { statuses, findings };
}

function routeRequest(
  chance: Chance,
  route: RouteDefinition,
  valid: ValidRequest,
  { time }: TestService,
): HostileRequest {
  const isSigned = route.signed && chance.happens(0.8);
  return isSigned ? hostileEvent(chance, route, valid, time) : hostileRequest(chance, route, valid);
}

const SIGN_IN_PATHS = [
  'sign-up/email',
  'sign-in/email',
  'change-password',
  'sign-out',
  'update-user',
  'verify-password',
];
const SIGN_IN_FIELDS = [
  'name',
  'email',
  'password',
  'currentPassword',
  'newPassword',
  'revokeOtherSessions',
  'callbackURL',
];

/** A request to the sign-in routes, of which some do not exist. */
function signInRequest(chance: Chance): HostileRequest {
  const fields = SIGN_IN_FIELDS.filter(() => chance.happens(0.6)).map((name) => [name, nastyValue(chance)]);
  return {
    method: 'POST',
    path: `/api/auth/${chance.pick(SIGN_IN_PATHS)}`,
    headers: { 'content-type': 'application/json', origin: OWN_ORIGIN },
    body: JSON.stringify(Object.fromEntries(fields)),
  };
}

function pageRequest(chance: Chance): HostileRequest {
  if (chance.happens(0.5)) return signInRequest(chance);
  const end = chance.happens(0.5) ? encodeURIComponent(nastyText(chance).toWellFormed()) : '';
  return { method: chance.pick(['GET', 'HEAD', 'POST']), path: chance.pick(PAGES) + end, headers: {}, body: undefined };
}

function problemsOf(
  { status, reply }: { status: number; reply: string },
  before: Record<string, number>,
  after: Record<string, number>,
): string[] {
  const problems: string[] = [];
  if (status >= 500) problems.push('the service failed');
  if (INTERNALS.test(reply)) problems.push('the answer reveals internals');
  if (status >= 400) {
    const grown = Object.keys(after).filter((table) => (after[table] ?? 0) > (before[table] ?? 0));
    const left = grown.filter((table) => !ADDED_BY_REFUSALS.includes(table));
    if (left.length > 0) problems.push(`the refused request left rows in ${left.join(', ')}`);
  }
  return problems;
}

/** Sends the request over a real connection. Returns null if HTTP cannot carry it. */
function send(service: TestService, { method, path, headers, body }: HostileRequest) {
  const { port } = service.service.http.server.address() as AddressInfo;
  return new Promise<{ status: number; reply: string } | null>((resolve) => {
    try {
      const sending = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
        const reply = await text(response).catch(() => '');
        resolve({ status: response.statusCode ?? 0, reply });
      });
      // Node sends the body of a DELETE without its length. The service would take it for the next request, and refuse that.
      sending.useChunkedEncodingByDefault = true;
      // The service may refuse the headers and close the connection while the body is still being sent.
      sending.on('error', () => resolve(null));
      sending.end(body);
    } catch {
      resolve(null);
    }
  });
}

/** Returns a function that counts the rows of every table. */
async function createCount(service: TestService): Promise<() => Promise<Record<string, number>>> {
  const tables = await service.sql<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const counts = tables.map(({ name }) => `(select count(*) from ${name}) as ${name}`);
  return async () => {
    await untilNumbered(service);
    return (await service.sql<Record<string, number>>(`select ${counts.join(', ')}`))[0] ?? {};
  };
}
