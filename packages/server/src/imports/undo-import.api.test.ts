import { manage, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { importedCounts, importedRow, sendRows, undoImport } from '@svc/testkit/service/imports.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

const fullRow = () =>
  importedRow({
    coupons: [newId('SAVE')],
    customers: [{ external_id: newId('user'), processor_customer_id: newId('cus'), email: `${newId('a')}@b.test` }],
    balances: [{ currency: 'USD', approved_cents: 1 }],
  });

it('leaves nothing to which nothing has happened, and can be repeated', async () => {
  const made = await ownedProgram(service);
  const other = await ownedProgram(service);
  const taken = { parameter: 'via', code: other.link };
  const before = await importedCounts(service, made);
  const { body } = await sendRows(service, made, [fullRow(), fullRow(), { ...fullRow(), links: [taken] }]);
  const importId = body.data.import.id;
  const all = { partners: 3, links: 3, coupons: 3, customers: 3, balances: 3 };
  const nothing = { partners: 0, links: 0, coupons: 0, customers: 0, balances: 0 };
  for (let time = 0; time < 2; time += 1) {
    const undone = await undoImport(service, made, importId);
    expect(undone).toMatchObject({
      status: 200,
      body: { data: { status: 'undone', removed: all, created: nothing, kept: [] } },
    });
    expect(await importedCounts(service, made)).toEqual(before);
  }
  const shown = await service.call('GET', manage(made, `/imports/${importId}`), { key: made.owner.token });
  expect(shown.body.data).toMatchObject({ undone_at: service.time.toISOString(), removed: all });
});

it('starts a new import with what is sent afterwards', async () => {
  const made = await ownedProgram(service);
  const row = fullRow();
  const { body } = await sendRows(service, made, [row]);
  await undoImport(service, made, body.data.import.id);
  const again = await sendRows(service, made, [row]);
  expect(again.body.data.rows[0].outcome).toBe('created');
  expect(again.body.data.import.id).toBeGreaterThan(body.data.import.id);
});

it('keeps links with clicks, changed links and coupons, and partners who have an account or were invited', async () => {
  const made = await ownedProgram(service);
  const rows = Array.from({ length: 6 }, fullRow);
  const { body } = await sendRows(service, made, rows);
  const key = made.owner.token;
  const [clicked, changed, coupon, account, invited] = body.data.rows;
  await service.clickId(clicked.links[0].code);
  await service.call('PATCH', manage(made, `/links/${changed.links[0].link_id}`), { key, body: { label: 'Blog' } });
  await service.call('PATCH', manage(made, `/links/${changed.links[0].link_id}`), { key, body: { label: '' } });
  await service.call('PATCH', manage(made, `/coupons/${coupon.coupons[0].coupon_id}`), {
    key,
    body: { active: false },
  });
  await partnerAccount(service, account.partner_id);
  await service.call('POST', manage(made, `/partners/${invited.partner_id}/invitation`), { key, body: {} });
  const undone = await undoImport(service, made, body.data.import.id);
  expect(undone.body.data).toMatchObject({
    status: 'undone',
    removed: { partners: 1, links: 4, coupons: 5, customers: 6, balances: 6 },
    kept: [
      { kind: 'coupon', reason: 'changed', count: 1 },
      { kind: 'link', reason: 'changed', count: 1 },
      { kind: 'link', reason: 'clicks', count: 1 },
      { kind: 'partner', reason: 'account', count: 1 },
      { kind: 'partner', reason: 'customers', count: 1 },
      { kind: 'partner', reason: 'in_use', count: 2 },
      { kind: 'partner', reason: 'invited', count: 1 },
    ],
  });
  expect(await service.clickId(clicked.links[0].code)).toMatch(/^cust_/);
});

it('takes partners out of this program who are in another one too, and leaves them there', async () => {
  const made = await ownedProgram(service);
  const sister = { ...(await service.program({ workspaceId: made.workspaceId })), owner: made.owner };
  const row = importedRow();
  const { body } = await sendRows(service, made, [row]);
  const { body: second } = await sendRows(service, sister, [{ ...row, links: [] }]);
  const [{ partner_id: partnerId }] = body.data.rows;
  expect(second.data.rows[0]).toMatchObject({ outcome: 'created', partner_id: partnerId });
  await undoImport(service, made, body.data.import.id);
  const programs = () => service.sql('select program_id from memberships where partner_id = $1', [partnerId]);
  expect(await programs()).toEqual([{ program_id: sister.program.id }]);
  await undoImport(service, sister, second.data.import.id);
  expect(await service.sql('select 1 from partners where id = $1', [partnerId])).toEqual([]);
});
