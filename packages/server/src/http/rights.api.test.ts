import { readFile } from 'node:fs/promises';
import { namesOne, type RouteDefinition, rightOf, routes } from '@svc/contract';
import { fingerprints } from '@svc/testkit/service/accounts.ts';
import { giveOwnersAnApp } from '@svc/testkit/service/authenticator.ts';
import { createCallers, newStage, type Stage } from '@svc/testkit/service/routes/callers.ts';
import { NOT_FOUND, PEOPLE, type Person, refusalOf } from '@svc/testkit/service/routes/refused-people.ts';
import { CALLERS, type Caller, DOCUMENTED, type Outcome, outcomesOf } from '@svc/testkit/service/routes/rights.ts';
import { canShare, pathOf } from '@svc/testkit/service/routes/shared-requests.ts';
import { type ValidRequest, validRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { type Answer, type CallOptions, useService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const service = useService();
const callers = createCallers(service);
const allCallers = Object.keys(CALLERS) as Caller[];
/** Whether the valid request names something of another account, by its id or its secret. */
const namesOthers = (route: RouteDefinition) => namesOne(route) || route.path.includes('/track/');

/** A batch is answered with 200, whatever became of its only item. */
function statusOf({ id }: RouteDefinition, { status, body }: Answer): number {
  return id === 'trackBatch' && status === 200 ? body.data.results[0].status : status;
}

/** Whether the answer matches the outcome. */
function fits(route: RouteDefinition, outcome: Outcome, answer: Answer, success: number): boolean {
  const status = statusOf(route, answer);
  if (outcome === 'yes') return status === success;
  if (outcome === 'own') return namesOthers(route) ? status === 404 || status === 400 : status === success;
  if (outcome === 'refused') return [401, 403, 404].includes(status);
  return status === outcome;
}

/** Their valid request works once for a program: it names all that the program has, or something that can exist once. */
const ONCE_FOR_A_PROGRAM = [
  'manageAddApiKey',
  'manageAddGroup',
  'manageDeleteLink',
  'manageMarkPayoutsPaid',
  'manageReviewCommissions',
  'manageUpdateGroup',
];
const needsNewProgram = ({ id, auth }: RouteDefinition) => auth === 'program-key' || ONCE_FOR_A_PROGRAM.includes(id);

function send(route: RouteDefinition, valid: ValidRequest, options: Parameters<ValidRequest['send']>[0]) {
  const { origin, ...headers } = options?.headers ?? {};
  return valid.send({
    ...options,
    headers: {
      ...headers,
      // Which pages may report events is a setting of the program and does not depend on the caller.
      ...(origin && !route.fromBrowsers && { origin }),
      // Callers of a signed route are identified by the signature only.
      ...(route.signed && { 'stripe-signature': 't=1,v1=00' }),
    },
  });
}

function expectOutcome(route: RouteDefinition, caller: Caller, answer: Answer, success: number): void {
  const expected = outcomesOf(route, caller);
  const isExpected = expected.some((outcome) => fits(route, outcome, answer, success));
  const { status, text } = answer;
  expect({ caller, status: isExpected ? expected : { status, text } }).toEqual({ caller, status: expected });
}

it.each(Object.entries(DOCUMENTED))('the documentation shows %s', async (_, table) => {
  const page = (await readFile(new URL('../../../../docs/rights.md', import.meta.url), 'utf8')).replace(/ +/g, ' ');
  expect(page).toContain(table.replace(/ +/g, ' '));
});

/** Whether the valid request of an owner succeeds for this caller too. */
const isAllowed = (route: RouteDefinition) => (caller: Caller) =>
  outcomesOf(route, caller).some((outcome) => outcome === 'yes' || (outcome === 'own' && !namesOthers(route)));

/** Reading can be repeated by all callers in turn. */
const isRepeatable = ({ method, consumes }: RouteDefinition) => method === 'GET' && !consumes;

const AT_THE_EDGES: Caller[] = [
  'nobody',
  'unknownToken',
  'owner',
  'ownerByCookie',
  'partner',
  'outsider',
  'programKey',
];

/** One function compares roles, so each route is called by the lowest role and by callers of other kinds. The long form tries all. */
function triedOf(route: RouteDefinition): Caller[] {
  const allowed = allCallers.filter(isAllowed(route));
  if (process.env.SVC_TEST_LONG) return allowed;
  const lowest = (['viewer', 'finance', 'member'] as const).find((role) => allowed.includes(role));
  return allowed.filter((caller) => AT_THE_EDGES.includes(caller) || caller === lowest);
}

/** A program, and callers that are created when they are needed. Those with a cookie move from program to program. */
type Cast = { stage: Stage; as: (caller: Caller) => Promise<CallOptions> };

async function newCast(): Promise<Cast> {
  const stage = await newStage(service);
  const known = new Map<Caller, Promise<CallOptions>>();
  const as = (caller: Caller) => {
    const options = (!caller.endsWith('ByCookie') && known.get(caller)) || callers[caller](stage);
    known.set(caller, options);
    return options;
  };
  return { stage, as };
}

/** One cast for all requests that change nothing, and one for those that change nothing that another one needs. */
const shared = new Map<'reading' | 'changing', Promise<Cast>>();
function sharedCast(of: 'reading' | 'changing'): Promise<Cast> {
  const cast = shared.get(of) ?? newCast();
  shared.set(of, cast);
  return cast;
}

/** Partners are callers too, and one who has an account cannot be invited. */
const canShareCast = (route: RouteDefinition) => canShare(route) && route.id !== 'manageInvitePartner';

/** One function finds out that they are nobody, so one route for each right tries them. The long form tries all. */
const NOBODY_ANYMORE: Caller[] = [
  'suspended',
  'suspendedByCookie',
  'revokedToken',
  'expiredToken',
  'idToken',
  'otherKey',
  'replacedKey',
];
const isFirstOfItsRight = (route: RouteDefinition) =>
  routes.find((other) => rightOf(other) === rightOf(route)) === route;

function refusedOf(route: RouteDefinition): Caller[] {
  const refused = allCallers.filter((caller) => !isAllowed(route)(caller));
  if (process.env.SVC_TEST_LONG || isFirstOfItsRight(route)) return refused;
  return refused.filter((caller) => !NOBODY_ANYMORE.includes(caller));
}

const isPerson = (caller: Caller): caller is Caller & Person => (PEOPLE as readonly string[]).includes(caller);
const isOfProgram = ({ path, auth }: RouteDefinition) => path.includes(':program_id') && auth === 'account';

const NO_PROGRAM = ['999999999', '0', '-1', '1.5', '01', 'abc', '1e3', '99999999999999999999', '%00'];
/** One function reads the id, so all values are tried with two routes, and two of them with every route. The long form tries all. */
const wrongIdsOf = ({ id }: RouteDefinition) =>
  process.env.SVC_TEST_LONG || ['manageProgram', 'manageUpdateLink'].includes(id) ? NO_PROGRAM : ['999999999', 'abc'];

// Before the callers who may change something. All requests are prepared first, so that what is stored is compared once.
describe('routes change nothing for callers they refuse', () => {
  // Some routes are open to anyone.
  const refusing = routes.filter((route) => !allCallers.every(isAllowed(route)));
  const requests = new Map<RouteDefinition, ValidRequest>();
  const credentials = new Map<Caller, CallOptions>();
  let stored: Record<string, unknown>;

  async function storedNow(): Promise<Record<string, unknown>> {
    const { decisions: _, ...tables } = await fingerprints(service);
    return tables;
  }

  beforeAll(async () => {
    const { stage, as } = await sharedCast('reading');
    for (const route of refusing) requests.set(route, await validRequest(service, route, stage.made));
    for (const caller of allCallers) credentials.set(caller, await as(caller));
    stored = await storedNow();
  });

  afterAll(async () => expect(await storedNow()).toEqual(stored));

  it.each(refusing)('$method $path', async (route) => {
    const valid = requests.get(route) as ValidRequest;
    for (const caller of refusedOf(route)) {
      const answer = await send(route, valid, credentials.get(caller));
      expectOutcome(route, caller, answer, valid.status);
      if (route.auth === 'account') expectWords(route, caller, answer);
    }
  });

  function expectWords(route: RouteDefinition, caller: Caller, { status, body }: Answer): void {
    const person = caller === 'otherOwner' && isOfProgram(route) ? 'outsider' : caller;
    if (!isPerson(person)) return;
    expect({ caller, status, body }).toEqual({ caller, ...refusalOf(route, person) });
  }

  it.each(refusing.filter(isOfProgram))('$method $path: as for a program that does not exist', async (route) => {
    const { body: sent } = requests.get(route) as ValidRequest;
    for (const id of wrongIdsOf(route)) {
      const path = pathOf({ ...route, path: route.path.replace(':program_id', id) });
      const { status, body } = await service.call(route.method, path, { ...credentials.get('outsider'), body: sent });
      expect({ id, status, body }).toEqual({ id, status: 404, body: NOT_FOUND });
    }
  });
});

/** Next to a token, the page that a request comes from does not matter. Other tests send none. */
const fromElsewhere = (options: CallOptions) => ({ ...options, headers: { origin: 'https://elsewhere.example' } });

describe('routes answer each kind of caller as the table says', () => {
  it.each(routes)('$method $path', async (route) => {
    const repeats = isRepeatable(route);
    let cast = await (repeats || canShareCast(route) ? sharedCast(repeats ? 'reading' : 'changing') : newCast());
    let valid = await validRequest(service, route, cast.stage.made);
    for (const [index, caller] of triedOf(route).entries()) {
      if (index > 0 && !repeats) {
        if (needsNewProgram(route)) cast = await newCast();
        valid = await validRequest(service, route, cast.stage.made);
      }
      const options = caller === 'owner' ? fromElsewhere(await cast.as(caller)) : await cast.as(caller);
      if (route.id === 'manageLiftPayoutWait') await giveOwnersAnApp(service, cast.stage.made.workspaceId);
      expectOutcome(route, caller, await send(route, valid, options), valid.status);
      if (caller === 'ownerByCookie' && repeats && route.auth === 'account')
        await expectNoOriginToMatter(valid, options);
    }
  });

  /** What only reads needs no page of this site, and lets no page of another site see the answer. */
  async function expectNoOriginToMatter(valid: ValidRequest, { headers = {} }: CallOptions): Promise<void> {
    const { origin: _, ...cookie } = headers;
    for (const sent of [cookie, { ...cookie, origin: 'https://elsewhere.example' }]) {
      const answer = await valid.send({ key: undefined, headers: sent });
      expect(answer.status).toBe(valid.status);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  }
});
