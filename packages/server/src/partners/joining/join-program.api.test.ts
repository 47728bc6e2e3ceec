import {
  manage,
  newAccount,
  type OwnedProgram,
  ownedProgram,
  type TestAccount,
} from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const GONE = platformError(404, 'NotFoundError', 'This join link is no longer active. Ask the brand for a new one.');
const conflict = (message: string) => platformError(409, 'ConflictError', message);

const update = (made: OwnedProgram, body: object) =>
  service.call('PATCH', manage(made), { key: made.owner.token, body });
const tokenIn = (joinUrl: string) => new URL(joinUrl).hash.slice(1);
const lookUp = (token: string) => service.call('POST', '/api/v1/manage/invitations/look-up', { body: { token } });
const join = (account: TestAccount, token: string) =>
  service.call('POST', '/api/v1/manage/invitations/accept', { key: account.token, body: { token } });
const partnersOf = async (made: OwnedProgram, query = '') =>
  (await service.call('GET', manage(made, `/partners${query}`), { key: made.owner.token })).body.data;
const setStatus = (made: OwnedProgram, partnerId: number, status: string) =>
  service.call('PATCH', manage(made, `/partners/${partnerId}`), { key: made.owner.token, body: { status } });
const programOf = async (account: TestAccount, made: OwnedProgram) => {
  const { body } = await service.call('GET', '/api/v1/manage/me', { key: account.token });
  return body.data.partner_of.find(({ program_id }: { program_id: number }) => program_id === made.program.id);
};

/** A program that can be joined, and the token of its link. */
async function joinable(joining: 'on_approval' | 'open', settings = {}): Promise<OwnedProgram & { token: string }> {
  const made = await ownedProgram(service, settings);
  const { body } = await update(made, { joining });
  return { ...made, token: tokenIn(body.data.join_url) };
}

describe('joining a program by its join link', () => {
  it('is closed by default: no link is shown, and the hidden one does not work', async () => {
    const made = await ownedProgram(service);
    const { body } = await service.call('GET', manage(made), { key: made.owner.token });
    expect(body.data).toMatchObject({ joining: 'closed', join_url: null });
    const [{ join_token: token } = {}] = await service.sql<{ join_token: string }>(
      'select join_token from programs where id = $1',
      [made.program.id],
    );
    for (const answer of [await lookUp(String(token)), await join(await newAccount(service), String(token))]) {
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: GONE });
    }
  });

  it('has a link once it is opened, which describes the program to visitors', async () => {
    const made = await ownedProgram(service);
    const { status, body } = await update(made, { joining: 'on_approval' });
    expect(status).toBe(200);
    expect(body.data.join_url).toMatch(/^https:\/\/track\.test\/invite#svc_join_[0-9a-f]{32}$/);
    const facts = {
      role: 'partner',
      email: null,
      open_link: true,
      workspace: 'Acme',
      name: null,
      programs: ['Acme'],
      offers: [
        {
          program_id: made.program.id,
          name: 'Acme',
          domain: 'acme.test',
          commission: '20% per sale',
          earnings: ['20% of each sale, not of renewals', 'Tax and shipping do not count'],
          commission_type: 'percent',
          commission_rate: 20,
          commission_base: 'net',
          attribution: 'first',
          currency: 'USD',
          recurring_months: null,
          cookie_window_days: 60,
          hold_days: 30,
          brand_color: null,
          logo_url: null,
          questions: [],
          agreement: null,
        },
      ],
      expires_at: null,
    };
    expect((await lookUp(tokenIn(body.data.join_url))).body).toEqual({
      data: { status: 'open', needs_approval: true, ...facts },
    });
    await update(made, { joining: 'open' });
    expect((await lookUp(tokenIn(body.data.join_url))).body.data.needs_approval).toBe(false);
  });

  it('with approval required, creates an application that earns and sees nothing until it is approved', async () => {
    const made = await joinable('on_approval');
    const account = await newAccount(service);
    expect(await join(account, made.token)).toMatchObject({
      status: 200,
      body: { data: { role: 'partner', advertiser_id: made.workspaceId, status: 'applied' } },
    });
    const [partner, ...others] = await partnersOf(made, '?status=applied');
    expect(partner).toMatchObject({ name: 'Robin', email: account.email, status: 'applied', has_account: true });
    expect(others).toEqual([]);

    const ownLinks = () => service.call('GET', manage(made, '/links'), { key: account.token });
    expect((await ownLinks()).status).toBe(404);
    expect(await programOf(account, made)).toMatchObject({ status: 'applied' });
    expect((await service.call('GET', '/api/v1/manage/programs', { key: account.token })).body.data).toEqual([]);

    expect((await setStatus(made, partner.id, 'active')).body.data).toMatchObject({ status: 'active' });
    expect((await ownLinks()).status).toBe(200);
    expect(await programOf(account, made)).toMatchObject({ status: 'active', partner_id: partner.id });
  });

  it('when it is open, creates a partner immediately', async () => {
    const made = await joinable('open');
    const account = await newAccount(service);
    expect((await join(account, made.token)).body.data.status).toBe('active');
    expect((await service.call('GET', manage(made, '/links'), { key: account.token })).status).toBe(200);
  });

  it('repeated, even concurrently, creates one partner and returns the status of the application', async () => {
    const made = await joinable('on_approval');
    const account = await newAccount(service);
    const answers = await Promise.all(Array.from({ length: 5 }, () => join(account, made.token)));
    expect(answers.map(({ status, body }) => [status, body.data.status])).toEqual(Array(5).fill([200, 'applied']));
    const [partner, ...others] = await partnersOf(made, '?status=applied');
    expect(others).toEqual([]);
    await setStatus(made, partner.id, 'active');
    expect((await join(account, made.token)).body.data.status).toBe('active');
  });

  it('makes the account the same partner in another program of the brand', async () => {
    const made = await joinable('open');
    const sister = await joinable('open', { workspaceId: made.workspaceId });
    const account = await newAccount(service);
    await join(account, made.token);
    await join(account, sister.token);
    expect((await programOf(account, sister)).partner_id).toBe((await programOf(account, made)).partner_id);
  });

  it('is refused with 409 if the brand already has a partner with that e-mail address', async () => {
    const made = await joinable('open');
    const account = await newAccount(service);
    const body = { name: 'Joan', email: account.email.toUpperCase() };
    await service.call('POST', manage(made, '/partners'), { key: made.owner.token, body });
    const answer = await join(account, made.token);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 409,
      body: conflict(
        'The brand has already added a partner with your email address. Ask for a personal invitation link.',
      ),
    });
    expect(await programOf(account, made)).toBeUndefined();
    expect(await partnersOf(made)).toContainEqual(expect.objectContaining({ name: 'Joan', has_account: false }));
  });

  it.each(['blocked', 'removed'])('is refused with 409 to a partner who is %s', async (status) => {
    const made = await joinable('open');
    const account = await newAccount(service);
    await join(account, made.token);
    await setStatus(made, (await programOf(account, made)).partner_id, status);
    const answer = await join(account, made.token);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 409,
      body: conflict('You were removed from this program. Contact the brand if this is a mistake.'),
    });
    expect(await programOf(account, made)).toMatchObject({ status });
  });

  it('needs an account: 401 without one', async () => {
    const { token } = await joinable('open');
    expect((await service.call('POST', '/api/v1/manage/invitations/accept', { body: { token } })).status).toBe(401);
  });

  it('does not prove an address: 409 when the brand adds it, until it has approved the partner who joined with it', async () => {
    const made = await joinable('on_approval');
    const sister = await ownedProgram(service, { workspaceId: made.workspaceId });
    const account = await newAccount(service);
    await join(account, made.token);
    const body = { name: 'Robin', email: account.email };
    const add = (to: OwnedProgram) => service.call('POST', manage(to, '/partners'), { key: made.owner.token, body });
    const message = 'A partner with this email has applied through the join link. Approve them under Partners.';
    for (const to of [made, sister]) {
      const answer = await add(to);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 409, body: conflict(message) });
    }
    expect(await programOf(account, made)).toMatchObject({ status: 'applied' });
    expect(await programOf(account, sister)).toBeUndefined();
    await setStatus(made, (await programOf(account, made)).partner_id, 'active');
    expect((await add(sister)).status).toBe(201);
    expect(await programOf(account, sister)).toMatchObject({ status: 'active' });
  });

  it('hands a partner over to the account that an owner invites instead', async () => {
    const made = await joinable('on_approval');
    const [squatter, real] = [await newAccount(service), await newAccount(service)];
    await join(squatter, made.token);
    const { partner_id: id } = await programOf(squatter, made);
    const { data } = (
      await service.call('POST', manage(made, `/partners/${id}/invitation`), {
        key: made.owner.token,
        body: { replace_account: true, email: real.email },
      })
    ).body;
    expect((await join(real, tokenIn(data.invite_url))).body.data.status).toBe('active');
    expect(await programOf(real, made)).toMatchObject({ status: 'active', partner_id: id });
    expect(await programOf(squatter, made)).toBeUndefined();
  });

  it('is refused with 409 to an address that the service reserves for test partners', async () => {
    const made = await joinable('open');
    const account = await newAccount(service);
    const address = `test-partner+${made.program.id}@SVC.invalid`;
    await service.sql('update users set email = $2 where id = $1', [account.userId, address]);
    expect((await join(account, made.token)).status).toBe(409);
  });
});

describe('POST /api/v1/manage/programs/:id/join-link', () => {
  it('creates a new link; the old one stops immediately, and partners who joined with it stay', async () => {
    const made = await joinable('open');
    const account = await newAccount(service);
    await join(account, made.token);
    const { status, body } = await service.call('POST', manage(made, '/join-link'), {
      key: made.owner.token,
      body: {},
    });
    expect(status).toBe(200);
    expect(tokenIn(body.data.join_url)).not.toBe(made.token);
    expect((await lookUp(made.token)).status).toBe(404);
    expect((await lookUp(tokenIn(body.data.join_url))).status).toBe(200);
    expect(await programOf(account, made)).toMatchObject({ status: 'active' });
  });

  it('the link stops while joining is closed, and works again afterwards', async () => {
    const made = await joinable('open');
    expect((await update(made, { joining: 'closed' })).body.data.join_url).toBeNull();
    expect((await lookUp(made.token)).status).toBe(404);
    await update(made, { joining: 'on_approval' });
    expect((await lookUp(made.token)).status).toBe(200);
  });
});

describe('bad input', () => {
  it('joining must be one of the three: 400', async () => {
    const { status, body } = await update(await ownedProgram(service), { joining: 'maybe' });
    expect([status, body]).toEqual([400, badRequest('joining must be closed, on_approval, open', 'joining')]);
  });

  it('a partner cannot be set to applied: 400', async () => {
    const made = await ownedProgram(service);
    const { status, body } = await setStatus(made, made.partnerId, 'applied');
    expect([status, body]).toEqual([400, badRequest('status must be active, blocked, removed', 'status')]);
  });

  it.each(['svc_join_', `svc_join_${'0'.repeat(32)}`, newId('svc_join')])('%s is not in use: 404', async (token) => {
    expect((await lookUp(token)).body).toEqual(GONE);
  });
});
