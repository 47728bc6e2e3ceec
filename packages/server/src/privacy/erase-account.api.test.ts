import { createHash } from 'node:crypto';
import { maskEmail } from '@svc/contract';
import {
  callback,
  everythingStored,
  idTokenOf,
  manage,
  memberOf,
  newAccount,
  newToken,
  OWN_ORIGIN,
  ownedProgram,
  PASSWORD,
  partnerAccount,
  type SignedUp,
  signIn,
  signUp,
  startedLogin,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { applicationToken, approve, askedForAccess, pageAt } from '@svc/testkit/service/applications.ts';
import { newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { approvedSale } from '@svc/testkit/service/payments/paid.ts';
import { draft, payee, runCall } from '@svc/testkit/service/payments/payees.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { columnsOf, countValues, emptied } from '@svc/testkit/service/text-columns.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { upsertPostback } from '../postbacks/postback-store.ts';
import { eraseAccount } from './erase-account.ts';

const service = useService();

const remove = ({ cookie }: SignedUp, password = PASSWORD) =>
  service.call('POST', '/api/auth/delete-user', {
    body: { password },
    headers: { cookie, origin: OWN_ORIGIN },
    ip: newAddress(),
  });

/** Someone who signed up under a name of their own. */
async function person(): Promise<SignedUp & { name: string }> {
  const name = newId('Joan Vale');
  const account = await signUp(service, `joan@${newId('joan').replaceAll('_', '-')}.test`);
  const headers = { cookie: account.cookie, origin: OWN_ORIGIN };
  await service.call('PATCH', '/api/v1/manage/me', { headers, body: { name } });
  const method = { kind: 'other', text: `IBAN of ${name}`, holder_name: name, holder_kind: 'person', country: 'DE' };
  const set = await service.call('PUT', '/api/v1/manage/me/payout-method', { headers, body: method });
  expect(set.status).toBe(200);
  // As nodes of an earlier release store it.
  await service.sql('update users set payout_details = $2 where id = $1', [account.userId, `IBAN of ${name}`]);
  return { ...account, name };
}

/** Rows in every table that knows an account by its address, or by what follows from it. */
async function leaveTraces({ userId, email }: SignedUp): Promise<void> {
  const now = service.time;
  const hash = createHash('sha256').update(email).digest('hex');
  const mails = `insert into mails (kind, cause, user_id, address, priority, state, due_at, expires_at, created_at, last_error)
    select kind, cause, user_id, address, 0, state, $2, $2, $2, $3
    from json_to_recordset($1::json) as i(kind text, cause text, user_id text, address text, state text)`;
  const rows = [
    { kind: 'weekly_digest', cause: `1 ${userId} true`, user_id: userId, state: 'sent' },
    { kind: 'verify_address', cause: newId('cause'), address: email.toUpperCase(), state: 'waiting' },
    { kind: 'reset_password', cause: `${hash} 1`, state: 'sent' },
  ];
  await service.sql(mails, [JSON.stringify(rows), now, `550 No mailbox`]);
  await service.sql(`insert into undeliverable_addresses values ($1, $2, $3)`, [email, `${email} is unknown`, now]);
  await service.sql(`insert into mail_preferences values ($1, 'weekly_digest', $2)`, [userId, now]);
  await service.sql(`insert into known_devices values ($1, $2, $3)`, [userId, newId('device'), now]);
  await service.sql(
    `insert into address_links (token_hash, user_id, purpose, address, new_address, expires_at, created_at)
     values ($2, $1, 'new', $3, $3, $4, $4)`,
    [userId, newId('hash'), `new-${email}`, now],
  );
  await service.sql(
    `insert into passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up, created_at)
     values ($2, $1, $3, 'key', $2, 0, 'singleDevice', false, $4)`,
    [userId, newId('passkey'), `Key of ${email}`, now],
  );
}

/** A value in every column that holds a way into the account, or what the account did. */
async function leaveCredentials({ userId, email, cookie }: SignedUp): Promise<void> {
  const now = service.time;
  const { program, partnerId } = await service.program();
  await leavePostback(userId, { programId: program.id, partnerId });
  await newAuthenticatorApp(service, userId);
  await newToken(service, userId);
  await applicationToken(service, { userId });
  const { path } = await askedForAccess(service, { scope: 'read' });
  await approve(service, await pageAt(service, path), { userId });
  const state = await startedLogin(service);
  await callback(service, { state, id_token: await idTokenOf(service, userId) });
  await service.sql(`update cli_sessions set device_name = 'Joan’s laptop' where user_id = $1`, [userId]);
  await service.sql(
    `insert into verifications (id, identifier, value, expires_at) values ($1, $1, $2, now() + interval '1 hour')`,
    [newId('verification'), userId],
  );
  await service.sql(
    `update sign_ins set access_token = 'a', refresh_token = 'r', id_token = 'i', scope = 's' where user_id = $1`,
    [userId],
  );
  await service.sql(`update passkeys set transports = 'internal', aaguid = 'guid' where user_id = $1`, [userId]);
  await service.sql(`update users set image = 'https://people.test/joan.png' where id = $1`, [userId]);
  await service.sql(
    `insert into saved_views (program_id, user_id, list, name, query, created_at) values ($1, $2, 'sales', 'Mine', 'q=1', $3)`,
    [program.id, userId, now],
  );
  const mailbox = createHash('sha256')
    .update(email.replace(/\.(?=.*@)/g, ''))
    .digest('hex');
  await service.sql(`insert into mail_counts values ($1, 'reset_password', $2, 1)`, [`address ${mailbox}`, now]);
  const headers = { cookie, origin: OWN_ORIGIN, 'idempotency-key': newId('key') };
  const kept = await service.call('POST', '/api/v1/manage/logout', { headers });
  expect(kept.status).toBe(200);
  await signIn(service, email, 'a wrong password');
}

/** A postback that the person set up and that was called. */
async function leavePostback(userId: string, of: { programId: number; partnerId: number }): Promise<void> {
  const url = 'https://joan.example/?t={transaction_id}';
  const postback = { method: 'GET', url, status: 'active' } as const;
  await upsertPostback(service.ctx.db, { ...of, userId }, postback, service.time);
  await service.sql(
    `insert into postback_calls (postback_id, event, facts, status, called_method, called_url, last_error, created_at)
     select id, 'created', '{}', 'failed', method, url, 'joan.example has no address.', created_at from postbacks
     where user_id = $1`,
    [userId],
  );
}

/** They are deleted with a customer, not with an account. */
const OF_CUSTOMERS = new Set([
  'customer_facets.landing_page',
  'customer_facets.referrer',
  'customer_facets.device',
  'customer_facets.country',
  'customer_facets.utm_source',
  'customer_facets.utm_medium',
  'customer_facets.utm_campaign',
  'customer_facets.sub',
  'customer_facets.cohort',
  'processor_codes.reference',
  'processor_codes.code',
  'processor_identities.reference',
  'processor_subscriptions.subscription_id',
  'processor_subscriptions.first_transaction_id',
]);

const audited = () =>
  service.sql(`select * from audit_events where action = 'account.erased' order by id desc limit 1`);

describe('deleting an account', () => {
  it('needs the password, removes name and address everywhere, and ends the session', async () => {
    const joan = await person();
    await runOperator(service, 'invite', '--email', joan.email, '--role', 'owner');
    await leaveTraces(joan);
    expect((await signIn(service, joan.email, 'a wrong password')).status).toBe(401);
    expect((await remove(joan, 'another password')).status).toBe(400);
    expect((await remove(joan, '')).status).toBe(400);
    expect((await remove(joan)).status).toBe(200);
    const stored = await everythingStored(service);
    const hash = createHash('sha256').update(joan.email).digest('hex');
    const traces = [joan.email, joan.email.toUpperCase(), joan.name, maskEmail(joan.email), hash.slice(0, 32)];
    expect(traces.filter((trace) => stored.includes(trace))).toEqual([]);
    expect(await audited()).toMatchObject([
      { actor_kind: 'person', user_id: joan.userId, actor_name: null, subject_name: null },
    ]);
    expect((await signIn(service, joan.email)).status).toBe(401);
    const me = await service.call('GET', '/api/v1/manage/me', { headers: { cookie: joan.cookie } });
    expect(me.status).toBe(401);
  });

  it('deletes what it has in every column of the list of erasures that says so', async () => {
    const joan = await person();
    await leaveTraces(joan);
    await leaveCredentials(joan);
    const columns = columnsOf('deleted').filter((name) => !OF_CUSTOMERS.has(name));
    const before = await countValues(service, columns);
    expect((await remove(joan)).status).toBe(200);
    const after = await countValues(service, columns);
    expect(columns.filter((name) => !emptied(before, after).includes(name))).toEqual([]);
  });

  it('leaves nothing of where payouts went, also if someone else is the partner by now', async () => {
    const made = await ownedProgram(service);
    const joan = await payee(service, made);
    await approvedSale(service, joan);
    const run = await draft(service, made);
    await partnerAccount(service, joan.partnerId);
    expect(await eraseAccount(service.ctx, joan.account.userId, OPERATOR)).toBe(true);
    const { payouts } = (await runCall(service, made, 'GET', `/${run.id}`)).body.data;
    expect(payouts).toMatchObject([{ partner_id: joan.partnerId, method: { kind: 'paypal', masked: '' } }]);
  });

  it('is refused for the only owner of a workspace with programs or others, until someone else is an owner', async () => {
    const joan = await person();
    const headers = { cookie: joan.cookie, origin: OWN_ORIGIN };
    const { body } = await service.call('GET', '/api/v1/manage/me', { headers });
    await service.program({ workspaceId: body.data.advertiser_id });
    const refused = await remove(joan);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message:
          'The account is the only owner of a workspace with programs or other members. Make someone else an owner first.',
      },
    });
    await memberOf(service, body.data.advertiser_id);
    expect((await remove(joan)).status).toBe(200);
    const [workspace] = await service.sql('select name from advertisers where id = $1', [body.data.advertiser_id]);
    expect(workspace?.name).not.toBe(joan.name);
  });

  it('leaves nothing of the name of a partner who joined by the join link, not even in their first link', async () => {
    const spellings = async () => (await everythingStored(service)).match(/joan[^a-z]{0,3}vale/gi)?.length ?? 0;
    const before = await spellings();
    const made = await ownedProgram(service);
    const opened = await service.call('PATCH', manage(made), { key: made.owner.token, body: { joining: 'open' } });
    const joan = await person();
    const headers = { cookie: joan.cookie, origin: OWN_ORIGIN };
    const token = new URL(opened.body.data.join_url).hash.slice(1);
    const joined = await service.call('POST', '/api/v1/manage/invitations/accept', { headers, body: { token } });
    expect(joined.status).toBe(200);
    const link = `select l.short_link as link from links l join partners p on p.id = l.partner_id where p.user_id = $1`;
    const [{ link: first } = { link: '' }] = await service.sql<{ link: string }>(link, [joan.userId]);
    await service.clickId(first);
    expect(await spellings()).toBeGreaterThan(before);
    expect((await remove(joan)).status).toBe(200);
    expect(await spellings()).toBe(before);
    // The link stays in addresses that visitors opened.
    expect(first).toMatch(/^[0-9a-f]{12}$/);
  });

  it('keeps what a partner earned, under another name', async () => {
    const made = await service.program();
    const { email, userId } = await partnerAccount(service, made.partnerId);
    await service.sql('update partners set name = $2, email = $3 where id = $1', [made.partnerId, 'Joan Vale', email]);
    await sold(service, made);
    // What tells the brand the name of its partner, and was not sent yet.
    await service.sql(
      `insert into mails (kind, cause, priority, due_at, expires_at, created_at) values ('first_sale', $1, 1, $2, $2, $2)`,
      [`${made.program.id} ${made.partnerId} brand owner`, service.time],
    );
    const reply = await runOperator(service, 'erase-account', '--email', email);
    expect(reply).toMatchObject({ ok: true, data: { user_id: userId, erased: true } });
    expect(await everythingStored(service)).not.toContain(email);
    expect(await service.sql(`select 1 from mails where kind = 'first_sale'`)).toEqual([]);
    const [row] = await service.sql(
      `select p.name, m.status, (select sum(commission_cents) from commissions where partner_id = p.id)::bigint as cents
       from partners p join memberships m on m.partner_id = p.id where p.id = $1`,
      [made.partnerId],
    );
    expect(row).toEqual({ name: 'Deleted partner', status: 'removed', cents: 2_000 });
    expect(await audited()).toMatchObject([{ actor_kind: 'operator', subject_id: userId }]);
    expect(await runOperator(service, 'erase-account', '--email', email)).toMatchObject({ ok: false });
  });
});

it('exports everything about an account, without passwords and tokens', async () => {
  const joan = await person();
  await leaveTraces(joan);
  const { status, body } = await service.call('GET', '/api/v1/manage/me/export', { headers: { cookie: joan.cookie } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ account: { id: joan.userId, email: joan.email, name: joan.name } });
  expect(body.data.sessions).toHaveLength(1);
  expect(body.data.sign_ins).toMatchObject([{ provider: 'credential' }]);
  expect(body.data.passkeys).toMatchObject([{ name: `Key of ${joan.email}` }]);
  expect(body.data.known_devices.length).toBeGreaterThan(0);
  expect(body.data.unwanted_mail).toMatchObject([{ kind: 'weekly_digest' }]);
  expect(body.data.activity.length).toBeGreaterThan(0);
  expect(JSON.stringify(body)).not.toMatch(/"(token|password|token_hash)":/);
});

it('list-accounts shows accounts by address, with their rights', async () => {
  const joan = await person();
  const outsider = await newAccount(service, `${newId('a')}@aaa.test`);
  const { data, text } = (await runOperator(service, 'list-accounts')) as {
    data: { accounts: object[] };
    text: string;
  };
  expect(text).toMatch(new RegExp(`^${outsider.email}: no workspace$`, 'm'));
  expect(text).toMatch(new RegExp(`^${joan.email}: owner of workspace \\d+$`, 'm'));
  expect(data.accounts).toContainEqual(
    expect.objectContaining({ user_id: joan.userId, role: 'owner', suspended: false }),
  );
});
