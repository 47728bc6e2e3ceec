import { readFile } from 'node:fs/promises';
import { namesOne, type RouteDefinition, routes } from '@svc/contract';
import { fingerprints } from '@svc/testkit/service/accounts.ts';
import { giveOwnersAnApp } from '@svc/testkit/service/authenticator.ts';
import { createCallers, newStage, type Stage } from '@svc/testkit/service/routes/callers.ts';
import { CALLERS, type Caller, DOCUMENTED, type Outcome, outcomesOf } from '@svc/testkit/service/routes/rights.ts';
import { canShare } from '@svc/testkit/service/routes/shared-requests.ts';
import { type ValidRequest, validRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { type Answer, type CallOptions, useService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const service = useService();
const callers = createCallers(service);
const allCallers = Object.keys(CALLERS) as Caller[];
/** Whether the valid request names something of another account, by its id or its secret. */
const namesOthers = (route: RouteDefinition) => namesOne(route) || route.path.includes('/track/');

const succeeds = (outcome: Outcome) => outcome === 'yes' || outcome === 'own';

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

const isAllowed = (route: RouteDefinition) => (caller: Caller) => outcomesOf(route, caller).some(succeeds);

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
    for (const caller of allCallers.filter((one) => !isAllowed(route)(one))) {
      expectOutcome(route, caller, await send(route, valid, credentials.get(caller)), valid.status);
    }
  });
});

/** Next to a token, the page that a request comes from does not matter. Other tests send none. */
const fromElsewhere = (options: CallOptions) => ({ ...options, headers: { origin: 'https://elsewhere.example' } });

describe('routes answer each kind of caller as the table says', () => {
  it.each(routes)('$method $path', async (route) => {
    // What only reads can be read by all of them in turn.
    const isRepeatable = route.method === 'GET' && !route.consumes;
    const sharing = isRepeatable ? 'reading' : 'changing';
    let cast = await (isRepeatable || canShareCast(route) ? sharedCast(sharing) : newCast());
    let valid = await validRequest(service, route, cast.stage.made);
    for (const [index, caller] of allCallers.filter(isAllowed(route)).entries()) {
      if (index > 0 && !isRepeatable) {
        if (needsNewProgram(route)) cast = await newCast();
        valid = await validRequest(service, route, cast.stage.made);
      }
      const options = caller === 'owner' ? fromElsewhere(await cast.as(caller)) : await cast.as(caller);
      if (route.id === 'manageLiftPayoutWait') await giveOwnersAnApp(service, cast.stage.made.workspaceId);
      expectOutcome(route, caller, await send(route, valid, options), valid.status);
    }
  });
});
