import { readFile } from 'node:fs/promises';
import { namesOne, type RouteDefinition, routes } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { fingerprints } from '../../test/accounts.ts';
import { createCallers, newStage, type Stage } from '../../test/callers.ts';
import { CALLERS, type Caller, DOCUMENTED, type Outcome, outcomesOf } from '../../test/rights.ts';
import { type Answer, type CallOptions, useService } from '../../test/service.ts';
import { type ValidRequest, validRequest } from '../../test/valid-request.ts';

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

/** The stage of callers who may change nothing, so that they can share it. Those with a cookie move from stage to stage. */
let sharedStage: Stage | undefined;
const refusedCallers = new Map<Caller, CallOptions>();

async function refusedCaller(caller: Caller, stage: Stage): Promise<CallOptions> {
  const known = refusedCallers.get(caller);
  if (known && !caller.endsWith('ByCookie')) return known;
  const options = await callers[caller](stage);
  refusedCallers.set(caller, options);
  return options;
}

async function prepare(route: RouteDefinition) {
  const stage = await newStage(service);
  return { stage, valid: await validRequest(service, route, stage.made) };
}

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

describe.each(routes)('$method $path', (route) => {
  const mayCall = allCallers.filter((caller) => outcomesOf(route, caller).some(succeeds));
  const others = allCallers.filter((caller) => !mayCall.includes(caller));

  it('answers each kind of caller as the table says', async () => {
    // What only reads can be read by all of them in turn.
    const isRepeatable = route.method === 'GET' && !route.consumes;
    let prepared = await prepare(route);
    for (const caller of mayCall) {
      if (!isRepeatable) prepared = await prepare(route);
      const { stage, valid } = prepared;
      const options = await callers[caller](stage);
      expectOutcome(route, caller, await send(route, valid, options), valid.status);
    }
  });

  // Some routes are open to anyone.
  if (others.length === 0) return;

  it('changes nothing for callers it refuses', async () => {
    sharedStage ??= await newStage(service);
    const stage = sharedStage;
    const valid = await validRequest(service, route, stage.made);
    const refused: { caller: Caller; options: CallOptions }[] = [];
    for (const caller of others) refused.push({ caller, options: await refusedCaller(caller, stage) });
    const before = await fingerprints(service);
    for (const { caller, options } of refused) {
      expectOutcome(route, caller, await send(route, valid, options), valid.status);
    }
    const { decisions: _before, ...stored } = before;
    const { decisions: _after, ...after } = await fingerprints(service);
    expect(after).toEqual(stored);
  });
});
