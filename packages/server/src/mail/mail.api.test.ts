import { MAIL_KINDS, type MailKind } from '@svc/contract';
import {
  manage,
  memberOf,
  newAccount,
  type OwnedProgram,
  ownedProgram,
  PASSWORD,
  partnerAccount,
  signIn,
  signUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { linkIn, type ReceivedMail, smtpError, useMailingService } from '@svc/testkit/service/mailbox.ts';
import { setMethod as storeMethod } from '@svc/testkit/service/payments/payees.ts';
import { IBAN_METHOD, setMethod } from '@svc/testkit/service/payout-methods.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { disableFailingWebhooks } from '../jobs/disable-failing-webhooks.ts';
import { preparePayoutRuns } from '../jobs/prepare-payout-runs.ts';
import { queueDigests } from '../jobs/queue-digests.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { insertEvent } from '../payments/events/event-store.ts';
import { processDueEvents } from '../payments/events/process-due-events.ts';
import { claimDueMail } from './mail-store.ts';
import { type MailContent, queueMail } from './queue-mail.ts';

const METRICS_TOKEN = 'a token of the operator';
const { service, mailbox } = useMailingService({ SVC_METRICS_TOKEN: METRICS_TOKEN, SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

/** Every kind that a test below has read. */
const read = new Set<MailKind>();

/** Reads the next mail of a kind to the address, and what all mails have in common. */
async function receive(kind: MailKind, to: string): Promise<ReceivedMail> {
  const arrived = async () => {
    const rows = await service.sql<{ key: string }>('select message_key as key from mails where kind = $1', [kind]);
    const ids = new Set(rows.map(({ key }) => `<${key}@mail.test>`));
    return mailbox.mails.find((each) => each.to === to && ids.has(each.headers['message-id'] ?? ''));
  };
  const next = await eventually(arrived, (found) => found !== undefined);
  const mail = await mailbox.next(to, (each) => each === next);
  expect(mail.headers['message-id']).toMatch(/^<[0-9a-f-]{36}@mail\.test>$/);
  expect(mail.headers['auto-submitted']).toBe('auto-generated');
  expect(mail.text.split('\n').filter((line) => line.length > 78 && !/https?:/.test(line))).toEqual([]);
  expect(mail.html).toContain('<!doctype html>');
  read.add(kind);
  return mail;
}

/** The text without its line breaks. */
const flat = ({ text }: ReceivedMail) => text.replaceAll('\n', ' ');

const post = (path: string, key: string, body: object = {}) => service.call('POST', path, { key, body });

/** A program in its own color, with an account for its partner. */
async function brand(
  name: string,
): Promise<OwnedProgram & { partner: { userId: string; email: string; token: string } }> {
  const made = await ownedProgram(service, { joining: 'on_approval', holdDays: 0 });
  await service.sql(`update programs set name = $2, brand_color = '#0a7d5a' where id = $1`, [made.program.id, name]);
  return { ...made, partner: await partnerAccount(service, made.partnerId) };
}

async function sell(made: OwnedProgram): Promise<void> {
  const key = newId('customer');
  await service.customer(made, key);
  const body = { customer_key: key, transaction_id: newId('tx'), amount_cents: 12_345, currency: 'EUR' };
  expect((await service.sale(body, { key: made.apiKey })).status).toBe(200);
}

describe('mail about a program', () => {
  it('tells the team about an application, and the applicant what became of it', async () => {
    const made = await brand('Grün & Söhne');
    const { body } = await post(manage(made, '/join-link'), made.owner.token);
    const token = new URL(body.data.join_url).hash.slice(1);
    const [first, second] = [await newAccount(service), await newAccount(service)];
    for (const { token: key } of [first, second]) {
      expect((await post('/api/v1/manage/invitations/accept', key, { token })).status).toBe(200);
    }
    const received = await receive('application_received', made.owner.email);
    expect(received.subject).toBe('Robin wants to become a partner of “Grün & Söhne”');
    expect(received.headers.from).toMatch(/^=\?UTF-8\?.*<partners@mail\.test>$/);
    expect(received.html).toContain('#0a7d5a');
    expect(received.html).toContain('Grün &amp; Söhne');
    await mailbox.next(made.owner.email);

    const decide = async (userId: string, status: string) => {
      const [row] = await service.sql<{ id: number }>('select id from partners where user_id = $1', [userId]);
      const path = manage(made, `/partners/${row?.id}`);
      expect((await service.call('PATCH', path, { key: made.owner.token, body: { status } })).status).toBe(200);
    };
    await decide(first.userId, 'active');
    const approved = await receive('application_approved', first.email);
    expect(approved.subject).toBe('You are now a partner of “Grün & Söhne”');
    expect(linkIn(approved)).toBe(`https://track.test/app/portal/${made.program.id}/links`);
    await decide(second.userId, 'removed');
    expect((await receive('application_declined', second.email)).text).toContain('has declined your application');
  });

  it('tells the partner and the owners about the first sale, and about no other one', async () => {
    const made = await brand('Acme');
    await sell(made);
    const own = await receive('first_sale', made.partner.email);
    expect(own.subject).toBe('Your first sale for “Acme”');
    expect(own.text).toContain('€123.45');
    expect((await mailbox.next(made.owner.email)).subject).toBe('Jane made their first sale');
    await sell(made);
    await sell(made);
    const rows = await service.sql(`select 1 from mails where kind = 'first_sale' and program_id = $1`, [
      made.program.id,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('sums up the sales of the week on Monday, once', async () => {
    const made = await brand('Weekly');
    await sell(made);
    await sell(made);
    await Promise.all([mailbox.next(made.partner.email), mailbox.next(made.owner.email)]);
    const vip = await post(manage(made, '/groups'), made.owner.token, { name: 'VIP' });
    const move = { key: made.owner.token, body: { group_id: vip.body.data.id } };
    await service.call('PATCH', manage(made, `/partners/${made.partnerId}`), move);
    // The tests begin on a Tuesday. Digests are queued on the following Monday.
    const tuesday = service.time;
    service.time = new Date('2026-03-16T07:00:00Z');
    await rollUpCounts.run(service.ctx);
    await queueDigests.run(service.ctx);
    await queueDigests.run(service.ctx);
    const digest = await receive('weekly_digest', made.partner.email);
    expect(digest.subject).toBe('2 sales this week: “Weekly”');
    expect(digest.text).toContain('from 9 March 2026 to 15 March 2026');
    expect(digest.text).toMatch(/Sales {12}2\nRevenue {10}€246\.90\nYour commission {2}€49\.38/);
    expect(digest.text).toMatch(/Your new group +VIP/);
    const ofBrand = await mailbox.next(made.owner.email);
    expect(ofBrand.text).toMatch(/Commissions +€49\.38/);
    expect(ofBrand.text).toMatch(/Moved to another group +\S.*: VIP/);
    service.time = tuesday;
    const rows = await service.sql(`select 1 from mails where kind = 'weekly_digest' and program_id = $1`, [
      made.program.id,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('tells those who may approve it that a payout run is ready, and what is in it', async () => {
    const made = await brand('Scheduled');
    await storeMethod(service, made.partner.userId);
    await sell(made);
    await mailbox.next(made.partner.email);
    await mailbox.next(made.owner.email);
    await service.sql(`update commissions set stage = 'approved', approved_at = created_at where program_id = $1`, [
      made.program.id,
    ]);
    await service.call('PUT', manage(made, '/payout-settings'), {
      key: made.owner.token,
      body: { schedule: { day: 11 } },
    });
    const before = service.time;
    service.advance({ days: 31 });
    await preparePayoutRuns.run(service.ctx);
    const mail = await receive('payout_run_ready', made.owner.email);
    expect(mail.subject).toBe('Payout run 1 of “Scheduled” is ready to approve');
    expect(mail.text).toMatch(/1 payout +€24\.69/);
    expect(linkIn(mail)).toMatch(/\/payouts\/runs\/\d+$/);
    service.time = before;
  });

  it('tells the partner when a payout is created, cancelled, paid and failed', async () => {
    const made = await brand('Paying');
    await sell(made);
    await mailbox.next(made.partner.email);
    await service.sql(`update commissions set stage = 'approved' where program_id = $1`, [made.program.id]);
    const payouts = async () => (await post(manage(made, '/payouts'), made.owner.token)).body.data;
    const [first] = await payouts();
    expect((await receive('payout_created', made.partner.email)).subject).toBe(
      '“Paying” is preparing a payout of €24.69',
    );
    await post(manage(made, `/payouts/${first.id}/cancel`), made.owner.token);
    const cancelled = await receive('payout_failed', made.partner.email);
    expect(cancelled.subject).toBe('A payout of €24.69 was cancelled');
    const [second] = await payouts();
    await mailbox.next(made.partner.email);
    await post(manage(made, `/payouts/${second.id}/mark-paid`), made.owner.token, { reference: 'SEPA-7' });
    const paid = await receive('statement_ready', made.partner.email);
    expect(paid.subject).toBe('“Paying” has paid you €24.69');
    expect(paid.text).toContain('Your statement is ready.');
    expect(paid.text).toContain('Reference  SEPA-7');
    expect(paid.raw).not.toMatch(/application\/pdf|Content-Disposition: attachment/i);
    expect(linkIn(paid)).toBe(`https://track.test/app/portal/${made.program.id}/payouts/${second.id}`);
    await post(manage(made, `/payouts/${second.id}/mark-failed`), made.owner.token, {
      reason: 'The account is closed',
    });
    const failed = await mailbox.next(made.partner.email);
    expect(failed.subject).toBe('A payout of €24.69 failed');
    expect(failed.text).toContain('Reason  The account is closed');
  });

  it('tells the partner about a bonus and an adjustment, with the reason', async () => {
    const made = await brand('Generous');
    const adjust = (amount_cents: number, reason: string) =>
      post(manage(made, '/adjustments'), made.owner.token, {
        partner_id: made.partnerId,
        amount_cents,
        currency: 'EUR',
        reason,
      });
    await adjust(5_000, 'Ten sales in a week');
    const bonus = await receive('balance_adjusted', made.partner.email);
    expect(bonus.subject).toBe('“Generous” gave you a bonus of €50.00');
    expect(bonus.text).toContain('Reason  Ten sales in a week');
    await adjust(-1_250, 'Counted twice');
    expect((await mailbox.next(made.partner.email)).subject).toBe('“Generous” adjusted your balance by -€12.50');
  });

  it('brings partners a message of the brand, which one click unsubscribes from', async () => {
    const made = await brand('Chatty');
    const send = () => {
      const texts = { subject: 'News for {name}', text: 'Hello {name},\nour new page: {link}' };
      return post(manage(made, '/bulk-actions/message-partners'), made.owner.token, {
        ...texts,
        ids: [made.partnerId],
      });
    };
    expect((await send()).status).toBe(201);
    const mail = await receive('partner_message', made.partner.email);
    const [{ name } = { name: '' }] = await service.sql<{ name: string }>('select name from partners where id = $1', [
      made.partnerId,
    ]);
    expect(mail.subject).toBe(`News for ${name}`);
    expect(flat(mail)).toContain(`Hello ${name},  our new page: https://${made.program.domain}/?aff=${made.link}`);
    expect(mail.headers.from).toMatch(/^Chatty via Partners <partners@mail\.test>$/);
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const [, link = ''] = /<(.+)>/.exec(mail.headers['list-unsubscribe'] ?? '') ?? [];
    const { pathname, search } = new URL(link);
    const left = await service.call('POST', pathname + search, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(left.body).toEqual({ data: { kind: 'partner_message' } });
    await send();
    await service.ctx.bulkWorker.idle();
    const { body } = await service.call('GET', manage(made, '/messages'), { key: made.owner.token });
    expect(body.data[0].outcomes).toEqual([{ outcome: 'unsubscribed', count: 1 }]);
  });

  it('tells an account that its payout method was added, changed or removed, and that a wait was lifted', async () => {
    const made = await brand('Careful');
    const { email, userId } = made.partner;
    await setMethod(service, made.partner, IBAN_METHOD);
    const added = await receive('payout_method_changed', email);
    expect(added.subject).toBe('Your payout method was added');
    expect(flat(added)).toContain('Brands can pay to it from now on.');
    expect(added.text).toMatch(/Paid to +Bank account \(IBAN\) DE\*\*\*\*3000/);
    expect(linkIn(added)).toBe('https://track.test/app/account/payout-method');
    expect(flat(added)).toContain('If not, reset your password at once, which ends all sessions and tokens.');
    expect(added.headers['list-unsubscribe']).toBeUndefined();
    await setMethod(service, made.partner, { ...IBAN_METHOD, country: 'AT' });
    const changed = await mailbox.next(email);
    expect(changed.subject).toBe('Your payout method was changed');
    const [{ until } = { until: new Date(0) }] = await service.sql<{ until: Date }>(
      'select usable_from as until from payout_methods where user_id = $1 and replaced_at is null',
      [userId],
    );
    const time = until.toISOString().slice(11, 16);
    expect(flat(changed)).toMatch(new RegExp(`brands can’t pay to it before \\d+ \\w+ \\d{4} at ${time} UTC\\.`));

    await newAuthenticatorApp(service, made.owner.userId);
    const lift = manage(made, `/partners/${made.partnerId}/payout-method/lift`);
    expect((await post(lift, made.owner.token, { reason: 'They called' })).status).toBe(200);
    const lifted = await receive('payout_wait_lifted', email);
    expect(lifted.subject).toBe('“Careful” will pay to your new payout method now');
    expect(flat(lifted)).toContain('tell “Careful” at once');
    await service.call('DELETE', '/api/v1/manage/me/payout-method', { key: made.partner.token });
    const removed = await mailbox.next(email);
    expect(removed.subject).toBe('Your payout method was removed');
    for (const { raw } of [added, changed, lifted, removed]) expect(raw).not.toContain('37040044');
  });

  it('tells the partner when their postback is turned off', async () => {
    const made = await brand('Tracked');
    const path = `/api/v1/manage/me/programs/${made.program.id}/postback`;
    const put = (to: string) =>
      service.call('PUT', path, { key: made.partner.token, body: { url: receiver.url(`/${to}`) } });
    receiver.answer('/gone', { status: 410 });
    receiver.answer('/failing', { status: 500 });
    await put('gone');
    await sell(made);
    const first = await receive('postback_disabled', made.partner.email);
    expect(first.subject).toBe('Your postback for “Tracked” was turned off');
    expect(flat(first)).toContain('with status 410, which means that it wants no more of them.');
    await put('failing');
    await service.sql('update postbacks set failing_ms = 5 * 86400000::bigint where program_id = $1', [
      made.program.id,
    ]);
    await sell(made);
    const second = await receive('postback_disabled', made.partner.email);
    expect(flat(second)).toContain(
      'For five days, every call to your server about your commissions at “Tracked” failed.',
    );
    expect(linkIn(second)).toBe(`https://track.test/app/portal/${made.program.id}/postback`);
  });

  it('tells the owners when the key has to be replaced, and when payment events fail for good', async () => {
    const made = await brand('Keyed');
    await memberOf(service, made.workspaceId, 'member');
    const rotateBy = '2026-04-01T09:30:00.000Z';
    await post(manage(made, '/api-key/require-rotation'), made.owner.token, { rotate_by: rotateBy });
    const deadline = await receive('key_deadline', made.owner.email);
    expect(deadline.subject).toBe('Replace the API key of “Keyed” by 1 April 2026');
    expect(flat(deadline)).toContain('It stops working on 1 April 2026 at 09:30 UTC; after that, leads,');
    expect(deadline.headers['list-unsubscribe']).toBeUndefined();

    const event = { provider: 'stripe', eventId: newId('evt'), type: 'invoice.paid', isLive: true } as const;
    const stored = { ...event, programIds: [made.program.id], happenedAt: service.time, payloadSealed: 'not readable' };
    await insertEvent(service.ctx.db, stored, service.time);
    await service.sql('update processor_events set attempts = 9 where program_id = $1', [made.program.id]);
    await processDueEvents(service.ctx);
    const trouble = await receive('processor_trouble', made.owner.email);
    expect(trouble.text).toContain('An event from Stripe (invoice.paid) failed repeatedly');
  });

  it('tells the owners when nothing arrives at a webhook endpoint, and when it is disabled', async () => {
    const made = await brand('Hooked');
    const { body } = await post(manage(made, '/webhooks'), made.owner.token, {
      url: 'https://hooks.example/svc?secret=1',
      types: ['sale.created'],
    });
    const fail = async (since: string, failingMs: number) => {
      await service.sql('update webhook_endpoints set failing_since = $2, failing_ms = $3 where id = $1', [
        body.data.id,
        since,
        failingMs,
      ]);
      await disableFailingWebhooks.run(service.ctx);
    };
    await service.sql(
      `insert into webhook_deliveries (endpoint_id, event_id, type, status, last_error, created_at)
       values ($1, gen_random_uuid(), 'sale.created', 'failed', 'The endpoint answered with status 503.', $2)`,
      [body.data.id, service.time],
    );
    await fail('2026-03-09T11:30:00Z', 24 * 3_600_000);
    const failing = await receive('webhook_failing', made.owner.email);
    expect(failing.subject).toBe('Nothing arrives at the webhook endpoint hooks.example');
    expect(flat(failing)).toContain(
      'Every event that was sent to the webhook endpoint of “Hooked” at hooks.example since 9 March 2026 at 11:30 UTC has failed.',
    );
    expect(failing.text).toContain('Last error  The endpoint answered with status 503.');
    expect(linkIn(failing)).toBe(`https://track.test/app/programs/${made.program.id}/settings?tab=webhooks`);
    expect(failing.text).not.toContain('secret=1');
    expect(failing.headers['list-unsubscribe']).toBeDefined();
    await fail('2026-03-05T11:30:00Z', 5 * 24 * 3_600_000);
    const disabled = await receive('webhook_disabled', made.owner.email);
    expect(disabled.subject).toBe('The webhook endpoint hooks.example was disabled');
    expect(flat(disabled)).toContain(
      'Nothing has arrived at the webhook endpoint of “Hooked” at hooks.example since 5 March 2026 at 11:30 UTC. After five days of failures it was disabled, and nothing more is sent to it.',
    );
    expect(linkIn(disabled)).toBe(`https://track.test/app/programs/${made.program.id}/settings?tab=webhooks`);
  });

  it('invites partners and team members with links that prove the address', async () => {
    const made = await brand('Inviting');
    const [partner, member] = [`${newId('joan')}@partner.test`, `${newId('mo')}@people.test`];
    await post(manage(made, '/partners'), made.owner.token, { name: 'Joan', email: partner });
    const toPartner = await receive('partner_invitation', partner);
    expect(toPartner.subject).toBe('Become a partner of “Inviting”');
    expect(toPartner.text).toContain('Hello Joan,');
    expect(linkIn(toPartner)).toMatch(/^https:\/\/track\.test\/invite#svc_inv_[\w-]{43}\.[\w-]{43}$/);
    await post('/api/v1/manage/invitations', made.owner.token, { email: member, role: 'owner' });
    const toMember = await receive('team_invitation', member);
    expect(toMember.text).toContain('join the team of “Acme” as an owner');
  });
});

describe('mail about an account', () => {
  it('confirms the address, and tells about sign-ins from new devices only', async () => {
    const { email } = await signUp(service);
    const verification = await receive('verify_address', email);
    expect(verification.subject).toBe('Confirm your email address');
    expect(linkIn(verification)).toMatch(/^https:\/\/track\.test\/app\/confirm-email#svc_mail_[\w-]{43}$/);
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const ip = newAddress();
    const body = { email, password: PASSWORD };
    const signInAs = (userAgent: string) =>
      service.call('POST', '/api/auth/sign-in/email', { body, ip, headers: { 'user-agent': userAgent } });
    expect((await signInAs(firefox)).status).toBe(200);
    const sighting = await receive('new_device', email);
    expect(sighting.text).toContain('Device      Firefox on Windows');
    expect(sighting.text).toContain(`IP address  ${ip}`);
    await signInAs(firefox.replaceAll('140', '141'));
    expect(await service.sql(`select 1 from mails where kind = 'new_device'`)).toHaveLength(1);
  });

  it('tells the owner when the password is changed', async () => {
    const { email, cookie } = await signUp(service);
    await mailbox.next(email);
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' };
    const headers = { cookie, origin: 'https://track.test' };
    expect((await service.call('POST', '/api/auth/change-password', { body, headers })).status).toBe(200);
    const told = await receive('security_changed', email);
    expect(told.subject).toBe('Your password was changed');
    expect(linkIn(told)).toBe('https://track.test/app/account');
    expect(told.headers['list-unsubscribe']).toBeUndefined();
  });

  it('sends links for new passwords to accounts only', async () => {
    const { email } = await signUp(service);
    await mailbox.next(email);
    const ask = (address: string) =>
      service.call('POST', '/api/auth/request-password-reset', { body: { email: address }, ip: newAddress() });
    const [known, unknown] = [await ask(email.toUpperCase()), await ask('nobody@people.test')];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    expect(known.body).toEqual({ status: true });
    const reset = await receive('reset_password', email);
    expect(linkIn(reset)).toMatch(/^https:\/\/track\.test\/app\/reset-password#[\w-]{32}$/);
    const outcomes = () =>
      service.sql(`select state, last_error as error from mails where kind = 'reset_password' and state = 'skipped'`);
    expect(await eventually(outcomes, (rows) => rows.length > 0)).toEqual([
      { state: 'skipped', error: 'there is no such account' },
    ]);
  });

  it('asks at the old and the new address before an address changes', async () => {
    const account = await newAccount(service);
    const address = `${newId('new')}@people.test`;
    await post('/api/v1/manage/me/email', account.token, { email: address });
    const old = await receive('change_address', account.email);
    expect(flat(old)).toContain(`of your account to ${address}.`);
    expect((await mailbox.next(address)).subject).toBe('Confirm your email address');
  });
});

describe('the kinds of mail', () => {
  it('were all read above', () => {
    expect([...read].sort()).toEqual([...MAIL_KINDS].sort());
  });
});

describe('preferences', () => {
  const settings = async (key: string) => (await service.call('GET', '/api/v1/manage/me/mail', { key })).body.data;
  const digest = { isOwn: true, from: '2026-03-02', to: '2026-03-08', sales: 1, amounts: [] };
  const queueDigest = (userId: string, cause = newId('cause')) =>
    queueMail(service.ctx.db, service.ctx, { kind: 'weekly_digest', cause, to: { userId }, fields: digest });
  const statesOf = (userId: string) =>
    service.sql<{ state: string }>('select state, last_error as error from mails where user_id = $1', [userId]);

  it('unsubscribe with one click from the mail, without signing in', async () => {
    const account = await newAccount(service);
    await queueDigest(account.userId);
    const mail = await mailbox.next(account.email);
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const [, url = ''] = /^<https:\/\/track\.test(\/\S+)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? [];
    expect(mail.text).toContain('Unsubscribe: https://track.test/app/unsubscribe#');
    const answer = await service.call('POST', url, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, answer.body]).toEqual([200, { data: { kind: 'weekly_digest' } }]);
    expect((await settings(account.token)).kinds).toContainEqual({ kind: 'weekly_digest', on: false });
    await queueDigest(account.userId);
    const skipped = await eventually(
      () => statesOf(account.userId),
      (rows) => rows.every(({ state }) => state !== 'waiting'),
    );
    expect(skipped).toContainEqual({ state: 'skipped', error: 'the recipient has switched this kind off' });
  });

  it('cannot be changed with a link that was not signed here', async () => {
    const { userId } = await newAccount(service);
    const forged = `${Buffer.from(`weekly_digest ${userId}`).toString('base64url')}.${'A'.repeat(43)}`;
    for (const token of [forged, 'nonsense', '']) {
      const answer = await service.call('POST', `/api/v1/manage/mail/unsubscribe?token=${token}`);
      expect(answer.status).toBe(404);
    }
  });

  it('switch a kind off and on, but not the kinds about access', async () => {
    const { token: key } = await newAccount(service);
    const change = (body: object) => service.call('PATCH', '/api/v1/manage/me/mail', { key, body });
    expect((await change({ kind: 'statement_ready', on: false })).body.data.kinds).toContainEqual({
      kind: 'statement_ready',
      on: false,
    });
    expect((await change({ kind: 'statement_ready', on: true })).body.data.kinds).toContainEqual({
      kind: 'statement_ready',
      on: true,
    });
    expect((await change({ kind: 'reset_password', on: false })).status).toBe(400);
    expect((await settings(key)).sends_mail).toBe(true);
  });

  it('are kept when a node of 0.2.0 switches mails about paid payouts off, by the name that it knows', async () => {
    const { token: key, userId } = await newAccount(service);
    await service.sql(`insert into mail_preferences (user_id, kind, changed_at) values ($1, 'payout_paid', $2)`, [
      userId,
      service.time,
    ]);
    expect((await settings(key)).kinds).toContainEqual({ kind: 'statement_ready', on: false });
  });

  it('send nothing optional to an address that is not confirmed', async () => {
    const { userId, email } = await signUp(service);
    await mailbox.next(email);
    await queueDigest(userId);
    const rows = await eventually(
      () => statesOf(userId),
      ([row]) => row?.state === 'skipped',
    );
    expect(rows).toEqual([{ state: 'skipped', error: 'the recipient has not confirmed the address' }]);
  });
});

describe('the queue', () => {
  it('sends one mail for one cause, however often and wherever it is queued', async () => {
    const account = await newAccount(service);
    const fields = { device: 'Firefox', ipAddress: '198.51.100.7', at: service.time.toISOString() };
    const mail = { kind: 'new_device', cause: newId('cause'), to: { userId: account.userId }, fields } as const;
    await Promise.all(Array.from({ length: 5 }, () => queueMail(service.ctx.db, service.ctx, mail)));
    await mailbox.next(account.email);
    expect(await service.sql('select 1 from mails where cause = $1', [mail.cause])).toHaveLength(1);
  });

  it('sends nothing when the transaction is rolled back', async () => {
    const account = await newAccount(service);
    const mail = {
      kind: 'application_approved',
      cause: newId('cause'),
      to: { userId: account.userId },
      fields: {},
    } as const;
    const rolledBack = service.ctx.db.transaction(async (tx) => {
      await queueMail(tx, service.ctx, mail);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await service.sql('select 1 from mails where cause = $1', [mail.cause])).toEqual([]);
  });

  it('sends what somebody waits for first: a link for a new password before invitations, and digests last', async () => {
    const kinds = ['weekly_digest', 'application_approved', 'team_invitation', 'reset_password'] as const;
    const claimed: string[] = [];
    const rolledBack = service.ctx.db.transaction(async (tx) => {
      for (const kind of kinds) {
        const content = { kind, cause: newId('order'), fields: {} } as MailContent;
        await queueMail(tx, service.ctx, { ...content, to: { address: 'order@people.test' } });
      }
      for (let mail = await claimDueMail(tx, service.time); mail; mail = await claimDueMail(tx, service.time)) {
        if (mail.recipient.address === 'order@people.test') claimed.push(mail.kind);
      }
      throw new Error('not sent');
    });
    await expect(rolledBack).rejects.toThrow('not sent');
    expect(claimed).toEqual([...kinds].reverse());
  });

  it('keeps no address and no content of what is finished, and seals what waits', async () => {
    const rows = await service.sql(
      `select 1 from mails where state <> 'waiting' and (address is not null or content_sealed is not null)`,
    );
    expect(rows).toEqual([]);
  });

  it('marks an address that is refused with 5xx, and shows it to the account, the team and the brand', async () => {
    const made = await brand('Refused');
    const gone = made.partner.email;
    mailbox.refuse = (address) => {
      if ([gone, made.owner.email].includes(address)) throw smtpError(550, '5.1.1 No such user');
    };
    for (const userId of [made.partner.userId, made.owner.userId]) {
      const mail = { kind: 'application_approved', cause: newId('cause'), to: { userId }, fields: {} } as const;
      await queueMail(service.ctx.db, service.ctx, mail);
    }
    const marked = () =>
      service.sql('select address from undeliverable_addresses where address = any ($1)', [[gone, made.owner.email]]);
    expect(await eventually(marked, (rows) => rows.length === 2)).toHaveLength(2);
    const get = async (path: string) => (await service.call('GET', path, { key: made.owner.token })).body.data;
    expect(await get('/api/v1/manage/me')).toMatchObject({ user: { email_undeliverable: true, email_verified: true } });
    expect(await get('/api/v1/manage/members')).toMatchObject([{ undeliverable: true }]);
    expect(await get(manage(made, `/partners/${made.partnerId}`))).toMatchObject({ undeliverable: true });

    // What concerns access to the account is still tried, and clears the mark when it arrives.
    mailbox.refuse = () => {};
    await post('/api/v1/manage/me/email/verification', made.owner.token);
    await mailbox.next(made.owner.email);
    const me = () => get('/api/v1/manage/me');
    const cleared = await eventually(me, ({ user }) => !user.email_undeliverable);
    expect(cleared.user.email_undeliverable).toBe(false);
  });

  it('retries what a server refuses for now, with backoff and the same Message-ID', async () => {
    const account = await newAccount(service);
    mailbox.refuse = (address) => {
      if (address === account.email) throw smtpError(451, 'Try again later');
    };
    const mail = {
      kind: 'application_approved',
      cause: newId('cause'),
      to: { userId: account.userId },
      fields: {},
    } as const;
    await queueMail(service.ctx.db, service.ctx, mail);
    const row = () =>
      service.sql<{ due: Date; error: string; key: string }>(
        'select due_at as due, last_error as error, message_key as key from mails where cause = $1 and claimed_at is null',
        [mail.cause],
      );
    const [waiting] = await eventually(row, ([found]) => found?.error !== null && found !== undefined);
    expect(waiting?.due.getTime()).toBe(service.time.getTime() + 30_000);
    mailbox.refuse = () => {};
    service.advance({ seconds: 31 });
    const received = await mailbox.next(account.email);
    expect(received.headers['message-id']).toBe(`<${waiting?.key}@mail.test>`);
  });

  it('is bounded: optional mail is refused first, and counted', async () => {
    const account = await newAccount(service);
    const queue = service.ctx.mail;
    if (!queue) throw new Error('no mail');
    const { maxWaiting } = queue;
    Object.assign(queue, { maxWaiting: 0, backlog: { count: 0, countedAt: performance.now() } });
    const mail = {
      kind: 'application_approved',
      cause: newId('cause'),
      to: { userId: account.userId },
      fields: {},
    } as const;
    await queueMail(service.ctx.db, service.ctx, mail);
    Object.assign(queue, { maxWaiting });
    expect(await service.sql('select 1 from mails where cause = $1', [mail.cause])).toEqual([]);
    const metrics = (await service.call('GET', '/metrics', { key: METRICS_TOKEN })).text;
    expect(metrics).toContain('svc_mails_total{kind="application_approved",outcome="refused"} 1');
    expect(metrics).toMatch(/svc_mail_queue \d/);
    expect(metrics).toMatch(/svc_mail_queue_age_seconds \d/);
  });

  it('lets a workspace invite a limited number of people a day by mail; further links are only shown', async () => {
    const made = await brand('Inviting many');
    await service.sql(
      `insert into mail_counts (counted, kind, since, count)
       values ('workspace ' || $1::bigint, 'team_invitation', date_trunc('day', $2::timestamptz, 'UTC'), 99)`,
      [made.workspaceId, service.time],
    );
    const last = await post('/api/v1/manage/invitations', made.owner.token, { email: `${newId('last')}@people.test` });
    expect(last.body.data.mailed).toBe(true);
    const email = `${newId('late')}@people.test`;
    const answer = await post('/api/v1/manage/invitations', made.owner.token, { email });
    expect([answer.status, answer.body.data.invite_url]).toEqual([201, expect.stringContaining('/invite#')]);
    expect(answer.body.data.mailed).toBe(false);
    expect(await service.sql('select 1 from mails where address = $1', [email])).toEqual([]);
  });

  it('never lets a name or an address add a header', async () => {
    const made = await brand('Evil\r\nBcc: everyone@people.test\r\n\r\nHello');
    const account = await newAccount(service);
    await service.sql('update partners set user_id = $2 where id = $1', [made.partnerId, account.userId]);
    const mail = { kind: 'application_received', cause: newId('cause'), programId: made.program.id } as const;
    const fields = { partnerId: 1, partnerName: 'Robin\r\nX-Injected: yes\u2028\u0000\u007f' };
    await queueMail(service.ctx.db, service.ctx, { ...mail, to: { userId: account.userId }, fields });
    const received = await mailbox.next(account.email);
    expect(Object.keys(received.headers)).not.toEqual(expect.arrayContaining(['bcc']));
    expect(Object.keys(received.headers)).not.toEqual(expect.arrayContaining(['x-injected']));
    expect(received.subject).toMatch(
      /^Robin X-Injected: yes wants to become a partner of “Evil Bcc: everyone@people\.test Hello”$/,
    );
    const hostile = {
      kind: 'team_invitation',
      cause: newId('cause'),
      fields: { url: 'https://track.test/', role: 'member', expiresAt: service.time.toISOString() },
    } as const;
    await queueMail(service.ctx.db, service.ctx, {
      ...hostile,
      to: { address: 'a@people.test>\r\nRCPT TO:<b@people.test' },
    });
    const state = () =>
      service.sql<{ state: string; error: string }>('select state, last_error as error from mails where cause = $1', [
        hostile.cause,
      ]);
    const [row] = await eventually(state, ([found]) => found?.state !== 'waiting');
    expect(row).toEqual({ state: 'skipped', error: 'the address cannot be written to' });
  });

  it('answers requests and clicks while the mail server is away, and sends everything afterwards', async () => {
    const account = await newAccount(service);
    await mailbox.close();
    const mail = { kind: 'new_device', cause: newId('cause'), to: { userId: account.userId } } as const;
    const fields = { device: 'Safari', ipAddress: '198.51.100.7', at: service.time.toISOString() };
    await queueMail(service.ctx.db, service.ctx, { ...mail, fields });
    const made = await brand('Offline');
    // The server is back only after these answers.
    expect(await service.clickId(made.link)).toBeTruthy();
    expect((await signIn(service, 'nobody@people.test')).status).toBe(401);
    const failed = () =>
      service.sql<{ error: string | null }>('select last_error as error from mails where cause = $1', [mail.cause]);
    const [row] = await eventually(failed, ([found]) => found?.error !== null);
    expect(row?.error).toContain('ECONNREFUSED');
    await mailbox.open();
    service.advance({ seconds: 600 });
    await service.ctx.db.query(`select pg_notify('svc_mail', '')`, []);
    await mailbox.next(account.email);
  });
});
