import { type RouteDefinition, routes } from '@svc/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprints, OWN_ORIGIN, type SignedUp, signUp } from '../../../test/accounts.ts';
import { platformError, useService } from '../../../test/service.ts';
import { type ValidRequest, validRequest } from '../../../test/valid-request.ts';

const service = useService();

const REFUSED = platformError(403, 'ForbiddenError', 'This request came from another site and was refused');
const managed = routes.filter(({ auth }) => auth === 'account');
const changing = managed.filter(({ method }) => method !== 'GET');
const reading = managed.filter(({ method }) => method === 'GET');
const FOREIGN = [
  'https://elsewhere.example',
  'http://track.test',
  'https://track.test:8443',
  'https://sub.track.test',
  'https://track.test.elsewhere.example',
  'null',
  '',
];

let person: SignedUp;
beforeAll(async () => {
  person = await signUp(service);
});

/** The valid request of the route, with the signed-in user as owner of the workspace. */
async function ofPerson(route: RouteDefinition): Promise<ValidRequest> {
  const valid = await validRequest(service, route);
  await service.sql(`update workspace_members set advertiser_id = $2, role = 'owner' where user_id = $1`, [
    person.userId,
    valid.workspaceId,
  ]);
  const own = /\/tokens\/(\d+)$/.exec(valid.path)?.[1];
  if (own) await service.sql('update account_tokens set user_id = $2 where id = $1', [own, person.userId]);
  const session = /\/sessions\/(\w+)$/.exec(valid.path)?.[1];
  if (session) await service.sql('update sessions set user_id = $2 where id = $1', [session, person.userId]);
  if (route.id === 'manageConfirmEmail')
    await service.sql('update address_links set user_id = $1, address = $2', [person.userId, person.email]);
  return valid;
}

const withCookie = (headers: Record<string, string> = {}) => ({
  key: undefined,
  headers: { cookie: person.cookie, ...headers },
});

describe.each(changing)('$method $path with the session cookie', (route) => {
  it('403 and nothing changed without an Origin or with that of another site, and answered from a page of this one', async () => {
    const valid = await ofPerson(route);
    const before = await fingerprints(service);
    for (const options of [withCookie(), ...FOREIGN.map((origin) => withCookie({ origin }))]) {
      const { status, body } = await valid.send(options);
      expect({ status, body }).toEqual({ status: 403, body: REFUSED });
    }
    expect(await fingerprints(service)).toEqual(before);
    expect((await valid.send(withCookie({ origin: OWN_ORIGIN }))).status).toBe(valid.status);
  });

  // Requests without an Origin are what all other tests of these routes send.
  it('ignores the Origin next to an account token', async () => {
    const valid = await validRequest(service, route);
    expect((await valid.send({ headers: { origin: 'https://elsewhere.example' } })).status).toBe(valid.status);
  });
});

describe.each(reading)('$method $path with the session cookie', (route) => {
  it('needs no Origin, and lets no page of another site read the answer', async () => {
    const valid = await ofPerson(route);
    for (const origin of [undefined, 'https://elsewhere.example']) {
      const answer = await valid.send(withCookie(origin === undefined ? {} : { origin }));
      expect(answer.status).toBe(valid.status);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

it('a session cookie next to an invalid account token gives no access', async () => {
  const headers = { cookie: person.cookie, authorization: 'Bearer svc_at_nobody', origin: OWN_ORIGIN };
  expect((await service.call('GET', '/api/v1/manage/me', { headers })).status).toBe(401);
});
