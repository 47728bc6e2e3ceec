import {
  everythingStored,
  manage,
  newAccount,
  newToken,
  OWN_ORIGIN,
  type OwnedProgram,
  ownedProgram,
  PASSWORD,
  partnerAccount,
  signUp,
  type TestAccount,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { untilNumbered } from '@svc/testkit/service/numbered.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { IBAN, IBAN_METHOD, setMethod } from '@svc/testkit/service/payout-methods.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { sealPayoutTexts } from '../../jobs/seal-payout-texts.ts';
import { openDetails } from '../../payout-methods/payout-method.ts';

// Nothing listens there, so that everything that is queued stays in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });

const PATH = '/api/v1/manage/me/payout-method';
const HOLDER = { holder_name: 'Jane Doe', holder_kind: 'person', country: 'DE' };
const PAYPAL = { kind: 'paypal', email: 'jane.doe@paypal.test', ...HOLDER };
const US = {
  kind: 'us_bank',
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  ...HOLDER,
};

const set = (account: Pick<TestAccount, 'token'>, body: object) => setMethod(service, account, body);
const remove = ({ token }: TestAccount) => service.call('DELETE', PATH, { key: token });
const get = async ({ token }: TestAccount) => (await service.call('GET', PATH, { key: token })).body.data;
const isoIn = (hours: number) => new Date(service.time.getTime() + hours * 3_600_000).toISOString();
const runJob = () => sealPayoutTexts(service.ctx.encryption).run(service.ctx);

const refused = (field: string, message: string) => ({
  status: 400,
  body: platformError(400, 'BadRequestError', message, { field }),
});

describe('a payout method', () => {
  it.each([
    [PAYPAL, { kind: 'paypal', masked: 'j***@paypal.test' }, { kind: 'paypal', email: 'jane.doe@paypal.test' }],
    [
      { ...PAYPAL, kind: 'wise', email: ' jane@wise.test ' },
      { kind: 'wise', masked: 'j***@wise.test' },
      { kind: 'wise', email: 'jane@wise.test' },
    ],
    [
      { ...IBAN_METHOD, iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeffxxx', country: 'de' },
      { kind: 'iban', masked: 'DE****3000' },
      { kind: 'iban', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    ],
    [
      { ...IBAN_METHOD, iban: 'NO93 8601 1117 947', holder_kind: 'company', country: 'NO' },
      { kind: 'iban', masked: 'NO****7947', holder_kind: 'company', country: 'NO' },
      { kind: 'iban', iban: 'NO9386011117947', bic: null },
    ],
    [
      US,
      { kind: 'us_bank', masked: '****6789' },
      { kind: 'us_bank', routingNumber: '021000021', accountNumber: '000123456789', accountType: 'checking' },
    ],
    [
      { ...US, account_number: '12-345', account_type: 'savings' },
      { kind: 'us_bank', masked: '****' },
      { kind: 'us_bank', routingNumber: '021000021', accountNumber: '12345', accountType: 'savings' },
    ],
    [
      { kind: 'other', text: ' Account 1234 5678 9 at Bank A ', ...HOLDER },
      { kind: 'other', masked: '****nk A' },
      { kind: 'other', text: 'Account 1234 5678 9 at Bank A' },
    ],
    [
      { kind: 'other', text: '1234 5678 9', ...HOLDER },
      { kind: 'other', masked: '****' },
      { kind: 'other', text: '1234 5678 9' },
    ],
  ])('is stored, sealed, and shown masked: %j', async (body, shown, details) => {
    const account = await newAccount(service);
    expect(await get(account)).toBeNull();
    const answer = await set(account, body);
    const now = service.time.toISOString();
    const data = { ...HOLDER, usable_from: now, updated_at: now, ...shown };
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { data } });
    expect(await get(account)).toEqual(data);
    const me = await service.call('GET', '/api/v1/manage/me', { key: account.token });
    const { kind, masked, usable_from } = data;
    expect(me.body.data.payout_method).toEqual({ kind, masked, usable_from });
    const [row] = await service.sql<{ sealed: string }>(
      'select details_sealed as sealed from payout_methods where user_id = $1',
      [account.userId],
    );
    expect(openDetails(service.ctx.encryption, row?.sealed ?? '')).toEqual(details);
  });

  it.each([
    [
      { ...IBAN_METHOD, iban: 'DE88370400440532013000' },
      'iban',
      'iban does not pass its check digits. Compare it with your bank statement.',
    ],
    [{ ...IBAN_METHOD, iban: undefined }, 'iban', 'iban is required'],
    [{ ...IBAN_METHOD, bic: 'COBA' }, 'bic', 'bic must have 8 or 11 letters and digits, such as COBADEFFXXX'],
    [
      { ...US, routing_number: '021000022' },
      'routing_number',
      'routing_number does not pass its check digit. Compare it with a check or your bank statement.',
    ],
    [{ ...US, account_number: '12' }, 'account_number', 'account_number must have 4 to 17 digits and nothing else'],
    [{ ...US, account_type: null }, 'account_type', 'account_type is required'],
    [{ ...US, iban: IBAN }, 'iban', 'iban does not belong to us_bank'],
    [{ ...PAYPAL, email: 'jane' }, 'email', 'email must be an email address'],
    [{ ...PAYPAL, bic: 'COBADEFF' }, 'bic', 'bic does not belong to paypal'],
    [{ kind: 'wise', ...HOLDER }, 'email', 'email is required'],
    [{ kind: 'other', ...HOLDER, text: ' ' }, 'text', 'text is required'],
    [{ ...PAYPAL, holder_name: undefined }, 'holder_name', 'holder_name is required'],
    [{ ...PAYPAL, country: 'UK' }, 'country', 'country must be a two-letter country code, such as DE'],
    [{ ...PAYPAL, kind: 'venmo' }, 'kind', 'kind must be one of paypal, wise, iban, us_bank, other'],
  ])('is refused, and nothing is stored: %j', async (body, field, message) => {
    const account = await newAccount(service);
    const { status, body: answer } = await set(account, body);
    expect({ status, body: answer }).toEqual(refused(field, message));
    expect(await service.sql('select 1 from payout_methods where user_id = $1', [account.userId])).toEqual([]);
    expect(await service.sql('select 1 from audit_events where user_id = $1', [account.userId])).toEqual([]);
    expect(await service.sql('select 1 from mails where user_id = $1', [account.userId])).toEqual([]);
  });

  it('can be used at once if it is the first one, and a changed one after 72 hours', async () => {
    const account = await newAccount(service);
    expect((await set(account, PAYPAL)).body.data.usable_from).toBe(service.time.toISOString());
    service.advance({ days: 1 });
    const changed = await set(account, IBAN_METHOD);
    expect(changed.body.data).toMatchObject({ kind: 'iban', usable_from: isoIn(72) });
    // The wait of a second change starts anew.
    service.advance({ days: 2 });
    expect((await set(account, { ...IBAN_METHOD, country: 'AT' })).body.data.usable_from).toBe(isoIn(72));
  });

  it('that is set again as it is changes nothing: not the wait, not the history, and nobody is told', async () => {
    const account = await newAccount(service);
    await set(account, PAYPAL);
    const changed = (await set(account, IBAN_METHOD)).body;
    const rows = () => service.sql('select count(*) as n from audit_events where user_id = $1', [account.userId]);
    const mails = () => service.sql('select count(*) as n from mails where user_id = $1', [account.userId]);
    const before = [await rows(), await mails()];
    service.advance({ days: 1 });
    const again = await set(account, { ...IBAN_METHOD, iban: 'DE89 3704 0044 0532 0130 00', country: 'de' });
    expect([again.status, again.body]).toEqual([200, changed]);
    expect([await rows(), await mails()]).toEqual(before);
    // A corrected name is a change: it may be somebody else's.
    const renamed = await set(account, { ...IBAN_METHOD, holder_name: 'Jane M. Doe' });
    expect(renamed.body.data).toMatchObject({ holder_name: 'Jane M. Doe', usable_from: isoIn(72) });
  });

  it('that was removed and is set again is a changed one, however long ago that was', async () => {
    const account = await newAccount(service);
    await set(account, PAYPAL);
    const removed = await remove(account);
    expect([removed.status, removed.body]).toEqual([200, { data: {} }]);
    expect(await get(account)).toBeNull();
    expect((await remove(account)).status).toBe(200);
    service.advance({ days: 400 });
    const key = await newToken(service, account.userId);
    expect((await set({ token: key }, PAYPAL)).body.data.usable_from).toBe(isoIn(72));
    const kept = await service.sql(
      'select kind, details_sealed is null as forgotten from payout_methods where user_id = $1 order by id',
      [account.userId],
    );
    expect(kept).toEqual([
      { kind: 'paypal', forgotten: true },
      { kind: 'paypal', forgotten: false },
    ]);
  });

  it('is the account’s own: nobody else can read or change it', async () => {
    const [one, other] = [await newAccount(service), await newAccount(service)];
    await set(one, IBAN_METHOD);
    expect(await get(other)).toBeNull();
    await set(other, PAYPAL);
    await remove(other);
    expect(await get(one)).toMatchObject({ kind: 'iban', masked: 'DE****3000' });
    expect((await service.call('GET', PATH)).status).toBe(401);
  });
});

describe('a text from before there were methods', () => {
  const withText = async (text: string) => {
    const account = await newAccount(service);
    await service.sql('update users set payout_details = $2 where id = $1', [account.userId, text]);
    return account;
  };
  const textOf = async ({ userId }: TestAccount) =>
    (await service.sql('select payout_details as text from users where id = $1', [userId]))[0];

  it('becomes a sealed method of kind other, usable at once, and nobody is told', async () => {
    const account = await withText(' Bank A, account 12345678 ');
    const blank = await withText('  ');
    expect(await runJob()).toBe('sealed the payout details of 1 accounts');
    const now = service.time.toISOString();
    expect(await get(account)).toEqual({
      kind: 'other',
      masked: '****5678',
      holder_name: 'Robin',
      holder_kind: 'person',
      country: null,
      usable_from: now,
      updated_at: now,
    });
    expect(await get(blank)).toBeNull();
    expect([await textOf(account), await textOf(blank)]).toEqual([{ text: null }, { text: null }]);
    expect(await service.sql('select 1 from mails where user_id = $1', [account.userId])).toEqual([]);
    expect(await everythingStored(service)).not.toContain('account 12345678');
    expect(await runJob()).toBeNull();
  });

  it('counts as a method, also before the job has come to it: what replaces it waits', async () => {
    const account = await withText('Bank A, account 12345678');
    expect((await set(account, IBAN_METHOD)).body.data.usable_from).toBe(isoIn(72));
    expect(await textOf(account)).toEqual({ text: null });
    expect(await runJob()).toBeNull();
    expect(await get(account)).toMatchObject({ kind: 'iban' });
    const removed = await withText('Bank B, account 12345678');
    await remove(removed);
    expect([await get(removed), await textOf(removed)]).toEqual([null, { text: null }]);
    expect((await set(removed, IBAN_METHOD)).body.data.usable_from).toBe(isoIn(72));
  });

  it('that a node of an earlier release writes over a method is a change: it waits, and the owner is told', async () => {
    const account = await newAccount(service);
    await set(account, PAYPAL);
    await service.sql('delete from mails where user_id = $1', [account.userId]);
    await service.sql(`update users set payout_details = 'Bank A, account 12345678' where id = $1`, [account.userId]);
    await runJob();
    expect(await get(account)).toMatchObject({ kind: 'other', usable_from: isoIn(72) });
    const mails = await service.sql('select kind from mails where user_id = $1', [account.userId]);
    expect(mails).toEqual([{ kind: 'payout_method_changed' }]);
  });

  it('comes in any number', async () => {
    for (let n = 0; n < 101; n += 1) await withText(`Account number ${n} of many`);
    expect(await runJob()).toBe('sealed the payout details of 101 accounts');
  });
});

describe('a change is in the audit log', () => {
  it('of every workspace that pays the account, masked, and of its own', async () => {
    const [one, other] = [await ownedProgram(service), await ownedProgram(service)];
    const { userId, token } = await partnerAccount(service, one.partnerId);
    await service.sql('update partners set user_id = $2 where id = $1', [other.partnerId, userId]);
    await set({ token }, IBAN_METHOD);
    await set({ token }, PAYPAL);
    await remove({ userId, token, email: '' });
    const rows = async (made: OwnedProgram) =>
      (await service.call('GET', '/api/v1/manage/audit', { key: made.owner.token })).body.data
        .filter(({ action }: { action: string }) => action.includes('payout_method'))
        .map(({ sentence, before, after, subject, subject_id }: Record<string, unknown>) => ({
          sentence,
          before,
          after,
          subject,
          subject_id,
        }));
    const now = service.time.toISOString();
    for (const made of [one, other]) {
      const subject = { subject: 'partner', subject_id: String(made.partnerId) };
      expect(await rows(made)).toEqual([
        {
          sentence: 'Robin (account token) removed the payout method of the partner Jane',
          before: { payout_method: 'paypal j***@paypal.test' },
          after: { payout_method: null },
          ...subject,
        },
        {
          sentence: 'Robin (account token) changed the payout method of the partner Jane',
          before: { payout_method: 'iban DE****3000' },
          after: { payout_method: 'paypal j***@paypal.test', usable_from: isoIn(72) },
          ...subject,
        },
        {
          sentence: 'Robin (account token) added the payout method of the partner Jane',
          before: { payout_method: null },
          after: { payout_method: 'iban DE****3000', usable_from: now },
          ...subject,
        },
      ]);
    }
    const own = await service.sql(
      `select action, advertiser_id from audit_events where subject = 'account' and subject_id = $1 order by id`,
      [userId],
    );
    expect(own).toEqual([
      { action: 'account.payout_method_changed', advertiser_id: null },
      { action: 'account.payout_method_changed', advertiser_id: null },
      { action: 'account.payout_method_removed', advertiser_id: null },
    ]);
  });
});

describe('nobody but the account learns more than the kind and the masked end', () => {
  const NUMBERS = [IBAN, '000123456789', 'jane.doe@paypal.test', 'Jane Holder'];

  it('in no list, file or event of the brand, of the partner, or of anyone else', async () => {
    const made = await ownedProgram(service);
    const partner = await partnerAccount(service, made.partnerId);
    const { usable_from } = (await set(partner, { ...IBAN_METHOD, holder_name: 'Jane Holder' })).body.data;
    await approvedSale(service, made);
    const paid = await asOwner(service, made, 'POST', '/payouts', {});
    expect(paid.body.data).toMatchObject([{ payout_method_kind: 'iban', payout_method: 'DE****3000' }]);
    await untilNumbered(service);
    const paths = [
      `/partners/${made.partnerId}`,
      '/partners',
      '/balances',
      '/payouts',
      `/payouts/${paid.body.data[0].id}`,
      '/export/payouts.csv',
      '/events/feed',
    ];
    for (const key of [made.owner.token, partner.token]) {
      for (const path of paths) {
        const { text } = await service.call('GET', manage(made, path), { key });
        for (const number of NUMBERS) expect(text).not.toContain(number);
      }
    }
    const csv = (await service.call('GET', manage(made, '/export/payouts.csv'), { key: made.owner.token })).text;
    expect(csv).toContain('iban,DE****3000');
    const details = await asOwner(service, made, 'GET', `/partners/${made.partnerId}`);
    expect(details.body.data.payout_method).toEqual({ kind: 'iban', masked: 'DE****3000', usable_from });
  });

  it('and no table has a number in clear, after any step', async () => {
    const { cookie, userId, email } = await signUp(service);
    const made = await ownedProgram(service);
    await service.sql('update partners set user_id = $2 where id = $1', [made.partnerId, userId]);
    await approvedSale(service, made);
    const headers = { cookie, origin: OWN_ORIGIN };
    let step = 0;
    const send = (method: string, body?: object) => {
      step += 1;
      return service.call(method, PATH, { headers: { ...headers, 'idempotency-key': `${userId} ${step}` }, body });
    };
    const steps = [
      () => send('PUT', { ...IBAN_METHOD, iban: 'DE88370400440532013000' }),
      () => send('PUT', IBAN_METHOD),
      () => asOwner(service, made, 'POST', '/payouts', {}),
      () => send('PUT', US),
      () => send('PUT', PAYPAL),
      () => send('DELETE'),
      () => send('PUT', { kind: 'other', text: `Account ${IBAN}`, ...HOLDER }),
    ];
    for (const take of steps) {
      await take();
      await untilNumbered(service);
      const stored = await everythingStored(service);
      for (const number of [IBAN, 'DE88370400440532013000', '000123456789', 'jane.doe@paypal.test', '021000021']) {
        expect(stored).not.toContain(number);
      }
      expect(service.logLines.join()).not.toContain('3704004405');
    }
    const removed = await service.call('POST', '/api/auth/delete-user', {
      body: { password: PASSWORD },
      headers,
      ip: newAddress(),
    });
    expect(removed.status).toBe(200);
    expect(await service.sql('select 1 from payout_methods where user_id = $1', [userId])).toEqual([]);
    const left = await everythingStored(service);
    for (const text of [email, 'j***@paypal.test', 'DE****3000', '****6789']) {
      const about = await service.sql(
        `select action from audit_events where (before::text || after::text) like $1 and subject_id in ($2, $3)`,
        [`%${text}%`, userId, String(made.partnerId)],
      );
      expect(about).toEqual([]);
    }
    expect(left).not.toContain(email);
  });
});

it('a payout of a run keeps how it was paid, and forgets where, when the account is deleted', async () => {
  const { cookie, userId } = await signUp(service);
  const made = await ownedProgram(service);
  await service.sql('update partners set user_id = $2 where id = $1', [made.partnerId, userId]);
  await approvedSale(service, made);
  const { body } = await asOwner(service, made, 'POST', '/payouts', {});
  const [{ id }] = body.data;
  await service.sql(`update payouts set method_kind = 'iban', method_masked = 'DE****3000' where id = $1`, [id]);
  const payout = async () => (await asOwner(service, made, 'GET', `/payouts/${id}`)).body.data;
  expect(await payout()).toMatchObject({ payout_method_kind: 'iban', payout_method: 'DE****3000' });
  const headers = { cookie, origin: OWN_ORIGIN };
  await service.call('POST', '/api/auth/delete-user', { body: { password: PASSWORD }, headers, ip: newAddress() });
  expect(await payout()).toMatchObject({ payout_method_kind: 'iban', payout_method: null });
});
