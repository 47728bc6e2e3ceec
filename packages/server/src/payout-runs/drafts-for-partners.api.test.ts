import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { csvCells } from '@svc/testkit/service/csv-cells.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { draft, type Payee, payee, runCall } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const asPartner = (made: OwnedProgram, { account }: Payee, rest: string) =>
  service.call('GET', manage(made, rest), { key: account.token });

/** The payout that a partner finds at their only commission, in the list and in the file. */
async function shownTo(made: OwnedProgram, jane: Payee) {
  const [{ payout_id: listed }] = (await asPartner(made, jane, '/commissions')).body.data;
  const { text } = await asPartner(made, jane, '/export/commissions.csv');
  const [titles = '', line = ''] = text.split('\r\n');
  return { listed, exported: csvCells(line)[csvCells(titles).indexOf('payout_id')] };
}

it('a partner finds no payout at a commission before its run is approved; the brand does', async () => {
  const made = await ownedProgram(service);
  const jane = await payee(service, made);
  await approvedSale(service, jane);
  const run = await draft(service, made);
  const [{ id }] = run.payouts;
  expect((await asPartner(made, jane, `/payouts/${id}`)).status).toBe(404);
  expect(await shownTo(made, jane)).toEqual({ listed: null, exported: '' });
  expect((await asOwner(service, made, 'GET', '/commissions')).body.data).toMatchObject([{ payout_id: id }]);
  await runCall(service, made, 'POST', `/${run.id}/approve`);
  expect(await shownTo(made, jane)).toEqual({ listed: id, exported: String(id) });
  expect((await asPartner(made, jane, `/payouts/${id}`)).status).toBe(200);
});

it('what a partner exports of their account has no payout before its run is approved', async () => {
  const made = await ownedProgram(service);
  const jane = await payee(service, made);
  await approvedSale(service, jane);
  const exported = async () => {
    const { body } = await service.call('GET', '/api/v1/manage/me/export', { key: jane.account.token });
    return body.data.payouts.map(({ id }: { id: number }) => id);
  };
  const cancelled = await draft(service, made);
  expect(await exported()).toEqual([]);
  await runCall(service, made, 'POST', `/${cancelled.id}/cancel`);
  expect(await exported()).toEqual([]);
  const run = await draft(service, made);
  await runCall(service, made, 'POST', `/${run.id}/approve`);
  expect(await exported()).toEqual([run.payouts[0].id]);
});

it('a payout without a run is found at once', async () => {
  const made = await ownedProgram(service);
  const jane = await payee(service, made);
  await approvedSale(service, jane);
  const [payout] = await paidOut(service, made);
  expect(await shownTo(made, jane)).toEqual({ listed: payout?.id, exported: String(payout?.id) });
});
