import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { couponIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { openPayout } from '@svc/testkit/service/routes/requests/payouts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

type Row = { id: number; partner_id: number; customer_id?: number; partner?: object; customer?: object };

const reads = (made: OwnedProgram, key: string) => async (path: string) => {
  const { status, body } = await service.call('GET', manage(made, path), { key });
  return { status, body };
};

/** A program with two partners, each with a row in every list. */
async function twoPartners() {
  const made = await ownedProgram(service);
  const other = { ...made, ...(await service.partner(made.program)) };
  for (const each of [made, other]) {
    const customerKey = `${newId('ann')}@shop.test`;
    await service.customer(each, customerKey);
    await sold(service, each, { customer_key: customerKey });
    await openPayout(service, each);
    await couponIdOf(service, each);
  }
  const { token } = await partnerAccount(service, made.partnerId);
  return { made, other, brand: reads(made, made.owner.token), partner: reads(made, token) };
}

const LISTS: [list: string, expand: string][] = [
  ['sales', 'partner,customer'],
  ['commissions', 'customer,partner'],
  ['customers', 'partner'],
  ['links', 'partner'],
  ['coupons', 'partner'],
  ['payouts', 'partner'],
];

it('rows contain what was asked for as its own list has it, and are otherwise the same', async () => {
  const { made, other, brand } = await twoPartners();
  const rowsOf = async (list: string): Promise<Row[]> => (await brand(`/${list}`)).body.data;
  const partners = new Map(
    (await rowsOf('partners')).map(({ id, ...row }) => {
      const { numbers: _, last_30_days: __, ...partner } = row as Record<string, unknown>;
      return [id, { id, ...partner }];
    }),
  );
  const customers = new Map((await rowsOf('customers')).map((row) => [row.id, row]));
  for (const [list, expand] of LISTS) {
    const { status, body } = await brand(`/${list}?expand=${expand}&limit=50`);
    expect({ list, status }).toEqual({ list, status: 200 });
    const expected = (await rowsOf(list)).map((row) => ({
      ...row,
      partner: partners.get(row.partner_id),
      ...(expand.includes('customer') && { customer: customers.get(row.customer_id as number) }),
    }));
    expect(body.data).toEqual(expected);
    const named = body.data.map((row: { partner: Row }) => row.partner.id);
    expect([...new Set(named)].sort()).toEqual([made.partnerId, other.partnerId].sort());
    if (list === 'customers' || list === 'payouts') continue;
    const [row] = body.data;
    expect(await brand(`/${list}/${row.id}?expand=${expand}`)).toEqual({ status: 200, body: { data: row } });
  }
});

it('partners get the customers of their own list, with masked keys, and no partners', async () => {
  const { made, other, partner } = await twoPartners();
  const { body } = await partner('/sales?expand=customer');
  const listed = (await partner('/customers')).body.data;
  for (const row of body.data) {
    expect(row.customer).toEqual(listed.find(({ id }: Row) => id === row.customer_id));
    expect(row.customer.customer_key).toBe(row.customer_key);
  }
  expect(body.data.some((row: { customer_key: string }) => row.customer_key.includes('*'))).toBe(true);
  // A customer who is another partner's now is in their list no more.
  const [moved] = body.data;
  const assign = { partner_id: other.partnerId, reason: 'Called us before' };
  const path = manage(made, `/customers/${moved.customer_id}/assign`);
  await service.call('POST', path, { key: made.owner.token, body: assign });
  const [after] = (await partner(`/sales?expand=customer&transaction_id=${moved.transaction_id}`)).body.data;
  expect(after).toMatchObject({ id: moved.id, customer: null });
  for (const [list] of LISTS) {
    const refused = platformError(403, 'ForbiddenError', 'Only the brand can expand partner', { field: 'expand' });
    expect(await partner(`/${list}?expand=partner`)).toEqual({ status: 403, body: refused });
  }
});

it('other names are refused', async () => {
  const made = await ownedProgram(service);
  const brand = reads(made, made.owner.token);
  const both = 'expand must be partner or customer, or both, separated by a comma';
  for (const [path, message] of [
    ['/sales?expand=link', both],
    ['/sales?expand=', both],
    ['/sales?expand=partner,customer,', both],
    ['/sales?expand=partner&expand=customer', both],
    ['/coupons?expand=customer', 'expand must be partner'],
  ] as const) {
    const body = platformError(400, 'BadRequestError', message, { field: 'expand' });
    expect(await brand(path)).toEqual({ status: 400, body });
  }
});
