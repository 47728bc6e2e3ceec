import { manage, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { importedRow, newPartnerEmail, sendRows, undoImport } from '@svc/testkit/service/imports.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { proveBooks } from '../books/prove-books.ts';
import { purgeAuditLog } from '../jobs/purge-audit-log.ts';

const service = useService();

const owed = (programId: number) =>
  service.sql(
    `select kind, currency, commission_cents, stage, reason from commissions where program_id = $1 order by id`,
    [programId],
  );

const BALANCE = { currency: 'USD', pending_cents: 100, approved_cents: 5_000, paid_cents: 90_000 };
const ADJUSTED = {
  kind: 'adjustment',
  currency: 'USD',
  commission_cents: 5_000,
  stage: 'approved',
  reason: 'Opening balance from rewardful',
};

it('opening balances are shown to the brand and to the partner, and are not payable', async () => {
  const made = await ownedProgram(service);
  const { body } = await sendRows(service, made, [
    importedRow({ balances: [BALANCE] }),
    importedRow({ balances: [BALANCE] }),
  ]);
  const [{ partner_id: partnerId }] = body.data.rows;
  expect(await owed(made.program.id)).toEqual([]);
  const account = await partnerAccount(service, partnerId);
  const shown = {
    source: 'rewardful',
    partner_id: partnerId,
    ...BALANCE,
    commission_id: null,
    created_at: service.time.toISOString(),
  };
  const own = await service.call('GET', manage(made, '/opening-balances'), { key: account.token });
  expect(own.body).toEqual({ data: [shown], meta: { next_cursor: null, limit: 25 } });
  const all = await service.call('GET', manage(made, '/opening-balances'), { key: made.owner.token });
  expect(all.body.data).toHaveLength(2);
});

it('the approved part is payable once, however often and from wherever it is sent', async () => {
  const made = await ownedProgram(service);
  const row = importedRow({ balances: [BALANCE] });
  const send = (settings: object, balances: object[] = [BALANCE]) =>
    sendRows(service, made, [{ ...row, balances }], { pay_approved: true, ...settings });
  await sendRows(service, made, [row]);
  const [first, again] = [await send({}), await send({})];
  expect(first.body.data.rows[0].balances).toMatchObject([{ outcome: 'merged', commission_id: expect.any(Number) }]);
  expect(again.body.data.rows[0].balances).toEqual([{ ...first.body.data.rows[0].balances[0], outcome: 'unchanged' }]);
  const twice = await send({}, [
    { ...BALANCE, currency: 'usd' },
    { ...BALANCE, currency: 'Usd' },
  ]);
  expect(twice.body.data.rows[0].balances).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'unchanged' }]);
  const changed = await send({}, [{ ...BALANCE, approved_cents: 6_000 }]);
  expect(changed.body.data.rows[0].balances).toMatchObject([
    {
      outcome: 'refused',
      message:
        'The import has another opening balance of this partner in this currency. Undo the import to replace it.',
    },
  ]);
  const other = await send({ source: 'tolt' });
  expect(other.body.data.rows[0].balances).toMatchObject([
    {
      outcome: 'created',
      commission_id: null,
      message: 'An opening balance of this partner in this currency was made payable before. This one is only shown.',
    },
  ]);
  expect(await owed(made.program.id)).toEqual([ADJUSTED]);
  expect(
    await service.sql(`select 1 from mails where kind = 'balance_adjusted' and advertiser_id = $1`, [made.workspaceId]),
  ).toEqual([]);
});

it('somebody whose address has changed in the other tool is not paid a second time', async () => {
  const made = await ownedProgram(service);
  const row = importedRow({ balances: [BALANCE] });
  const moved = (email: string, partner: object = {}) => ({ ...row, partner: { ...row.partner, email, ...partner } });
  const send = (...rows: object[]) => sendRows(service, made, rows, { pay_approved: true });
  const paid = await send(row);
  const refusal = {
    outcome: 'refused',
    partner_id: null,
    messages: [
      {
        field: 'partner.external_id',
        message:
          'Jane Doe was imported with this external_id and another email address. Send that one, or undo the import.',
      },
    ],
    balances: [],
  };
  const again = await send(moved(newPartnerEmail()), moved(row.partner.email.toUpperCase()));
  expect(again.body.data.rows).toMatchObject([refusal, { outcome: 'unchanged' }]);
  const [partner_id] = [paid.body.data.rows[0].partner_id];
  const body = { partner_ids: [partner_id], currency: 'USD' };
  await service.call('POST', manage(made, '/payouts'), { key: made.owner.token, body });
  await undoImport(service, made, paid.body.data.import.id);
  expect((await send(moved(newPartnerEmail()))).body.data.rows).toMatchObject([refusal]);
  expect(await owed(made.program.id)).toEqual([ADJUSTED]);

  const other = { external_id: newId('ext') };
  const twice = await send(moved(newPartnerEmail(), other), moved(newPartnerEmail(), other));
  expect(twice.body.data.rows).toMatchObject([
    { outcome: 'created' },
    { outcome: 'refused', messages: [{ message: 'Row 0 has this external_id with another email address.' }] },
  ]);
  expect(await owed(made.program.id)).toHaveLength(2);
});

describe('a partner about whom only the books have entries when an import is undone', () => {
  /** A program after an import whose approved amount was made payable, and after its undo. */
  async function undone() {
    const made = await ownedProgram(service);
    const row = importedRow({ balances: [BALANCE] });
    const { body } = await sendRows(service, made, [row], { pay_approved: true });
    const partnerId = body.data.rows[0].partner_id;
    const answer = await undoImport(service, made, body.data.import.id);
    const list = async (status: string) => {
      const found = await service.call('GET', manage(made, `/partners?status=${status}`), { key: made.owner.token });
      return found.body.data.map(({ id }: { id: number }) => id);
    };
    return { made, row, partnerId, answer, list };
  }

  it('is removed from the program, and the adjustment is taken back', async () => {
    const { made, partnerId, answer, list } = await undone();
    expect(answer.body.data).toMatchObject({ removed: { balances: 1, links: 1, partners: 1 }, kept: [] });
    expect(await owed(made.program.id)).toEqual([]);
    expect([await list('removed'), await list('active')]).toEqual([[partnerId], [made.partnerId]]);
    const entries = await service.sql(
      'select sum(payable_cents) as payable, count(*) from book_entries where program_id = $1 and partner_id = $2',
      [made.program.id, partnerId],
    );
    expect(entries).toEqual([{ payable: '0', count: 2 }]);
    expect(await proveBooks(service.ctx, made.program.id)).toEqual([]);
  });

  it('is a member again with the next import, which may pay the amount', async () => {
    const { made, row, partnerId, list } = await undone();
    const again = await sendRows(service, made, [row], { pay_approved: true });
    expect(again.body.data.rows).toMatchObject([{ outcome: 'created', partner_id: partnerId }]);
    expect(await list('active')).toEqual(expect.arrayContaining([partnerId]));
    expect(await owed(made.program.id)).toEqual([ADJUSTED]);
    const [{ id }] = (await service.call('GET', manage(made, '/imports'), { key: made.owner.token })).body.data;
    expect((await undoImport(service, made, id)).body.data).toMatchObject({ removed: { partners: 1 }, kept: [] });
  });

  it('stays removed if a person has removed them since', async () => {
    const { made, row, partnerId } = await undone();
    const path = manage(made, `/partners/${partnerId}`);
    for (const status of ['active', 'removed']) {
      expect((await service.call('PATCH', path, { key: made.owner.token, body: { status } })).status).toBe(200);
    }
    const refused = { field: 'partner.email', message: 'The partner was removed from this program.' };
    expect((await sendRows(service, made, [row])).body.data.rows).toMatchObject([
      { outcome: 'refused', messages: [refused] },
    ]);
  });

  it('may join again by themselves where they have an account', async () => {
    const made = await ownedProgram(service);
    const sister = { ...(await service.program({ workspaceId: made.workspaceId })), owner: made.owner };
    const row = importedRow({ balances: [BALANCE] });
    const there = await sendRows(service, sister, [importedRow({ partner: { email: row.partner.email } })]);
    const partnerId = there.body.data.rows[0].partner_id;
    const account = await partnerAccount(service, partnerId);
    const opened = await service.call('PATCH', manage(made), { key: made.owner.token, body: { joining: 'open' } });
    const join = () => {
      const body = { token: new URL(opened.body.data.join_url).hash.slice(1) };
      return service.call('POST', '/api/v1/manage/invitations/accept', { key: account.token, body });
    };
    const { body } = await sendRows(service, made, [row], { pay_approved: true });
    const answer = await undoImport(service, made, body.data.import.id);
    expect(answer.body.data).toMatchObject({ removed: { partners: 1 }, kept: [] });

    expect(await join()).toMatchObject({ status: 200, body: { data: { status: 'active' } } });
    const path = manage(made, `/partners/${partnerId}`);
    const removed = { key: made.owner.token, body: { status: 'removed' } };
    expect((await service.call('PATCH', path, removed)).status).toBe(200);
    expect((await join()).status).toBe(409);
  });

  it('stays if anything else of theirs does', async () => {
    const made = await ownedProgram(service);
    const row = importedRow({ balances: [BALANCE] });
    const { body } = await sendRows(service, made, [row], { pay_approved: true });
    await service.clickId(row.links[0]!.code);
    expect((await undoImport(service, made, body.data.import.id)).body.data).toMatchObject({
      removed: { balances: 1, partners: 0 },
      kept: [
        { kind: 'link', reason: 'clicks', count: 1 },
        { kind: 'partner', reason: 'customers', count: 1 },
      ],
    });
  });
});

it('a partner with entries in the books whom a person has removed stays removed when the audit log no longer says so', async () => {
  const made = await ownedProgram(service);
  await sold(service, made);
  const { program, partnerId } = made;
  const [{ email } = { email: '' }] = await service.sql<{ email: string }>('select email from partners where id = $1', [
    partnerId,
  ]);
  const booked = 'select 1 from book_entries where program_id = $1 and partner_id = $2';
  expect(await service.sql(booked, [program.id, partnerId])).not.toEqual([]);
  const removed = { key: made.owner.token, body: { status: 'removed' } };
  expect((await service.call('PATCH', manage(made, `/partners/${partnerId}`), removed)).status).toBe(200);
  service.time = new Date(service.time.getTime() + 2 * 86_400_000);
  expect(await purgeAuditLog(1).run(service.ctx)).not.toBeNull();

  expect((await sendRows(service, made, [importedRow({ partner: { email } })])).body.data.rows).toMatchObject([
    {
      outcome: 'refused',
      messages: [{ field: 'partner.email', message: 'The partner was removed from this program.' }],
    },
  ]);
});

it('undoing keeps an adjustment that is in a payout, and it is not paid a second time', async () => {
  const made = await ownedProgram(service);
  const row = importedRow({ balances: [BALANCE] });
  const { body } = await sendRows(service, made, [row], { pay_approved: true });
  const partner_id = body.data.rows[0].partner_id;
  const payout = await service.call('POST', manage(made, '/payouts'), {
    key: made.owner.token,
    body: { partner_ids: [partner_id], currency: 'USD' },
  });
  expect(payout.status).toBe(201);
  const undone = await undoImport(service, made, body.data.import.id);
  expect(undone.body.data.kept).toEqual([
    { kind: 'balance', reason: 'payouts', count: 1 },
    { kind: 'partner', reason: 'payouts', count: 1 },
  ]);
  const again = await sendRows(service, made, [row], { pay_approved: true });
  expect(again.body.data.rows[0].balances).toMatchObject([{ outcome: 'created', commission_id: null }]);
  expect(await owed(made.program.id)).toHaveLength(1);
});
