import { manage, memberOf, newAccount, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { ofAddress } from '../mail/mail-count-store.ts';

// Nothing listens there, so that everything that is queued stays in the queue, with its address.
const mailing = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });
const silent = useService();

const newAddress = (name = 'partner') => `${newId(name)}@people.test`;
const people = (count: number) => Array.from({ length: count }, () => ({ name: 'Joan', email: newAddress('joan') }));

type Service = typeof mailing;

/** Starts a bulk action, waits until nothing is left to do, and returns it with its rows. */
async function finished(service: Service, made: OwnedProgram, what: string, body: object) {
  const started = await asOwner(service, made, 'POST', `/bulk-actions/${what}`, body);
  expect(started.status).toBe(201);
  await service.ctx.bulkWorker.idle();
  const { id } = started.body.data;
  const { data } = (await asOwner(service, made, 'GET', '/bulk-actions')).body;
  const rows = await asOwner(service, made, 'GET', `/bulk-actions/${id}/rows?limit=100`);
  return {
    id,
    action: data.find((each: { id: number }) => each.id === id),
    rows: rows.body.data,
    meta: rows.body.meta,
  };
}

const mailsTo = async (service: Service, address: string) =>
  (await service.sql('select from mails where address = $1', [address])).length;

/** As if so many invitations had been mailed today. */
const countMails = (service: Service, counted: string, count: number) =>
  service.sql(
    `insert into mail_counts (counted, kind, since, count)
     values ($1, 'partner_invitation', date_trunc('day', $2::timestamptz, 'UTC'), $3)
     on conflict (counted, kind, since) do update set count = excluded.count`,
    [counted, service.time, count],
  );

describe('inviting many partners', () => {
  it('is one request that is carried out once, and says what became of each row', async () => {
    const made = await ownedProgram(mailing);
    const [known, joined, fresh] = [newAddress('known'), newAddress('joined'), newAddress('fresh')];
    await asOwner(mailing, made, 'POST', '/partners', { name: 'Known', email: known });
    await asOwner(mailing, made, 'POST', '/partners', { name: 'Joined', email: joined });
    await mailing.sql('update partners set joined_itself = true where email = $1', [joined]);
    const partners = [
      { name: 'Fresh', email: fresh },
      { name: 'Known', email: known.toUpperCase() },
      { name: 'Twice', email: fresh },
      { name: 'Joined', email: joined },
      { name: 'Nobody', email: 'nobody' },
    ];
    const { id, action, rows, meta } = await finished(mailing, made, 'invite-partners', { partners });
    expect(action).toMatchObject({ kind: 'invite_partners', change: {}, status: 'done', total: 5, changed: 1 });
    expect(action.skipped).toEqual(
      expect.arrayContaining([
        { reason: 'already_partner', count: 1 },
        { reason: 'repeated', count: 1 },
        { reason: 'refused', count: 2 },
      ]),
    );
    const none = { mailed: false, mail_refusal: null, invite_url: null, message: null };
    expect(rows).toEqual([
      {
        ...none,
        row: 0,
        name: 'Fresh',
        email: fresh,
        outcome: 'invited',
        mailed: true,
        partner_id: expect.any(Number),
      },
      { ...none, row: 1, name: 'Known', email: known, outcome: 'already_partner', partner_id: expect.any(Number) },
      { ...none, row: 2, name: null, email: null, outcome: 'repeated', partner_id: null },
      {
        ...none,
        row: 3,
        name: 'Joined',
        email: joined,
        outcome: 'refused',
        message: expect.stringMatching(/join/),
        partner_id: expect.any(Number),
      },
      {
        ...none,
        row: 4,
        name: null,
        email: null,
        outcome: 'refused',
        message: 'email must be an email address',
        partner_id: null,
      },
    ]);
    expect(meta).toMatchObject({ mailed: 1, not_mailed: 0, next_cursor: null });
    expect(await mailsTo(mailing, fresh)).toBe(1);
    const viewer = await memberOf(mailing, made.workspaceId, 'viewer');
    const seen = await mailing.call('GET', manage(made, `/bulk-actions/${id}/rows`), { key: viewer.token });
    expect(seen.status).toBe(403);
  });

  it('with a repeated Idempotency-Key starts nothing again', async () => {
    const made = await ownedProgram(mailing);
    const request = {
      key: made.owner.token,
      headers: { 'idempotency-key': newId('key') },
      body: { partners: people(30) },
    };
    const send = () => mailing.call('POST', manage(made, '/bulk-actions/invite-partners'), request);
    const first = await send();
    expect(await send()).toMatchObject({ status: 201, body: first.body });
    await mailing.ctx.bulkWorker.idle();
    const { data } = (await asOwner(mailing, made, 'GET', '/bulk-actions')).body;
    expect(data).toMatchObject([{ status: 'done', total: 30, changed: 30 }]);
    const pages = await asOwner(mailing, made, 'GET', `/bulk-actions/${first.body.data.id}/rows?limit=20`);
    expect(pages.body.data.map(({ row }: { row: number }) => row)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    const next = `?limit=20&cursor=${pages.body.meta.next_cursor}`;
    const last = await asOwner(mailing, made, 'GET', `/bulk-actions/${first.body.data.id}/rows${next}`);
    expect(last.body.data.map(({ row }: { row: number }) => row)).toEqual(Array.from({ length: 10 }, (_, n) => n + 20));
  });

  it('keeps to the limits for invitations, says so for each row, and has the links that were not mailed', async () => {
    const made = await ownedProgram(mailing);
    await countMails(mailing, `workspace ${made.workspaceId}`, 999);
    const partners = people(2);
    const { id, action, rows, meta } = await finished(mailing, made, 'invite-partners', { partners });
    expect(action).toMatchObject({ changed: 2, skipped: [] });
    expect(rows).toMatchObject([
      { outcome: 'invited', mailed: true, mail_refusal: null, invite_url: null },
      { outcome: 'invited', mailed: false, mail_refusal: 'workspace_limit', invite_url: expect.any(String) },
    ]);
    expect(meta).toMatchObject({ mailed: 1, not_mailed: 1 });
    // Sealed: a copy of the store does not let anyone in.
    const [stored] = await mailing.sql<{ token: string }>(
      'select token_sealed as token from bulk_action_rows where token_sealed is not null and bulk_action_id = $1',
      [id],
    );
    expect(stored?.token).not.toContain('svc_inv_');
    const file = await asOwner(mailing, made, 'GET', `/bulk-actions/${id}/rows.csv`);
    expect(file.text).toContain(rows[1].invite_url);
    const token = rows[1].invite_url.split('#')[1];
    const guest = await newAccount(mailing, partners[1]?.email as string);
    await mailing.sql('update users set email_verified = true where id = $1', [guest.userId]);
    const accepted = await mailing.call('POST', '/api/v1/manage/invitations/accept', {
      key: guest.token,
      body: { token },
    });
    expect(accepted.status).toBe(200);
    const after = await asOwner(mailing, made, 'GET', `/bulk-actions/${id}/rows`);
    expect(after.body.data[1].invite_url).toBeNull();
  });
});

describe('sending all invitations again', () => {
  const INVITED = { status: 'active', has_account: 'false' };

  it('replaces every link that can be mailed, and leaves the others as they are', async () => {
    const made = await ownedProgram(mailing);
    await mailing.sql('update partners set user_id = $2 where id = $1', [
      made.partnerId,
      (await newAccount(mailing)).userId,
    ]);
    const [lucky, tired] = people(2);
    await finished(mailing, made, 'invite-partners', { partners: [lucky, tired] });
    const invitations = () =>
      mailing.sql<{ id: number; email: string }>(
        'select id, email from invitations where advertiser_id = $1 and accepted_at is null order by email = $2 desc',
        [made.workspaceId, lucky?.email],
      );
    const [first, second] = await invitations();
    await countMails(mailing, ofAddress(tired?.email as string), 5);
    const other = { filter: INVITED, count: 3 };
    expect((await asOwner(mailing, made, 'POST', '/bulk-actions/resend-invitations', other)).status).toBe(409);
    const { action, rows } = await finished(mailing, made, 'resend-invitations', { filter: INVITED, count: 2 });
    expect(action).toMatchObject({ kind: 'resend_invitations', status: 'done', total: 2, changed: 1 });
    expect(action.skipped).toEqual([{ reason: 'recipient_limit', count: 1 }]);
    const of = (email: string | undefined) => rows.find((row: { email: string }) => row.email === email);
    expect(of(lucky?.email)).toMatchObject({ outcome: 'invited', mailed: true, invite_url: null });
    expect(of(tired?.email)).toMatchObject({
      outcome: 'refused',
      mailed: false,
      mail_refusal: 'recipient_limit',
      message: 'The address has had as many invitations as it may get in a day.',
    });
    const [replaced, kept] = await invitations();
    expect(kept).toEqual(second);
    expect(replaced?.id).not.toBe(first?.id);
    expect(await mailsTo(mailing, lucky?.email as string)).toBe(2);
    expect(await mailsTo(mailing, tired?.email as string)).toBe(1);
  });

  it('goes to the address that the partner was invited with last', async () => {
    const made = await ownedProgram(mailing);
    const [person] = people(1);
    const right = newAddress('right');
    const { rows: added } = await finished(mailing, made, 'invite-partners', { partners: [person] });
    const partnerId = added[0].partner_id;
    await asOwner(mailing, made, 'POST', `/partners/${partnerId}/invitation`, { email: right });
    await finished(mailing, made, 'resend-invitations', { ids: [partnerId] });
    expect(await mailsTo(mailing, right)).toBe(2);
    expect(await mailsTo(mailing, person?.email as string)).toBe(1);
  });

  it('says nothing about partners of other programs', async () => {
    const [made, other] = [await ownedProgram(silent), await ownedProgram(silent)];
    const { action, rows } = await finished(silent, made, 'resend-invitations', { ids: [other.partnerId] });
    expect(action.skipped).toEqual([{ reason: 'not_found', count: 1 }]);
    expect(rows[0]).toMatchObject({ outcome: 'refused', name: null, email: null, partner_id: null });
    // A row that was stored with the partner's id says no more.
    await silent.sql('update bulk_action_rows set partner_id = $1 where bulk_action_id = $2', [
      other.partnerId,
      action.id,
    ]);
    const again = await asOwner(silent, made, 'GET', `/bulk-actions/${action.id}/rows`);
    expect(again.body.data[0]).toMatchObject({ name: null, email: null });
  });

  it('skips those with an account, and has the links where the installation sends no mail', async () => {
    const made = await ownedProgram(silent);
    const [waiting] = people(1);
    const invited = await finished(silent, made, 'invite-partners', { partners: [waiting] });
    expect(invited.rows[0]).toMatchObject({ mailed: false, mail_refusal: 'mail_off', invite_url: expect.any(String) });
    await silent.sql('update partners set user_id = $2 where id = $1', [
      made.partnerId,
      (await newAccount(silent)).userId,
    ]);
    const ids = [invited.rows[0].partner_id, made.partnerId];
    const { action, rows } = await finished(silent, made, 'resend-invitations', { ids });
    expect(action).toMatchObject({ changed: 1, skipped: [{ reason: 'has_account', count: 1 }] });
    expect(rows[0]).toMatchObject({ mail_refusal: 'mail_off', invite_url: expect.stringContaining('/invite#') });
    expect(rows[0].invite_url).not.toBe(invited.rows[0].invite_url);
    const before = await asOwner(silent, made, 'GET', `/bulk-actions/${invited.id}/rows`);
    expect(before.body.data[0].invite_url).toBeNull();
  });
});
