import { type RouteDefinition, rightOf, routes } from '@svc/contract';
import {
  fingerprints,
  manage,
  memberOf,
  newAccount,
  ownedProgram,
  partnerAccount,
} from '@svc/testkit/service/accounts.ts';
import { admits, NOT_FOUND, PEOPLE, type Person, refusalOf } from '@svc/testkit/service/routes/refused-people.ts';
import { type ValidRequest, validRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const service = useService();

const SIGN_IN = 'Sign in first: send a session cookie or Authorization: Bearer <account token>';
const BAD_TOKEN = 'Invalid or expired token — run `login` again';
const managed = routes.filter(({ auth }) => auth === 'account');
/** The first route of each right: one function looks for the account. The long form tries all. */
const triedRoutes = managed.filter(
  (route, index) =>
    process.env.SVC_TEST_LONG || managed.findIndex((other) => rightOf(other) === rightOf(route)) === index,
);

function accountOf(person: Person, { workspaceId, partnerId }: TestProgram) {
  if (person === 'outsider') return newAccount(service);
  return person === 'partner' ? partnerAccount(service, partnerId) : memberOf(service, workspaceId, person);
}

const NO_ACCOUNT: [what: string, message: string, headers: Record<string, string>][] = [
  ['no credential', SIGN_IN, {}],
  ['an unknown token', BAD_TOKEN, { authorization: 'Bearer svc_at_nobody' }],
  ['not Bearer', BAD_TOKEN, { authorization: 'Basic YTpi' }],
  ['an empty token', BAD_TOKEN, { authorization: 'Bearer' }],
  ['an unknown cookie', SIGN_IN, { cookie: '__Secure-svc.session_token=abc.def', origin: 'https://track.test' }],
];

// The tests of rights try all kinds of callers with every route. All requests are prepared first, so that what is stored is compared once.
describe('routes refuse everyone who may not call them, and change nothing', () => {
  const requests = new Map<RouteDefinition, ValidRequest>();
  const tokens = new Map<Person, string>();
  let stored: Record<string, unknown>;

  beforeAll(async () => {
    const made = await ownedProgram(service);
    for (const route of triedRoutes) requests.set(route, await validRequest(service, route, made));
    for (const person of PEOPLE) tokens.set(person, (await accountOf(person, made)).token);
    stored = await fingerprints(service);
  });

  afterAll(async () => expect(await fingerprints(service)).toEqual(stored));

  it.each(triedRoutes)('$method $path', async (route) => {
    const valid = requests.get(route) as ValidRequest;
    for (const person of PEOPLE.filter((one) => !admits(route, one))) {
      const { status, body } = await valid.send({ key: tokens.get(person) as string });
      expect({ person, status, body }).toEqual({ person, ...refusalOf(route, person) });
    }
    for (const [what, message, headers] of NO_ACCOUNT) {
      const answer = await valid.send({ key: undefined, headers });
      const body = platformError(401, 'UnauthorizedError', message);
      expect({ what, status: answer.status, body: answer.body }).toEqual({ what, status: 401, body });
      expect(answer.headers['x-request-id']).toBeTruthy();
    }
    expect((await valid.send({ key: valid.apiKey })).status).toBe(401);
  });
});

describe('a partner sees and switches only what is theirs', () => {
  /** A program with two partners who each referred a sale, and the account of the first. */
  async function twoPartners() {
    const made = await ownedProgram(service);
    const other = await service.partner(made.program);
    const [mine, theirs] = [await sold(service, made), await sold(service, { ...made, ...other })];
    return { made, other, mine, theirs, partner: await partnerAccount(service, made.partnerId) };
  }

  it.each(['/links', '/customers', '/sales', '/commissions', '/events'])('GET %s', async (list) => {
    const { made, other, partner } = await twoPartners();
    for (const query of ['', `?partner_id=${other.partnerId}`]) {
      const { body } = await service.call('GET', manage(made, list + query), { key: partner.token });
      const owners = body.data.map(({ partner_id }: { partner_id: number }) => partner_id);
      expect(owners.length).toBeGreaterThan(0);
      expect(new Set(owners)).toEqual(new Set([made.partnerId]));
    }
  });

  it.each(['', '&group_by=partner', '&group_by=link'])('GET performance?%s counts only theirs', async (query) => {
    const { made, partner } = await twoPartners();
    service.advance({ seconds: 3600 });
    const path = manage(made, `/performance?limit=10${query}`);
    const all = (await service.call('GET', path, { key: made.owner.token })).body.data;
    const own = (await service.call('GET', path, { key: partner.token })).body.data;
    expect([all.totals.clicks, all.totals.sales]).toEqual([2, 2]);
    expect([own.totals.clicks, own.totals.sales]).toEqual([1, 1]);
    expect(own.groups).toHaveLength(query === '' ? 0 : 1);
  });

  it('switching another partner’s link on or off is 404', async () => {
    const { made, other, partner } = await twoPartners();
    const [link] = await service.sql<{ id: number }>('select id from links where short_link = $1', [other.link]);
    const before = await fingerprints(service);
    const answer = await service.call('PATCH', manage(made, `/links/${link?.id}`), {
      key: partner.token,
      body: { active: false },
    });
    expect(answer).toMatchObject({ status: 404, body: NOT_FOUND });
    expect(await fingerprints(service)).toEqual(before);
  });

  it('a link they create is theirs, whichever partner they name', async () => {
    const { made, other, partner } = await twoPartners();
    const body = { partner_id: other.partnerId };
    const answer = await service.call('POST', manage(made, '/links'), { key: partner.token, body });
    expect(answer).toMatchObject({ status: 201, body: { data: { partner_id: made.partnerId } } });
  });

  it.each(['blocked', 'removed'])('nothing once they are %s', async (status) => {
    const { made, partner } = await twoPartners();
    const path = manage(made, '/sales');
    expect((await service.call('GET', path, { key: partner.token })).status).toBe(200);
    const body = { status };
    await service.call('PATCH', manage(made, `/partners/${made.partnerId}`), { key: made.owner.token, body });
    expect((await service.call('GET', path, { key: partner.token })).status).toBe(404);
    const programs = await service.call('GET', '/api/v1/manage/programs', { key: partner.token });
    expect(programs.body.data).toEqual([]);
  });

  it('GET programs lists the programs they are a partner of, with that role', async () => {
    const { made, partner } = await twoPartners();
    const { body } = await service.call('GET', '/api/v1/manage/programs', { key: partner.token });
    const program = { id: made.program.id, name: 'Acme', domain: 'acme.test', commission: '20% per sale' };
    const look = { status: 'active', brand_color: null, logo_url: null };
    expect(body).toEqual({ data: [{ ...program, ...look, role: 'partner' }] });
  });
});
