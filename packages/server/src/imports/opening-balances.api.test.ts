import { manage, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { importedRow, newPartnerEmail, sendRows, undoImport } from '@svc/testkit/service/imports.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

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

it('undoing takes an adjustment back that was not paid, and the next import may pay it', async () => {
  const made = await ownedProgram(service);
  const row = importedRow({ balances: [BALANCE] });
  const { body } = await sendRows(service, made, [row], { pay_approved: true });
  const undone = await undoImport(service, made, body.data.import.id);
  expect(undone.body.data).toMatchObject({
    removed: { balances: 1, links: 1, partners: 0 },
    kept: [{ kind: 'partner', reason: 'books', count: 1 }],
  });
  expect(await owed(made.program.id)).toEqual([]);
  await sendRows(service, made, [row], { pay_approved: true });
  expect(await owed(made.program.id)).toEqual([ADJUSTED]);
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
