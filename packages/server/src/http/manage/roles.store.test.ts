import { type RouteDefinition, routes } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { fingerprints, manage, memberOf, newAccount, ownedProgram, partnerAccount } from '../../../test/accounts.ts';
import { platformError, type TestProgram, useService } from '../../../test/service.ts';
import { sold } from '../../../test/sold.ts';
import { validRequest } from '../../../test/valid-request.ts';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const OWNER_ONLY = platformError(403, 'ForbiddenError', 'Only a workspace owner can do this');
const NO_WORKSPACE = platformError(403, 'ForbiddenError', 'No advertiser found for this account');
const SIGN_IN = 'Sign in first: send a session cookie or Authorization: Bearer <account token>';
const managed = routes.filter(({ auth }) => auth === 'account');
const isOfAccount = ({ path }: RouteDefinition) => !path.includes(':program_id');

/** What contract §9 says of each route: the least role. `account` is everybody who is signed in. */
const LEAST_ROLE: Record<string, 'account' | 'partner' | 'member' | 'owner'> = {
  manageMe: 'account',
  manageLogout: 'account',
  managePrograms: 'account',
  manageAccept: 'account',
  manageUpdateMe: 'account',
  manageMembers: 'member',
  manageUpdateMember: 'owner',
  manageRemoveMember: 'owner',
  manageInvitations: 'owner',
  manageInvite: 'owner',
  manageReissueInvitation: 'owner',
  manageRevokeInvitation: 'owner',
  manageCreateProgram: 'member',
  manageProgram: 'member',
  manageUpdateProgram: 'member',
  manageRegenerateKey: 'owner',
  manageRenewJoinLink: 'member',
  manageRequireRotation: 'owner',
  managePartners: 'member',
  manageAddPartner: 'member',
  manageUpdatePartner: 'member',
  manageInvitePartner: 'member',
  manageRevokePartnerInvitation: 'member',
  manageReadiness: 'member',
  manageTestChain: 'member',
  manageLinks: 'partner',
  manageAddLink: 'partner',
  manageUpdateLink: 'partner',
  manageEvents: 'partner',
  manageCustomers: 'partner',
  manageSales: 'partner',
  manageCommissions: 'partner',
  manageApprove: 'member',
  manageReject: 'member',
  manageApproveMany: 'member',
  manageRejectMany: 'member',
  manageCustomer: 'partner',
  managePerformance: 'partner',
  manageBalances: 'partner',
  manageEarnings: 'partner',
  managePayouts: 'partner',
  managePayout: 'partner',
  manageMakePayouts: 'member',
  manageMarkPaid: 'member',
  manageCancelPayout: 'member',
  manageExportSales: 'partner',
  manageExportCommissions: 'partner',
  manageExportCustomers: 'partner',
  manageExportPayouts: 'partner',
  manageExplain: 'member',
  manageProcessor: 'owner',
  manageConnectProcessor: 'owner',
  manageDisconnectProcessor: 'owner',
  manageProcessorEvents: 'owner',
  manageReplayProcessorEvent: 'owner',
};

it('every route that asks for an account has its role here', () => {
  expect(managed.map(({ id }) => id).sort()).toEqual(Object.keys(LEAST_ROLE).sort());
});

/** Sends the valid request of the route as somebody else and expects the answer, and that nothing changed if refused. */
async function expectAs(
  route: RouteDefinition,
  who: (made: TestProgram) => Promise<{ token: string }>,
  expected: { status: number; body?: object } | 'success',
) {
  const valid = await validRequest(service, route);
  const { token } = await who(valid);
  const before = await fingerprints(service);
  const { status, body } = await valid.send({ key: token });
  if (expected === 'success') return expect(status).toBe(valid.status);
  expect({ status, body }).toEqual(expected);
  expect(await fingerprints(service)).toEqual(before);
}

describe.each(managed)('$method $path', (route) => {
  const least = LEAST_ROLE[route.id];

  it('an owner may', () => expectAs(route, ({ workspaceId }) => memberOf(service, workspaceId), 'success'));

  it(`a member ${least === 'owner' ? 'may not: 403' : 'may'}`, () =>
    expectAs(
      route,
      ({ workspaceId }) => memberOf(service, workspaceId, 'member'),
      least === 'owner' ? { status: 403, body: OWNER_ONLY } : 'success',
    ));

  const refusal = isOfAccount(route) ? { status: 403, body: NO_WORKSPACE } : { status: 404, body: NOT_FOUND };
  it(`a partner ${least === 'partner' || least === 'account' ? 'may' : 'may not'}`, () =>
    expectAs(
      route,
      ({ partnerId }) => partnerAccount(service, partnerId),
      least === 'partner' || least === 'account' ? 'success' : refusal,
    ));

  it(`somebody without any part in it ${least === 'account' ? 'may' : 'may not'}`, () =>
    expectAs(route, () => newAccount(service), least === 'account' ? 'success' : refusal));

  it.each([
    [SIGN_IN, 'no credential', {}],
    ['Invalid or expired token — run `login` again', 'a token nobody has', { authorization: 'Bearer svc_at_nobody' }],
    ['Invalid or expired token — run `login` again', 'not Bearer', { authorization: 'Basic YTpi' }],
    ['Invalid or expired token — run `login` again', 'an empty token', { authorization: 'Bearer' }],
    [SIGN_IN, 'a cookie nobody has', { cookie: '__Secure-svc.session_token=abc.def', origin: 'https://track.test' }],
  ])('401 %s: %s', async (message, _what, headers) => {
    const valid = await validRequest(service, route);
    const before = await fingerprints(service);
    const answer = await valid.send({ key: undefined, headers });
    expect(answer).toMatchObject({ status: 401, body: platformError(401, 'UnauthorizedError', message) });
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(await fingerprints(service)).toEqual(before);
  });

  it('401: a program key is no account', async () => {
    const valid = await validRequest(service, route);
    expect((await valid.send({ key: valid.apiKey })).status).toBe(401);
  });
});

describe('a partner sees and toggles only what is theirs', () => {
  /** A program with two partners who each made a sale, and the account of the first. */
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
    const path = manage(made, `/performance?x=1${query}`);
    const all = (await service.call('GET', path, { key: made.owner.token })).body.data;
    const own = (await service.call('GET', path, { key: partner.token })).body.data;
    expect([all.totals.clicks, all.totals.sales]).toEqual([2, 2]);
    expect([own.totals.clicks, own.totals.sales]).toEqual([1, 1]);
    expect(own.groups).toHaveLength(query === '' ? 0 : 1);
  });

  it('switching another partner’s link is 404', async () => {
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

  it('a link they make is theirs, whoever they name', async () => {
    const { made, other, partner } = await twoPartners();
    const body = { partner_id: other.partnerId };
    const answer = await service.call('POST', manage(made, '/links'), { key: partner.token, body });
    expect(answer).toMatchObject({ status: 201, body: { data: { partner_id: made.partnerId } } });
  });

  it.each(['blocked', 'removed'])('nothing any more once they are %s', async (status) => {
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
    expect(body).toEqual({ data: [{ ...program, role: 'partner' }] });
  });
});
