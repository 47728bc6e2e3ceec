import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { couponIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { openPayout } from '@svc/testkit/service/routes/requests/payouts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

const NOT_FOUND = { status: 404, body: platformError(404, 'NotFoundError', 'Not Found') };

const reads = (made: OwnedProgram, key: string) => async (path: string) => {
  const { status, body } = await service.call('GET', manage(made, path), { key });
  return { status, body };
};

/** A program with a row in each list. Its customers have e-mail addresses as keys. */
async function filledProgram() {
  const made = await ownedProgram(service);
  const customerKey = `${newId('ann')}@shop.test`;
  await service.customer(made, customerKey);
  const sale = await sold(service, made, { customer_key: customerKey });
  await openPayout(service, made);
  await couponIdOf(service, made);
  const partner = await partnerAccount(service, made.partnerId);
  const other = await service.partner(made.program);
  const otherPartner = await partnerAccount(service, other.partnerId);
  return {
    ...made,
    ...sale,
    customerKey,
    brand: reads(made, made.owner.token),
    partner: reads(made, partner.token),
    otherPartner: reads(made, otherPartner.token),
  };
}

it('each row of a list can be read by its id, by those who have it in their list, and as they have it there', async () => {
  const { brand, partner, otherPartner } = await filledProgram();
  for (const list of ['sales', 'commissions', 'links', 'coupons', 'customers', 'payouts']) {
    for (const read of [brand, partner]) {
      const { body } = await read(`/${list}`);
      expect(body.data.length).toBeGreaterThan(0);
      for (const row of body.data) {
        const found = await read(`/${list}/${row.id}`);
        expect(found).toMatchObject({ status: 200, body: { data: row } });
        if (!['customers', 'payouts'].includes(list)) expect(found.body).toEqual({ data: row });
        if (read === partner) expect(await otherPartner(`/${list}/${row.id}`)).toEqual(NOT_FOUND);
      }
    }
  }
  const [{ id, numbers }] = (await brand('/partners')).body.data;
  expect((await brand(`/partners/${id}`)).body.data).toMatchObject({ id, numbers });
});

it('a link can be read after it was deleted', async () => {
  const { brand, owner, ...made } = await filledProgram();
  const [link] = (await brand('/links')).body.data;
  await service.call('DELETE', manage(made, `/links/${link.id}`), { key: owner.token });
  const { body } = await brand(`/links/${link.id}`);
  expect(body.data).toEqual({ ...link, active: body.data.active, deleted_at: service.time.toISOString() });
  expect((await brand('/links?deleted=true')).body.data).toEqual([body.data]);
});

it('a sale can be read by each id that its payment is known by, however it is spelled', async () => {
  const { brand, partner, otherPartner, saleId, program } = await filledProgram();
  const alias = `${newId('in')}/2026 ½?&#%2F..`;
  await service.sql('insert into transactions (processor_event_id, program_id, sale_id) values ($1, $2, $3)', [
    alias,
    program.id,
    saleId,
  ]);
  const { body } = await brand(`/sales/${saleId}`);
  for (const id of [body.data.transaction_id, alias]) {
    const path = `/sales/by-transaction-id/${encodeURIComponent(id)}`;
    expect(await brand(path)).toEqual({ status: 200, body });
    expect((await partner(path)).body.data.id).toBe(saleId);
    expect(await otherPartner(path)).toEqual(NOT_FOUND);
    const listed = await brand(`/sales?transaction_id=${encodeURIComponent(id)}`);
    expect(listed.body.data).toEqual([body.data]);
    const commissions = await brand(`/commissions?transaction_id=${encodeURIComponent(id)}`);
    expect(commissions.body.data).toMatchObject([{ sale_id: saleId }]);
  }
  for (const id of ['order', 'a'.repeat(256), '%00', '%ff', '%ED%A0%80']) {
    expect(await brand(`/sales/by-transaction-id/${id}`)).toEqual(NOT_FOUND);
  }
});

it('a customer can be read by the key of the brand; partners cannot try out e-mail addresses', async () => {
  const { brand, partner, otherPartner, customerKey, ...made } = await filledProgram();
  const path = `/customers/by-customer-key/${encodeURIComponent(customerKey)}`;
  const { status, body } = await brand(path);
  expect({ status, key: body.data.customer_key }).toEqual({ status: 200, key: customerKey });
  expect(await brand(`/customers/${body.data.id}`)).toEqual({ status, body });
  expect(await partner(path)).toEqual(NOT_FOUND);
  const longKey = 'k'.repeat(255);
  await service.customer(made, longKey);
  expect((await partner(`/customers/by-customer-key/${longKey}`)).body.data.customer_key).toBe(longKey);
  expect(await otherPartner(`/customers/by-customer-key/${longKey}`)).toEqual(NOT_FOUND);
  // Also where a path of its own would have this word after an id.
  await service.customer(made, 'export');
  expect((await brand('/customers/by-customer-key/export')).body.data.customer_key).toBe('export');
});

it('rows of tests are in no list, and cannot be read by their id either', async () => {
  const { brand, apiKey: key } = await filledProgram();
  const transactionId = newId('order');
  const test = { transaction_id: transactionId, additional_data: { test_mode: true } };
  const { body } = await service.sale(test, { key });
  expect(body.data.sale_id).toEqual(expect.any(Number));
  expect(await brand(`/sales/${body.data.sale_id}`)).toEqual(NOT_FOUND);
  expect(await brand(`/sales/by-transaction-id/${transactionId}`)).toEqual(NOT_FOUND);
});
