import { type RouteDefinition, routes } from '@svc/contract';
import { fingerprints, OWN_ORIGIN, type SignedUp, signUp } from '@svc/testkit/service/accounts.ts';
import { giveOwnersAnApp } from '@svc/testkit/service/authenticator.ts';
import { outcomesOf } from '@svc/testkit/service/routes/rights.ts';
import { pathOf, useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import type { ValidRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const service = useService();
const requestOf = useSharedRequests(service);

const REFUSED = platformError(403, 'ForbiddenError', 'This request came from another site and was refused');
const managed = routes.filter(({ auth }) => auth === 'account');
const changing = managed.filter(({ method }) => method !== 'GET');
const reading = managed.filter(({ method }) => method === 'GET');
const updateProgram = managed.find(({ id }) => id === 'manageUpdateProgram') as RouteDefinition;
const FOREIGN = [
  'https://elsewhere.example',
  'http://track.test',
  'https://track.test:8443',
  'https://sub.track.test',
  'https://track.test.elsewhere.example',
  'null',
  '',
];

/** One function refuses all of them, so one route tries each, and the others one of them. */
const foreignOf = (route: RouteDefinition) =>
  process.env.SVC_TEST_LONG || route.id === 'manageUpdateProgram' ? FOREIGN : FOREIGN.slice(0, 1);

let person: SignedUp;
beforeAll(async () => {
  person = await signUp(service);
});

/** The valid request, with the signed-in user as owner of the workspace. */
async function ofPerson(route: RouteDefinition, valid: ValidRequest): Promise<ValidRequest> {
  await service.sql(`update workspace_members set advertiser_id = $2, role = 'owner' where user_id = $1`, [
    person.userId,
    valid.workspaceId,
  ]);
  const own = /\/tokens\/(\d+)$/.exec(valid.path)?.[1];
  if (own) await service.sql('update account_tokens set user_id = $2 where id = $1', [own, person.userId]);
  const session = /\/sessions\/(\w+)$/.exec(valid.path)?.[1];
  if (session) await service.sql('update sessions set user_id = $2 where id = $1', [session, person.userId]);
  const joined = /\/me\/programs\/(\d+)\//.exec(valid.path)?.[1];
  if (joined) {
    await service.sql('update partners set user_id = null where user_id = $1', [person.userId]);
    const partner = 'select partner_id from postbacks where program_id = $1';
    await service.sql(`update partners set user_id = $2 where id = (${partner})`, [joined, person.userId]);
    await service.sql('update postbacks set user_id = $2 where program_id = $1', [joined, person.userId]);
  }
  if (route.id === 'manageLiftPayoutWait') await giveOwnersAnApp(service, valid.workspaceId);
  if (route.id === 'manageConfirmEmail')
    await service.sql('update address_links set user_id = $1, address = $2', [person.userId, person.email]);
  return valid;
}

const withCookie = (headers: Record<string, string> = {}) => ({
  key: undefined,
  headers: { cookie: person.cookie, ...headers },
});

// Where the request came from is asked first, so these need not be valid.
describe('403 with the session cookie, without an Origin or with that of another site', () => {
  it.each(changing)('$method $path', async (route) => {
    for (const options of [withCookie(), ...foreignOf(route).map((origin) => withCookie({ origin }))]) {
      const { status, body } = await service.call(route.method, pathOf(route), { body: {}, ...options });
      expect({ status, body }).toEqual({ status: 403, body: REFUSED });
    }
  });

  it('nothing is changed', async () => {
    const valid = await ofPerson(updateProgram, await requestOf(updateProgram));
    const stored = await fingerprints(service);
    expect((await valid.send(withCookie({ origin: 'https://elsewhere.example' }))).status).toBe(403);
    expect(await fingerprints(service)).toEqual(stored);
    expect((await valid.send(withCookie({ origin: OWN_ORIGIN }))).status).toBe(valid.status);
  });
});

const isTriedWithRights = (route: RouteDefinition) => outcomesOf(route, 'ownerByCookie').includes('yes');

// The tests of rights send the requests of all other routes with a cookie, and with a token from any page.
describe.each(changing.filter((route) => !isTriedWithRights(route)))('$method $path', (route) => {
  it('is answered with the session cookie from a page of this site', async () => {
    const valid = await ofPerson(route, await requestOf(route));
    expect((await valid.send(withCookie({ origin: OWN_ORIGIN }))).status).toBe(valid.status);
  });
});

describe.each(reading.filter((route) => !isTriedWithRights(route)))(
  '$method $path with the session cookie',
  (route) => {
    it('needs no Origin, and lets no page of another site read the answer', async () => {
      const valid = await ofPerson(route, await requestOf(route));
      for (const origin of [undefined, 'https://elsewhere.example']) {
        const answer = await valid.send(withCookie(origin === undefined ? {} : { origin }));
        expect(answer.status).toBe(valid.status);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    });
  },
);

it('a session cookie next to an invalid account token gives no access', async () => {
  const headers = { cookie: person.cookie, authorization: 'Bearer svc_at_nobody', origin: OWN_ORIGIN };
  expect((await service.call('GET', '/api/v1/manage/me', { headers })).status).toBe(401);
});
