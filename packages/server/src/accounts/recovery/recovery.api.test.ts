import {
  cookiesOf,
  everythingStored,
  manage,
  newAccount,
  newEmail,
  newOwner,
  newToken,
  OWN_ORIGIN,
  ownedProgram,
  resetPassword,
  type SignedUp,
  signIn,
  signUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { linkIn, tokenIn, useMailingService } from '@svc/testkit/service/mailbox.ts';
import { giveMethod } from '@svc/testkit/service/payout-methods.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const { service, mailbox } = useMailingService();

const NEW_PASSWORD = 'another long password';
const auth = (path: string, body: object) =>
  service.call('POST', `/api/auth${path}`, { body, ip: newAddress(), headers: { origin: OWN_ORIGIN } });
const ask = (email: string) => auth('/request-password-reset', { email });
const reset = (token: string, newPassword = NEW_PASSWORD) => resetPassword(service, token, newPassword);
const me = async (key: string) => (await service.call('GET', '/api/v1/manage/me', { key })).body.data;

/** Someone who signed up with an address that nobody has confirmed. */
async function newcomer(): Promise<SignedUp & { key: string; verification: string }> {
  const person = await signUp(service);
  const verification = tokenIn(await mailbox.next(person.email));
  return { ...person, key: await newToken(service, person.userId), verification };
}

async function resetToken(email: string): Promise<string> {
  service.advance({ seconds: 301 });
  expect((await ask(email)).status).toBe(200);
  return tokenIn(await mailbox.next(email, ({ subject }) => subject === 'Reset your password'));
}

describe('a forgotten password', () => {
  it('is replaced with a mailed link, once; sessions and tokens end, and the address is proven', async () => {
    const person = await newcomer();
    const earlier = await resetToken(person.email);
    const token = await resetToken(person.email);
    expect(await everythingStored(service)).not.toContain(token);
    expect((await reset(token)).status).toBe(200);
    for (const used of [token, earlier]) expect((await reset(used, 'a third long password')).status).toBe(400);
    expect((await signIn(service, person.email)).status).toBe(401);
    const again = await signIn(service, person.email, NEW_PASSWORD);
    expect(again.status).toBe(200);
    const session = await service.call('GET', '/api/auth/get-session', { headers: { cookie: person.cookie } });
    expect(session.body).toBeNull();
    expect((await service.call('GET', '/api/v1/manage/me', { key: person.key })).status).toBe(401);
    const own = await service.call('GET', '/api/v1/manage/me', { headers: { cookie: cookiesOf(again) } });
    expect(own.body.data.user).toMatchObject({ email: person.email, email_verified: true });
  });

  it('clears what a stranger left in an account whose address nobody had proven', async () => {
    const person = await newcomer();
    await giveMethod(service, person.userId);
    await service.sql(`update users set payout_details = 'IBAN of a stranger' where id = $1`, [person.userId]);
    await reset(await resetToken(person.email));
    const [row] = await service.sql('select payout_details as details from users where id = $1', [person.userId]);
    expect(row).toEqual({ details: null });
    const methods = 'select details_sealed as details, replaced_at as at from payout_methods where user_id = $1';
    expect(await service.sql(methods, [person.userId])).toEqual([{ details: null, at: service.time }]);
  });

  it('ends invitations to the team and hand-overs then, and leaves those of partners', async () => {
    const person = await newcomer();
    const [workspace] = await service.sql<{ id: number }>(
      'select advertiser_id as id from workspace_members where user_id = $1',
      [person.userId],
    );
    const { program } = await service.program({ workspaceId: workspace?.id as number });
    const { partnerId } = await service.partner(program);
    await service.sql(
      `insert into invitations (advertiser_id, partner_id, role, email, token_hash, expires_at, created_at, replaces_account, invited_by)
       select $1, case when role = 'partner' then $2::bigint end, role, name || '@people.test', $3 || name, $4, $4, replaces, $3
       from (values ('owner', 'friend', false), ('partner', 'jane', false), ('partner', 'thief', true)) i (role, name, replaces)`,
      [workspace?.id, partnerId, person.userId, new Date(service.time.getTime() + 86_400_000)],
    );
    const open = () => service.sql('select email from invitations where invited_by = $1', [person.userId]);
    expect(await open()).toHaveLength(3);
    await reset(await resetToken(person.email));
    expect(await open()).toEqual([{ email: 'jane@people.test' }]);
  });

  it('stays when the link is unknown, has expired or the new password is too short', async () => {
    const person = await newcomer();
    const token = await resetToken(person.email);
    expect((await reset(token, 'short')).status).toBe(400);
    expect((await reset('x'.repeat(32))).status).toBe(400);
    await service.sql(`update verifications set expires_at = now() - interval '1 second' where value = $1`, [
      person.userId,
    ]);
    expect((await reset(token)).status).toBe(400);
    expect((await signIn(service, person.email)).status).toBe(200);
  });

  it('gets one mail in five minutes, and no mail while the account is suspended', async () => {
    const person = await newcomer();
    service.advance({ seconds: 301 });
    await ask(person.email);
    await ask(person.email);
    await mailbox.next(person.email);
    await service.sql('update users set suspended_at = now() where id = $1', [person.userId]);
    service.advance({ seconds: 301 });
    await ask(person.email);
    const skipped = `select 1 from mails where kind = 'reset_password' and state = 'skipped'`;
    await expect.poll(() => service.sql(skipped)).toHaveLength(1);
    expect(mailbox.mails.filter(({ to }) => to === person.email)).toEqual([]);
  });

  it('is replaced with a link of the operator, who vouches for the address', async () => {
    const person = await newcomer();
    await giveMethod(service, person.userId);
    const reply = await runOperator(service, 'reset-password', '--email', person.email);
    if (!reply.ok) throw new Error(reply.text);
    const { reset_url: url } = reply.data as { reset_url: string };
    expect(url).toMatch(/^https:\/\/track\.test\/app\/reset-password#[\w-]{32}$/);
    expect(reply.text).toContain(url);
    const token = new URL(url).hash.slice(1);
    expect((await reset(token)).status).toBe(200);
    expect((await reset(token)).status).toBe(400);
    expect((await signIn(service, person.email, NEW_PASSWORD)).status).toBe(200);
    const methods = 'select masked, replaced_at as at from payout_methods where user_id = $1';
    expect(await service.sql(methods, [person.userId])).toEqual([{ masked: 'DE****3000', at: null }]);
  });
});

describe('an address', () => {
  const confirm = (key: string, token: string) =>
    service.call('POST', '/api/v1/manage/me/email/confirm', { key, body: { token } });
  const change = (key: string, email: string) =>
    service.call('POST', '/api/v1/manage/me/email', { key, body: { email } });

  it('is proven by its account with the mailed link, once', async () => {
    const person = await newcomer();
    expect((await me(person.key)).user.email_verified).toBe(false);
    const stranger = await newAccount(service);
    const foreign = await confirm(stranger.token, person.verification);
    expect([foreign.status, foreign.body.error.message]).toEqual([
      404,
      expect.stringContaining('belongs to another account'),
    ]);
    expect((await confirm(person.key, person.verification)).body).toEqual({ data: { status: 'verified' } });
    const used = await confirm(person.key, person.verification);
    expect([used.status, used.body.error.message]).toEqual([409, expect.stringContaining('already used')]);
    expect((await me(person.key)).user.email_verified).toBe(true);
  });

  it('is not proven with an expired link, or one that a newer link replaced', async () => {
    const person = await newcomer();
    await service.call('POST', '/api/v1/manage/me/email/verification', { key: person.key });
    const newer = tokenIn(await mailbox.next(person.email));
    expect((await confirm(person.key, person.verification)).status).toBe(404);
    service.advance({ days: 1 });
    const expired = await confirm(person.key, newer);
    expect([expired.status, expired.body.error.message]).toEqual([404, expect.stringContaining('Ask for a new one')]);
  });

  it('gets at most five links a day, because it may be the address of someone else', async () => {
    const person = await newcomer();
    const ask = () => service.call('POST', '/api/v1/manage/me/email/verification', { key: person.key });
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await ask()).status);
    expect(statuses).toEqual([...Array(4).fill(200), 429, 429]);
    for (let count = 0; count < 4; count += 1) await mailbox.next(person.email);
    service.advance({ days: 1 });
    expect((await ask()).status).toBe(200);
    await mailbox.next(person.email);
  });

  it('changes when the old and the new one have confirmed it, in any order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const account = await newAccount(service);
      const address = `${newId('new')}@people.test`;
      expect((await change(account.token, address.toUpperCase())).status).toBe(200);
      const tokens = [tokenIn(await mailbox.next(account.email)), tokenIn(await mailbox.next(address))];
      expect((await confirm(account.token, tokens[order[0]] ?? '')).body.data.status).toBe('waiting');
      expect((await me(account.token)).user.email).toBe(account.email);
      expect((await confirm(account.token, tokens[order[1]] ?? '')).body.data.status).toBe('changed');
      expect((await me(account.token)).user).toMatchObject({ email: address, email_verified: true });
    }
  });

  it('that was mistyped changes with a confirmation at the new one', async () => {
    const person = await newcomer();
    const address = `${newId('right')}@people.test`;
    await change(person.key, address);
    expect((await confirm(person.key, tokenIn(await mailbox.next(address)))).body.data.status).toBe('changed');
    expect((await signIn(service, address)).status).toBe(200);
    expect((await confirm(person.key, person.verification)).status).toBe(404);
  });

  it('of another account is never mailed, and no answer tells; nor does it become free without its confirmation', async () => {
    const [account, other] = [await newAccount(service), await newAccount(service)];
    const answers = [];
    for (const address of [newEmail(), other.email]) {
      const started = await change(account.token, address);
      const confirmed = () => mailbox.next(account.email).then((mail) => confirm(account.token, tokenIn(mail)));
      answers.push([started.status, started.text, (await confirmed()).text]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(mailbox.mails.filter(({ to }) => to === other.email)).toEqual([]);
    expect((await change(account.token, account.email)).status).toBe(400);

    await change(account.token, other.email);
    await service.sql('update users set email = $2 where id = $1', [other.userId, newEmail()]);
    const late = await confirm(account.token, tokenIn(await mailbox.next(account.email)));
    expect(late.body.data.status).toBe('waiting');
    expect((await me(account.token)).user.email).toBe(account.email);
  });

  it('that is proven after a change was asked for has to confirm it too', async () => {
    const person = await newcomer();
    const address = newEmail();
    await change(person.key, address);
    const changing = tokenIn(await mailbox.next(address));
    await confirm(person.key, person.verification);
    expect((await confirm(person.key, changing)).body.data.status).toBe('waiting');
    expect((await me(person.key)).user.email).toBe(person.email);
    const asked = tokenIn(await mailbox.next(person.email));
    expect((await confirm(person.key, asked)).body.data.status).toBe('changed');
  });

  it('that has changed gets no say anymore: links for a new password that it was sent are void', async () => {
    const person = await newcomer();
    const sent = await resetToken(person.email);
    const address = newEmail();
    await change(person.key, address);
    expect((await confirm(person.key, tokenIn(await mailbox.next(address)))).body.data.status).toBe('changed');
    expect((await reset(sent)).status).toBe(400);
  });

  it('that someone took meanwhile is refused', async () => {
    const account = await newAccount(service);
    const address = `${newId('new')}@people.test`;
    await change(account.token, address);
    await confirm(account.token, tokenIn(await mailbox.next(account.email)));
    await newAccount(service, address);
    expect((await confirm(account.token, tokenIn(await mailbox.next(address)))).status).toBe(409);
    expect((await me(account.token)).user.email).toBe(account.email);
  });
});

describe('an invitation', () => {
  const accept = (key: string, token: string) =>
    service.call('POST', '/api/v1/manage/invitations/accept', { key, body: { token } });

  /** Invites the address, and returns the token that the inviter sees and the one that is mailed. */
  async function invite(email: string, body: object = {}): Promise<{ shown: string; mailed: string }> {
    const owner = await newOwner(service);
    const sent = { key: owner.token, body: { email, ...body } };
    const answer = await service.call('POST', '/api/v1/manage/invitations', sent);
    const shown = new URL(answer.body.data.invite_url).hash.slice(1);
    return { shown, mailed: tokenIn(await mailbox.next(email, ({ subject }) => subject === 'Join “Acme”')) };
  }

  it('is not accepted by matching an address that nobody has proven', async () => {
    const person = await newcomer();
    const { shown } = await invite(person.email);
    const refused = await accept(person.key, shown);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('Confirm your email address first'),
    ]);
    await service.call('POST', '/api/v1/manage/me/email/confirm', {
      key: person.key,
      body: { token: person.verification },
    });
    expect((await accept(person.key, shown)).status).toBe(200);
  });

  it('is accepted with the mailed link, which proves the address', async () => {
    const person = await newcomer();
    const { shown, mailed } = await invite(person.email);
    expect((await accept(person.key, `${shown}.${'A'.repeat(43)}`)).status).toBe(403);
    expect((await service.call('POST', '/api/v1/manage/invitations/look-up', { body: { token: mailed } })).status).toBe(
      200,
    );
    expect((await accept(person.key, mailed)).status).toBe(200);
    expect((await me(person.key)).user.email_verified).toBe(true);
  });

  it('with an open link is accepted by anyone, and proves nothing about other addresses', async () => {
    const person = await newcomer();
    const { mailed } = await invite(`${newId('other')}@people.test`, { open_link: true });
    expect((await accept(person.key, mailed)).status).toBe(200);
    expect((await me(person.key)).user.email_verified).toBe(false);
  });

  it('that is issued again is mailed again', async () => {
    const made = await ownedProgram(service);
    const email = `${newId('joan')}@partner.test`;
    const key = made.owner.token;
    const { data } = (await service.call('POST', manage(made, '/partners'), { key, body: { name: 'Joan', email } }))
      .body;
    const first = linkIn(await mailbox.next(email));
    await service.call('POST', manage(made, `/partners/${data.id}/invitation`), { key, body: {} });
    expect(linkIn(await mailbox.next(email))).not.toBe(first);
  });
});
