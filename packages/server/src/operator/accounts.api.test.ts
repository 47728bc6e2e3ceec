import {
  cookiesOf,
  newAccount,
  newOwner,
  OWN_ORIGIN,
  PASSWORD,
  requestSignUp,
  resetPassword,
  signIn,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { newPasskey } from '@svc/testkit/service/routes/requests/account.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService({ SVC_SIGNUP: 'closed' });

type Data = Record<string, string & number>;
async function run(name: string, ...args: string[]): Promise<{ data: Data; text: string }> {
  const reply = await runOperator(service, name, ...args);
  expect(reply).toMatchObject({ ok: true });
  return reply as never;
}
const refusal = async (name: string, ...args: string[]) => {
  const reply = await runOperator(service, name, ...args);
  expect(reply.ok).toBe(false);
  return reply.text;
};
const newEmail = () => `${newId('person')}@people.test`;
const me = async (cookie: string) =>
  (await service.call('GET', '/api/v1/manage/me', { headers: { cookie } })).body.data;

/** Creates an account with the invitation, as the invitation page does, and accepts it. */
async function join(inviteUrl: string, email: string) {
  const token = new URL(inviteUrl).hash.slice(1);
  const answer = await service.call('POST', '/api/auth/sign-up/email', {
    body: { name: 'New', email, password: PASSWORD },
    headers: { 'x-svc-invitation': token },
    ip: newAddress(),
  });
  const cookie = cookiesOf(answer);
  const headers = { cookie, origin: OWN_ORIGIN };
  const accepted = await service.call('POST', '/api/v1/manage/invitations/accept', { headers, body: { token } });
  return { cookie, signedUp: answer.status, accepted: accepted.status };
}

describe('create-account', () => {
  it('creates the first account while sign-up is closed: its password, shown once, signs in as owner', async () => {
    const email = newEmail();
    const { data, text } = await run('create-account', '--email', email.toUpperCase(), '--name', 'Robin');
    expect(data).toEqual({
      user_id: expect.any(String),
      email,
      workspace_id: expect.any(Number),
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect(text).toContain(data.password);
    const answer = await signIn(service, email, data.password);
    expect(answer.status).toBe(200);
    expect(await me(cookiesOf(answer))).toMatchObject({
      user: { name: 'Robin', email },
      advertiser_id: data.workspace_id,
      role: 'owner',
    });
    expect(JSON.stringify(await service.sql('select * from sign_ins'))).not.toContain(data.password);
  });

  it('uses the address as the name, and refuses an invalid account', async () => {
    const email = newEmail();
    await run('create-account', '--email', email);
    expect(await service.sql('select name from users where email = $1', [email])).toEqual([{ name: email }]);
    expect(await refusal('create-account', '--email', email)).toBe(
      `There is already an account with the email address ${email}. For a new password: svc-server reset-password --email ${email}`,
    );
    expect(await refusal('create-account', '--email', 'nobody')).toBe('--email must be an email address');
    expect(await refusal('create-account', '--email', newEmail(), '--name', ' ')).toBe(
      '--name must be 1 to 255 characters',
    );
  });
});

describe('invite', () => {
  it('invites the owner of a new workspace while sign-up is closed', async () => {
    const email = newEmail();
    const { data, text } = await run('invite', '--email', email, '--role', 'owner');
    expect(data).toMatchObject({ email, role: 'owner', workspace_id: expect.any(Number) });
    expect(text).toContain(data.invite_url);
    const { cookie, signedUp, accepted } = await join(String(data.invite_url), email);
    expect({ signedUp, accepted }).toEqual({ signedUp: 200, accepted: 200 });
    expect(await me(cookie)).toMatchObject({ advertiser_id: data.workspace_id, role: 'owner' });
  });

  it('invites a member of an existing workspace, bound to the address', async () => {
    const { workspaceId } = await newOwner(service);
    const email = newEmail();
    const { data } = await run('invite', '--email', email, '--role', 'member', '--workspace', String(workspaceId));
    expect((await join(String(data.invite_url), newEmail())).signedUp).toBe(400);
    const { cookie } = await join(String(data.invite_url), email);
    expect(await me(cookie)).toMatchObject({ advertiser_id: workspaceId, role: 'member' });
  });

  it('reports what is wrong', async () => {
    const email = ['--email', newEmail()];
    expect(await refusal('invite', '--email', 'nobody', '--role', 'owner')).toBe('--email must be an email address');
    expect(await refusal('invite', ...email, '--role', 'partner')).toBe(
      '--role must be owner, admin, finance or viewer',
    );
    expect(await refusal('invite', ...email, '--role', 'member')).toMatch(/^--workspace is required for this role/);
    expect(await refusal('invite', ...email, '--role', 'member', '--workspace', '999999')).toBe(
      'There is no workspace 999999. To see those of all accounts: svc-server list-accounts',
    );
  });
});

it('setup prints an invitation that makes the first account to accept it the owner of the program', async () => {
  const { data, text } = await run('setup');
  expect(text).toContain(data.owner_invite_url);
  const { cookie, accepted } = await join(String(data.owner_invite_url), newEmail());
  expect(accepted).toBe(200);
  const programs = await service.call('GET', '/api/v1/manage/programs', { headers: { cookie } });
  expect(programs.body.data).toMatchObject([{ id: data.program_id, role: 'owner' }]);
  const stranger = await newAccount(service);
  const again = { token: new URL(String(data.owner_invite_url)).hash.slice(1) };
  const answer = await service.call('POST', '/api/v1/manage/invitations/accept', { key: stranger.token, body: again });
  expect(answer.status).toBe(404);
});

it('setup with --owner-email binds the invitation to that address', async () => {
  const email = newEmail();
  const { data } = await run('setup', '--owner-email', email, '--partner-email', newEmail());
  expect((await join(String(data.owner_invite_url), newEmail())).signedUp).toBe(400);
  expect((await join(String(data.owner_invite_url), email)).accepted).toBe(200);
  expect(await refusal('setup', '--owner-email', 'nobody')).toBe('--owner-email must be an email address');
});

it('says what to do about an address that nobody has', async () => {
  for (const command of ['reset-password', 'suspend-account', 'restore-account', 'remove-second-factors']) {
    expect(await refusal(command, '--email', 'nobody@people.test')).toBe(
      'There is no account with the email address nobody@people.test. To see all: svc-server list-accounts',
    );
  }
});

it('reset-password prints a link that replaces the password, once, and ends the sessions', async () => {
  const created = await run('create-account', '--email', newEmail());
  const email = String(created.data.email);
  const cookie = cookiesOf(await signIn(service, email, String(created.data.password)));
  await run('suspend-account', '--email', email);
  expect(await refusal('reset-password', '--email', email)).toBe(
    `The account ${email} is suspended. Restore it first: svc-server restore --email ${email}`,
  );
  await run('restore', '--email', email);
  const { data, text } = await run('reset-password', '--email', email);
  expect(text).toContain(data.reset_url);
  const token = new URL(String(data.reset_url)).hash.slice(1);
  expect((await resetPassword(service, token, 'a long new password')).status).toBe(200);
  expect((await resetPassword(service, token, 'another new password')).status).toBe(400);
  expect(await me(cookie)).toBeNull();
  expect((await signIn(service, email, String(created.data.password))).status).toBe(401);
  expect((await signIn(service, email, 'a long new password')).status).toBe(200);
  expect((await requestSignUp(service)).status).toBe(400);
});

it('remove-second-factors lets someone who has lost theirs sign in with the password alone', async () => {
  const created = await run('create-account', '--email', newEmail());
  const email = String(created.data.email);
  const password = String(created.data.password);
  await newPasskey(service, String(created.data.user_id));
  expect((await signIn(service, email, password)).body.twoFactorRedirect).toBe(true);
  const { data, text } = await run('remove-second-factors', '--email', email);
  expect({ data, text }).toEqual({
    data: { user_id: created.data.user_id, removed: 1 },
    text: `Removed 1 second factor of ${email}.`,
  });
  expect((await signIn(service, email, password)).body.user.email).toBe(email);
  const [event] = await service.sql(
    'select action, actor_kind, before from audit_events where subject_id = $1 order by id desc limit 1',
    [created.data.user_id],
  );
  expect(event).toEqual({
    action: 'account.second_factors_removed',
    actor_kind: 'operator',
    before: { removed: 1 },
  });
});
