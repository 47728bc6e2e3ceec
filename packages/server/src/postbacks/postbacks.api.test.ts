import {
  newAccount,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
  type TestAccount,
} from '@svc/testkit/service/accounts.ts';
import { asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { purgePostbackCalls } from '../jobs/purge-postback-calls.ts';
import { updatePartnerUser } from '../partners/partner-account-store.ts';
import { leaseHosts } from '../webhooks/host-store.ts';
import { findNextDueCall } from './call-store.ts';

// Nothing listens on this port: the mail waits in the queue.
const service = useService(
  {
    SVC_OUTBOUND_ALLOW: '127.0.0.1',
    SVC_SMTP_URL: 'smtp://127.0.0.1:9',
    SVC_MAIL_FROM: 'partners@mail.test',
  },
  // Receivers that hang do so for as long as a test wants, however busy the machine is.
  { callMs: 600_000 },
);
const receiver = useReceiver();

type Made = OwnedProgram & { partner: TestAccount };

async function partnerProgram(settings: Parameters<typeof ownedProgram>[1] = {}): Promise<Made> {
  const made = await ownedProgram(service, settings);
  return { ...made, partner: await partnerAccount(service, made.partnerId) };
}

const pathOf = ({ program }: OwnedProgram, rest = '') => `/api/v1/manage/me/programs/${program.id}/postback${rest}`;

const asPartner = ({ partner, ...made }: Made, method: string, rest = '', body?: object) =>
  service.call(method, pathOf(made, rest), { key: partner.token, body });

/** Sets up a postback at a path of its own, and returns that path. */
async function postback(made: Made, template = '', more: object = {}): Promise<string> {
  const path = `/${newId('postback')}`;
  const { status, text } = await asPartner(made, 'PUT', '', { url: receiver.url(path + template), ...more });
  expect(`${status} ${text}`).toMatch(/^200/);
  return path;
}

const calls = async (made: Made) => (await asPartner(made, 'GET', '/calls')).body.data;

/** Waits until everything that has happened is numbered, and everything that is due was sent. */
async function settled(): Promise<void> {
  service.ctx.numbering.wake();
  await service.ctx.numbering.idle();
  service.ctx.deliveries.wake();
  await expect
    .poll(async () => {
      await service.ctx.deliveries.idle();
      const due = `select from postback_calls c join postbacks b on b.id = c.postback_id
        where b.status = 'active' and c.status = 'pending' and c.due_at <= $1`;
      return [
        await service.sql(`select 1 where exists (${due})`, [service.time]),
        await service.sql('select 1 from webhook_hosts'),
      ];
    })
    .toEqual([[], []]);
}

const received = (path: string) =>
  receiver.received.filter((one) => one.path.startsWith(path)).map((one) => one.path.slice(path.length));

const TOLD = '?e={event}&s={status}&t={transaction_id}&a={amount}&c={commission}{currency}';

describe('a postback', () => {
  it('is called once for everything that happens to a commission, with what it is worth by then', async () => {
    const made = await partnerProgram();
    const path = await postback(made, TOLD);
    const { transactionId, commissionId } = await sold(service, made);
    await settled();
    await asOwner(service, made, 'POST', `/commissions/${commissionId}/reject`, {});
    await settled();
    await asOwner(service, made, 'POST', `/commissions/${commissionId}/restore`);
    await settled();
    await service.refund({ transaction_id: transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    await settled();
    await asOwner(service, made, 'POST', `/commissions/${commissionId}/approve`);
    await settled();
    const [payout] = await paidOut(service, made);
    await asOwner(service, made, 'POST', `/payouts/${payout!.id}/mark-paid`, {});
    await settled();
    await service.refund({ transaction_id: transactionId, refund_amount_cents: 7_500 }, { key: made.apiKey });
    await settled();
    const told = (event: string, status: string, commission: string) =>
      `?e=${event}&s=${status}&t=${transactionId}&a=100.00&c=${commission}USD`;
    expect(received(path)).toEqual([
      told('created', 'pending', '20.00'),
      told('rejected', 'rejected', '20.00'),
      told('restored', 'pending', '20.00'),
      told('reversed', 'partially_reversed', '15.00'),
      told('approved', 'partially_reversed', '15.00'),
      told('paid', 'partially_reversed', '15.00'),
      told('reversed', 'reversed', '0.00'),
    ]);
    const list = await calls(made);
    expect(list).toHaveLength(7);
    expect(list[0]).toEqual({
      id: expect.any(Number),
      event: 'reversed',
      method: 'GET',
      url: receiver.url(path + told('reversed', 'reversed', '0.00')),
      status: 'delivered',
      attempts: 1,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
      last_attempt_at: service.time.toISOString(),
      created_at: service.time.toISOString(),
    });
  });

  it('says where the customer came from: click, sub id and coupon', async () => {
    const made = await partnerProgram();
    const path = await postback(made, '?k={click_id}&s={sub}&i={sub_id}&p={coupon}&h={happened_at}', {
      method: 'POST',
    });
    const affiliateUrl = `https://acme.test/?aff=${made.link}&sub=page+7&sub_id=${encodeURIComponent('mail 42&x')}`;
    const clickId = await service.clickId(made.link, { affiliate_url: affiliateUrl });
    const customerKey = newId('user');
    await service.lead({ click_id: clickId, customer_key: customerKey }, { key: made.apiKey });
    await asOwner(service, made, 'POST', '/coupons', { partner_id: made.partnerId, code: `JANE-${made.partnerId}` });
    const sale = { transaction_id: newId('order'), amount_cents: 100, customer_key: customerKey };
    await service.sale({ ...sale, coupon_code: `JANE-${made.partnerId}` }, { key: made.apiKey });
    await settled();
    const at = encodeURIComponent(service.time.toISOString());
    expect(received(path)).toEqual([`?k=${clickId}&s=page%207&i=mail%2042%26x&p=JANE-${made.partnerId}&h=${at}`]);
    const [call] = receiver.received.filter((one) => one.path.startsWith(path));
    expect([call!.method, call!.body, call!.headers['user-agent']]).toEqual(['POST', '', 'svc-postbacks']);
  });

  it('without {status} and {event} is not called for reversals', async () => {
    const made = await partnerProgram();
    const path = await postback(made, '?t={transaction_id}');
    const { transactionId } = await sold(service, made);
    await settled();
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    await settled();
    expect(received(path)).toEqual([`?t=${transactionId}`]);
  });

  it('tells nobody about the commissions of others', async () => {
    const made = await partnerProgram();
    const second = await service.partner(made.program);
    const other: Made = { ...made, ...second, partner: await partnerAccount(service, second.partnerId) };
    const [path, otherPath] = [
      await postback(made, '?t={transaction_id}'),
      await postback(other, '?t={transaction_id}'),
    ];
    const elsewhere = await ownedProgram(service);
    await updatePartnerUser(service.ctx.db, elsewhere.partnerId, made.partner.userId, service.time);
    await sold(service, elsewhere);
    const mine = await sold(service, made);
    const theirs = await sold(service, other);
    await settled();
    expect([received(path), received(otherPath)]).toEqual([
      [`?t=${mine.transactionId}`],
      [`?t=${theirs.transactionId}`],
    ]);
    expect([(await calls(made)).length, (await calls(other)).length]).toEqual([1, 1]);
  });

  it('that fails is called again with the same values, at the URL as it is by then', async () => {
    const made = await partnerProgram();
    const path = await postback(made, '?t={transaction_id}');
    const { transactionId } = await sold(service, made);
    receiver.answer(`${path}?t=${transactionId}`, { status: 503 });
    const happenedAt = service.time;
    await settled();
    expect((await asPartner(made, 'GET')).body.data.postback.failing_since).toBe(happenedAt.toISOString());
    expect(await calls(made)).toMatchObject([
      { status: 'pending', attempts: 1, last_status: 503, last_error: 'The endpoint answered with status 503.' },
    ]);
    await asPartner(made, 'PUT', '', { url: receiver.url(`${path}/fixed?t={transaction_id}&h={happened_at}`) });
    service.advance({ seconds: 7 });
    await settled();
    const at = encodeURIComponent(happenedAt.toISOString());
    expect(received(path)).toEqual([`?t=${transactionId}`, `/fixed?t=${transactionId}&h=${at}`]);
    expect(await calls(made)).toMatchObject([{ status: 'delivered', attempts: 2, last_error: null }]);
    expect((await asPartner(made, 'GET')).body.data.postback.failing_since).toBeNull();
  });

  it('shares the connections to a host with webhooks, and neither takes those that the other needs', async () => {
    const made = await partnerProgram();
    const hook = `/${newId('hook')}`;
    const path = await postback(made);
    await asOwner(service, made, 'POST', '/webhooks', { url: receiver.url(hook), types: ['sale.created'] });
    const releases = [receiver.hold(hook), receiver.hold(path)];
    for (let count = 0; count < 12; count += 1) await sold(service, made);
    await receiver.until(hook, 3);
    await receiver.until(path, 3);
    // Two of the eight connections are left, for whoever comes next.
    const next = `/${newId('next')}`;
    await asOwner(service, made, 'POST', '/webhooks', { url: receiver.url(next), types: ['sale.created'] });
    await sold(service, made);
    await receiver.until(next, 1);
    expect([receiver.at(hook).length, receiver.at(path).length]).toEqual([3, 3]);
    expect(releases.map((release) => release())).toEqual([3, 3]);
    await settled();
    expect([receiver.at(hook).length, receiver.at(path).length]).toEqual([13, 13]);
    expect(receiver.connections.most).toBeLessThanOrEqual(8);
  });

  it('is left to the node that has its host, as webhooks are', async () => {
    const made = await partnerProgram();
    const path = await postback(made);
    await settled();
    const other = '00000000-0000-4000-8000-000000000002';
    expect(await leaseHosts(service.ctx.db, other, ['127.0.0.1'], 60_000)).toEqual(['127.0.0.1']);
    await sold(service, made);
    service.ctx.numbering.wake();
    await service.ctx.numbering.idle();
    service.ctx.deliveries.wake();
    await service.ctx.deliveries.idle();
    expect([received(path), await calls(made)]).toMatchObject([[], [{ status: 'pending', attempts: 0 }]]);
    const [lease] = await service.sql<{ until: Date }>('select leased_until as until from webhook_hosts');
    expect(await findNextDueCall(service.ctx.db)).toEqual(lease!.until);
    // What a node leaves behind is free after a while.
    await service.sql(`update webhook_hosts set leased_until = clock_timestamp() - interval '1 second'`);
    await settled();
    expect(received(path)).toHaveLength(1);
  });

  it('is not called if its URL gets too long, and says so', async () => {
    const made = await partnerProgram();
    const path = await postback(made, `?${'t={transaction_id}&'.repeat(100)}`);
    await sold(service, made, { transaction_id: newId('ü'.repeat(200)) });
    await settled();
    expect(received(path)).toEqual([]);
    expect(await calls(made)).toMatchObject([
      { status: 'pending', last_error: 'With its values, the URL is longer than 8000 characters.' },
    ]);
  });
});

describe('a postback is turned off', () => {
  const mailsTo = (made: Made) =>
    service.sql(`select kind from mails where user_id = $1 and kind = 'postback_disabled'`, [made.partner.userId]);
  const state = async (made: Made) => {
    const { status, disabled_reason } = (await asPartner(made, 'GET')).body.data.postback;
    return [status, disabled_reason];
  };

  it('after five days in which every call failed, with a mail, until the partner turns it on again', async () => {
    const made = await partnerProgram();
    const path = await postback(made, '/{transaction_id}');
    const failing = await sold(service, made);
    receiver.answer(`${path}/${failing.transactionId}`, { status: 500 });
    await settled();
    for (let attempt = 0; attempt < 9; attempt += 1) {
      service.advance({ days: 0.5 });
      await settled();
    }
    // All attempts have failed, but nothing says that the next call will.
    service.advance({ days: 1 });
    await settled();
    expect(await state(made)).toEqual(['active', null]);
    const last = await sold(service, made);
    receiver.answer(`${path}/${last.transactionId}`, { status: 500 }, { status: 500 }, { status: 204 });
    await settled();
    // Eight attempts in three and a half days have failed; of the two days since then, in which nothing was tried, one counts.
    expect(await state(made)).toEqual(['active', null]);
    service.advance({ days: 0.5 });
    await settled();
    expect([await state(made), await mailsTo(made)]).toEqual([
      ['disabled', 'failing'],
      [{ kind: 'postback_disabled' }],
    ]);
    await sold(service, made);
    service.advance({ seconds: 420 });
    await settled();
    expect(received(path).filter((rest) => rest.endsWith(last.transactionId))).toHaveLength(2);
    const url = receiver.url(`${path}/{transaction_id}`);
    expect((await asPartner(made, 'PUT', '', { url, status: 'active' })).body.data).toMatchObject({
      status: 'active',
      disabled_reason: null,
      failing_since: null,
    });
    await settled();
    // What was waiting is sent. What happened while it was off is not.
    expect(received(path).at(-1)).toBe(`/${last.transactionId}`);
    expect((await calls(made))[0]).toMatchObject({ status: 'delivered', attempts: 3 });
  });

  it('not for weeks in which it was not called, even if it fails before and after them', async () => {
    const made = await partnerProgram();
    const path = await postback(made);
    receiver.answer(path, { status: 500 });
    await sold(service, made);
    await settled();
    service.advance({ days: 40 });
    await sold(service, made);
    await settled();
    expect([received(path).length >= 2, await state(made)]).toEqual([true, ['active', null]]);
  });

  it('at once if the receiver answers 410, with a mail', async () => {
    const made = await partnerProgram();
    const path = await postback(made);
    receiver.answer(path, { status: 410 });
    await sold(service, made);
    await settled();
    expect([await state(made), await mailsTo(made)]).toEqual([['disabled', 'gone'], [{ kind: 'postback_disabled' }]]);
  });

  it('by the partner', async () => {
    const made = await partnerProgram();
    const path = await postback(made, '', { status: 'disabled' });
    await sold(service, made);
    await settled();
    expect([received(path), await state(made), await calls(made)]).toEqual([[], ['disabled', 'person'], []]);
  });
});

describe('a postback belongs to the partner', () => {
  it.each(['blocked', 'removed'])(
    'and is not called for what happens while they are %s, reversals included',
    async (status) => {
      const made = await partnerProgram();
      const path = await postback(made, '?e={event}');
      const { transactionId } = await sold(service, made);
      await settled();
      await asOwner(service, made, 'PATCH', `/partners/${made.partnerId}`, { status });
      await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
      await settled();
      expect(received(path)).toEqual(['?e=created']);
      expect((await asPartner(made, 'GET')).status).toBe(404);
    },
  );

  it('and ends when another account takes the partner over', async () => {
    const made = await partnerProgram();
    const path = await postback(made);
    const successor = await newAccount(service);
    await updatePartnerUser(service.ctx.db, made.partnerId, successor.userId, service.time);
    await sold(service, made);
    await settled();
    const after = { ...made, partner: successor };
    expect([received(path), (await asPartner(made, 'GET')).status]).toEqual([[], 404]);
    expect((await asPartner(after, 'GET')).body).toEqual({ data: { postback: null } });
    expect((await asPartner(after, 'POST', '/test')).status).toBe(404);
    const own = await postback(after);
    await sold(service, made);
    await settled();
    expect([received(path).length, received(own).length]).toEqual([0, 1]);
    expect(await service.sql('select user_id from postbacks where partner_id = $1', [made.partnerId])).toEqual([
      { user_id: successor.userId },
    ]);
  });

  it('and is hidden from the brand, in routes and in the audit log', async () => {
    const made = await partnerProgram();
    const path = await postback(made, '?token=secret-of-jane');
    const { status, body } = await service.call('GET', pathOf(made), { key: made.owner.token });
    expect({ status, body }).toEqual({ status: 404, body: platformError(404, 'NotFoundError', 'Not Found') });
    const log = await service.call('GET', '/api/v1/manage/audit', { key: made.owner.token });
    const audit = log.body.data;
    expect(audit[0]).toMatchObject({
      action: 'postback.changed',
      subject: 'partner',
      subject_id: String(made.partnerId),
      before: {},
      after: { method: 'GET', status: 'active' },
    });
    expect(JSON.stringify(audit)).not.toContain(path);
  });

  it('and is deleted with their account, and with its calls on request', async () => {
    const [made, other] = [await partnerProgram(), await partnerProgram()];
    for (const each of [made, other]) {
      await postback(each);
      await sold(service, each);
    }
    await settled();
    expect((await asPartner(other, 'DELETE')).body).toEqual({ data: {} });
    await service.sql('delete from users where id = $1', [made.partner.userId]);
    const partners = [[made.partnerId, other.partnerId]];
    expect(await service.sql('select 1 from postbacks where partner_id = any ($1)', partners)).toEqual([]);
    expect(
      await service.sql(
        'select 1 from postback_calls c left join postbacks b on b.id = c.postback_id where b.id is null',
      ),
    ).toEqual([]);
    expect((await asPartner(other, 'DELETE')).body).toEqual({ data: {} });
  });

  it('and does not keep the click of a customer who is erased', async () => {
    const made = await partnerProgram();
    await postback(made, '?k={click_id}&s={sub}&i={sub_id}&t={transaction_id}');
    const customerKey = newId('jane-doe');
    const transactionId = `order-of-${customerKey}`;
    const affiliateUrl = `https://acme.test/?aff=${made.link}&sub=${customerKey}&sub_id=${customerKey}`;
    const clickId = await service.clickId(made.link, { affiliate_url: affiliateUrl });
    await service.lead({ click_id: clickId, customer_key: customerKey }, { key: made.apiKey });
    await service.sale(
      { transaction_id: transactionId, amount_cents: 100, customer_key: customerKey },
      { key: made.apiKey },
    );
    await settled();
    expect(JSON.stringify(await calls(made))).toContain(clickId);
    const [customer] = await service.sql<{ id: number }>('select id from customers where customer_key = $1', [
      customerKey,
    ]);
    const { status } = await asOwner(service, made, 'POST', `/customers/${customer!.id}/erase`, {});
    expect(status).toBe(200);
    const stored = JSON.stringify([await calls(made), await service.sql('select * from postback_calls c')]);
    expect([stored.includes(clickId), stored.includes(customerKey)]).toEqual([false, false]);
  });
});

describe('a test', () => {
  it('calls the URL at once with made-up values, and returns how it went', async () => {
    const made = await partnerProgram();
    const path = await postback(made, '?e={event}&a={amount}', { status: 'disabled' });
    receiver.answer(
      `${path}?e=test&a=100.00`,
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { status: 200 },
    );
    const failed = (await asPartner(made, 'POST', '/test')).body.data;
    expect(failed).toEqual({
      id: expect.any(Number),
      event: 'test',
      method: 'GET',
      url: receiver.url(`${path}?e=test&a=100.00`),
      status: 'failed',
      attempts: 1,
      last_status: 302,
      last_error: 'The endpoint answered with a redirect (302). Redirects are not followed.',
      next_attempt_at: null,
      last_attempt_at: service.time.toISOString(),
      created_at: service.time.toISOString(),
    });
    const again = (await asPartner(made, 'POST', '/test')).body.data;
    expect(again).toMatchObject({ status: 'delivered', last_status: 200, last_error: null });
    expect(await calls(made)).toEqual([again, failed]);
    expect(received(path)).toEqual(['?e=test&a=100.00', '?e=test&a=100.00']);
  });
});

describe('the list of calls', () => {
  it('has the last 50; older ones are purged unless they are still to be sent', async () => {
    const made = await partnerProgram();
    await postback(made);
    const [row] = await service.sql<{ id: number }>('select id from postbacks where partner_id = $1', [made.partnerId]);
    await service.sql(
      `insert into postback_calls (postback_id, event, facts, status, due_at, created_at)
       select $1, 'created', '{}', case when n = 1 then 'pending' else 'delivered' end,
         case when n = 1 then $2::timestamptz end, $2 from generate_series(1, 60) n`,
      [row!.id, new Date(service.time.getTime() + 3_600_000)],
    );
    expect(await calls(made)).toHaveLength(50);
    expect(await purgePostbackCalls.run(service.ctx)).toBe('deleted 9 calls of postbacks');
    const kept = await service.sql(
      'select status, count(*)::int as count from postback_calls where postback_id = $1 group by 1 order by 1',
      [row!.id],
    );
    expect(kept).toEqual([
      { status: 'delivered', count: 50 },
      { status: 'pending', count: 1 },
    ]);
    expect(await purgePostbackCalls.run(service.ctx)).toBeNull();
  });
});

describe('a URL that cannot be called is refused, naming the field', () => {
  it.each([
    ['https://t.example/?c={clickid}', 'Unknown macro: {clickid}'],
    ['https://{sub_id}.example/', 'Macros can be used in the path and the query only, not in the host name.'],
    ['https://10.0.0.1/?c={click_id}', '10.0.0.1 is not a public address.'],
    ['https://[::1]/', '::1 is not a public address.'],
    ['https://jane:{sub_id}@t.example/', 'Macros can be used in the path and the query only, not in the host name.'],
    ['https://jane:pw@t.example/', 'The URL must not contain a user name or password.'],
  ])('%s', async (url, message) => {
    const made = await partnerProgram();
    const { status, body } = await asPartner(made, 'PUT', '', { url });
    expect({ status, body }).toEqual({
      status: 400,
      body: platformError(400, 'BadRequestError', message, { field: 'url' }),
    });
    expect((await asPartner(made, 'GET')).body).toEqual({ data: { postback: null } });
  });
});

it('logs no URL of a postback', async () => {
  const made = await partnerProgram();
  const path = await postback(made, '?token=never-to-be-logged');
  receiver.answer(`${path}?token=never-to-be-logged`, { status: 500 });
  await sold(service, made);
  await settled();
  expect(service.logLines.join('')).not.toContain('never-to-be-logged');
});
