import {
  cookiesOf,
  manage,
  memberOf,
  newOwner,
  type OwnedProgram,
  ownedProgram,
  requestSignUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { type CallOptions, platformError, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { approveCommissions } from '../../jobs/approve-commissions.ts';

const service = useService();

const AUDIT = '/api/v1/manage/audit';
const log = (key: string, query = '') => service.call('GET', `${AUDIT}${query}`, { key });
const sentences = async (key: string, query = '') =>
  (await log(key, query)).body.data.map(({ sentence }: { sentence: string }) => sentence);
const change = (made: OwnedProgram, method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  service.call(method, manage(made, path), { key: made.owner.token, ...(body && { body }) } as CallOptions);

/** A program whose owner approved, changed and paid something, a minute apart. */
async function busyProgram() {
  const made = await ownedProgram(service);
  const [first, second] = [await sold(service, made), await sold(service, made)];
  const steps = [
    () => change(made, 'PATCH', '', { name: 'Kettle', hold_days: 14 }),
    () => change(made, 'POST', '/commissions/approve', { ids: [first.commissionId, second.commissionId] }),
    () => change(made, 'POST', '/payouts', {}),
    () => change(made, 'PATCH', `/partners/${made.partnerId}`, { status: 'blocked' }),
  ];
  for (const step of steps) {
    service.advance({ seconds: 60 });
    expect((await step()).status).toBeLessThan(300);
  }
  return made;
}

describe('GET /api/v1/manage/audit', () => {
  it('says who changed what, newest first, with what it was before', async () => {
    const made = await busyProgram();
    const { status, body } = await log(made.owner.token);
    expect(status).toBe(200);
    expect(body.data.map(({ sentence }: { sentence: string }) => sentence)).toEqual([
      'Robin (account token) blocked the partner Jane',
      expect.stringMatching(/^Robin \(account token\) created payout \d+$/),
      'Robin (account token) approved 2 commissions',
      'Robin (account token) changed the settings of Kettle: name, hold days',
      'The operator created the program Acme',
    ]);
    expect(body.data[3]).toEqual({
      id: expect.any(Number),
      created_at: expect.any(String),
      sentence: 'Robin (account token) changed the settings of Kettle: name, hold days',
      action: 'program.settings_changed',
      actor_kind: 'token',
      actor_id: expect.stringMatching(/^\d+$/),
      actor_name: 'Robin',
      user_id: made.owner.userId,
      subject: 'program',
      subject_id: String(made.program.id),
      subject_name: 'Kettle',
      program_id: made.program.id,
      program_name: 'Kettle',
      before: { name: 'Acme', hold_days: 30 },
      after: { name: 'Kettle', hold_days: 14 },
      request_id: expect.any(String),
    });
    expect(body.meta).toEqual({ next_cursor: null, limit: 25 });
  });

  it('filters by program, person, kind of actor, action, subject and time, page by page', async () => {
    const made = await busyProgram();
    const key = made.owner.token;
    const other = await service.program({ workspaceId: made.workspaceId });
    const admin = await memberOf(service, made.workspaceId, 'member');
    await service.call('PATCH', manage(other), { key: admin.token, body: { name: 'Grain' } });
    expect(await sentences(key, `?program_id=${other.program.id}`)).toHaveLength(2);
    expect(await sentences(key, `?user_id=${admin.userId}`)).toEqual([
      'Robin (account token) changed the settings of Grain: name',
    ]);
    expect(await sentences(key, '?actor_kind=operator')).toEqual([
      'The operator created the program Acme',
      'The operator created the program Acme',
    ]);
    expect(await sentences(key, '?action=commission.approved')).toHaveLength(1);
    expect(await sentences(key, `?subject=partner&subject_id=${made.partnerId}`)).toHaveLength(1);
    const at = new Date(service.time.getTime() - 60_000).toISOString();
    expect(await sentences(key, `?to=${at}`)).toHaveLength(3);
    expect(await sentences(key, `?from=${at}`)).toHaveLength(4);
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await log(key, `?limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(...body.data.map(({ id }: { id: number }) => String(id)));
      cursor = body.meta.next_cursor;
    }
    expect(pages).toHaveLength(7);
    expect(new Set(pages).size).toBe(7);
    expect(await log(key, '?action=nothing')).toMatchObject({ status: 400 });
    expect(await log(key, '?subject=partner')).toMatchObject({
      status: 400,
      body: badRequest('Send subject and subject_id together'),
    });
    expect(await log(key, '?cursor=abc')).toMatchObject({
      status: 400,
      body: badRequest('cursor is not valid for this list'),
    });
  });

  it('shows nothing of other workspaces, not even of a program of theirs', async () => {
    const [made, stranger] = [await busyProgram(), await newOwner(service)];
    expect(await sentences(stranger.token)).toEqual([]);
    expect(await sentences(stranger.token, `?program_id=${made.program.id}`)).toEqual([]);
    expect(await sentences(stranger.token, `?user_id=${made.owner.userId}`)).toEqual([]);
  });

  it.each(['finance', 'viewer'] as const)('403 for %s', async (role) => {
    const { workspaceId } = await ownedProgram(service);
    const { token } = await memberOf(service, workspaceId, role);
    const body = platformError(403, 'ForbiddenError', 'Only a workspace owner or admin can do this');
    expect(await log(token)).toMatchObject({ status: 403, body });
  });

  it('is exported as CSV with the same filters', async () => {
    const made = await busyProgram();
    const { text, headers } = await service.call(
      'GET',
      '/api/v1/manage/export/audit.csv?action=partner.status_changed',
      {
        key: made.owner.token,
      },
    );
    expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toBe(
      'id,created_at,sentence,action,actor_kind,actor_id,actor_name,user_id,subject,subject_id,subject_name,program_id,' +
        'program_name,before,after,request_id',
    );
    expect(lines[1]).toContain('Robin (account token) blocked the partner Jane,partner.status_changed,token');
    expect(lines[1]).toContain('"{""status"":""active""}","{""status"":""blocked""}"');
    expect(lines).toHaveLength(2);
  });
});

describe('nothing is in the audit log', () => {
  it('of a change that changes nothing', async () => {
    const made = await busyProgram();
    const { link, partnerId } = await service.partner(made.program);
    const [row] = await service.sql<{ id: number }>('select id from links where short_link = $1', [link]);
    const before = await sentences(made.owner.token, '?limit=100');
    await change(made, 'PATCH', '', { name: 'Kettle', hold_days: 14, recurring_months: null });
    await change(made, 'PATCH', `/partners/${partnerId}`, { status: 'active' });
    await change(made, 'PATCH', `/links/${row?.id}`, { active: true });
    await change(made, 'PATCH', '/join-page', { brand_color: null });
    await change(made, 'DELETE', '/logo');
    await change(made, 'DELETE', `/partners/${partnerId}/invitation`);
    await change(made, 'DELETE', '/processor?provider=stripe');
    await change(made, 'POST', '/payouts', {});
    await change(made, 'PUT', '/status', { status: 'active' });
    const dryRun = { partners: [{ name: 'Joan', email: 'joan@partner.test' }], dry_run: true };
    await change(made, 'POST', '/bulk/partners/invite', dryRun);
    const me = { key: made.owner.token, body: { name: 'Robin' } };
    await service.call('PATCH', '/api/v1/manage/me', me);
    expect(await sentences(made.owner.token, '?limit=100')).toEqual(before);
  });
});

describe('the audit log names whoever changed something', () => {
  it('each partner of a bulk invitation has a row, for the history of the partner', async () => {
    const made = await ownedProgram(service);
    const partners = ['ann', 'bob', 'cleo'].map((name) => ({ name, email: `${name}@partner.test` }));
    await change(made, 'POST', '/bulk/partners/invite', { partners });
    expect(await sentences(made.owner.token, '?action=partner.added')).toEqual(
      ['cleo', 'bob', 'ann'].map((name) => `Robin (account token) added and invited the partner ${name}`),
    );
  });

  it('the service, once per program and run, when holds end', async () => {
    const made = await ownedProgram(service, { holdDays: 1 });
    for (let sale = 0; sale < 3; sale += 1) await sold(service, made);
    service.advance({ days: 2 });
    await approveCommissions.run(service.ctx);
    const { body } = await log(made.owner.token, '?actor_kind=job');
    expect(body.data).toMatchObject([
      {
        sentence: 'The service approved 3 commissions at the end of the hold',
        actor_id: 'approve-commissions',
        after: { count: 3 },
      },
    ]);
  });

  it('a program key, for a test chain', async () => {
    const made = await ownedProgram(service);
    await service.call('POST', '/api/v1/cli/test-event', { key: made.apiKey, body: { type: 'chain' } });
    const [row] = (await log(made.owner.token, '?actor_kind=key')).body.data;
    expect(row.sentence).toMatch(/^The API key svc_key_[\w-]{4}\*{4}[\w-]{4} ran a test of Acme$/);
  });

  it('the operator, for accounts, invitations and keys', async () => {
    const made = await ownedProgram(service);
    const { email } = await memberOf(service, made.workspaceId, 'member');
    await runOperator(service, 'regenerate-key', '--program', String(made.program.id));
    await runOperator(service, 'suspend-account', '--email', email);
    await runOperator(service, 'restore-account', '--email', email);
    await runOperator(service, 'restore-account', '--email', email);
    await runOperator(service, 'reset-password', '--email', email);
    const workspace = ['--workspace', String(made.workspaceId)];
    await runOperator(service, 'invite', '--email', 'mia@brand.test', '--role', 'admin', ...workspace);
    expect(await sentences(made.owner.token, '?actor_kind=operator')).toEqual([
      'The operator invited m***@brand.test to the team as admin',
      'The operator created a link for Robin’s new password',
      'The operator restored Robin’s account',
      'The operator suspended Robin’s account',
      'The operator regenerated the API key of Acme',
      'The operator created the program Acme',
    ]);
  });

  it('a person who signs up and changes their password, with the id of the request', async () => {
    const signedUp = await requestSignUp(service);
    const { id: userId, email } = signedUp.body.user;
    const headers = { cookie: cookiesOf(signedUp), origin: 'https://track.test', 'x-request-id': 'the-request' };
    const body = { currentPassword: 'a long enough password', newPassword: 'another long password' };
    const changed = await service.call('POST', '/api/auth/change-password', { headers, body, ip: newAddress() });
    expect(changed.status).toBe(200);
    const rows = await service.sql(
      'select action, actor_kind, actor_name, request_id, before, after from audit_events where user_id = $1 order by id',
      [userId],
    );
    const person = { actor_kind: 'person', actor_name: 'Robin', before: {}, after: {} };
    expect(rows).toEqual([
      { action: 'account.created', ...person, request_id: expect.any(String) },
      { action: 'account.password_changed', ...person, request_id: 'the-request' },
    ]);
    expect(JSON.stringify(rows)).not.toContain(email);
  });

  it('someone who joins a team, and who leaves another one for it', async () => {
    const [here, there] = [await ownedProgram(service), await ownedProgram(service)];
    const guest = await memberOf(service, here.workspaceId, 'finance');
    const invite = { key: there.owner.token, body: { email: guest.email, role: 'viewer' } };
    const { body } = await service.call('POST', '/api/v1/manage/invitations', invite);
    const token = body.data.invite_url.split('#')[1];
    await service.call('POST', '/api/v1/manage/invitations/accept', { key: guest.token, body: { token } });
    expect((await sentences(there.owner.token))[0]).toBe('Robin (account token) joined the team as viewer');
    expect((await sentences(here.owner.token))[0]).toBe('Robin (account token) left the team for another workspace');
  });
});
