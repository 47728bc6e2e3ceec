import { manage, memberOf, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { expect, it } from 'vitest';

const service = useService();

const search = (made: OwnedProgram, q: string, key = made.owner.token) =>
  service.call('GET', manage(made, `/search?q=${encodeURIComponent(q)}`), { key });
const found = async (...args: Parameters<typeof search>) => (await search(...args)).body.data;

/** A program with an order, a customer with an email, a link and a coupon, whose names all begin alike. */
async function filled() {
  const made = await ownedProgram(service);
  const start = newId('zed');
  await service.lead(
    {
      click_id: await service.clickId(made.link),
      customer_key: `${start}-buyer`,
      email: `${start}@mail.test`,
    },
    { key: made.apiKey },
  );
  const { saleId } = await sold(service, made, { customer_key: `${start}-buyer`, transaction_id: `${start}-order` });
  const asOwner = (path: string, body: object) =>
    service.call('POST', manage(made, path), { key: made.owner.token, body });
  const code = `${start}-code`.toUpperCase();
  const coupon = await asOwner('/coupons', { code, partner_id: made.partnerId });
  const link = await asOwner('/links', { short_link: `${start}-LINK`, partner_id: made.partnerId });
  const [customer] = await service.sql<{ id: number }>('select id from customers where customer_key = $1', [
    `${start}-buyer`,
  ]);
  const rows = {
    order: { kind: 'order', id: saleId, name: `${start}-order`, detail: 'Jane' },
    customer: { kind: 'customer', id: customer?.id, name: `${start}-buyer`, detail: 'Jane' },
    link: { kind: 'link', id: link.body.data.id, name: `${start}-LINK`, detail: 'Jane' },
    coupon: { kind: 'coupon', id: coupon.body.data.id, name: code, detail: 'Jane' },
  };
  return { made, start, rows };
}

it('finds orders, customers, links and coupons by the start of their names, and customers by their full email', async () => {
  const { made, start, rows } = await filled();
  expect(await search(made, ` ${start} `)).toMatchObject({
    status: 200,
    body: { data: [rows.order, rows.customer, rows.link, rows.coupon] },
  });
  expect(await found(made, `${start}@mail.test`)).toEqual([rows.customer]);
  expect(await found(made, `${start}-order`)).toEqual([rows.order]);
  expect(await found(made, `${start}-C`)).toEqual([rows.coupon]);
});

it('finds partners by part of their name or address, at most five of a kind', async () => {
  const made = await ownedProgram(service);
  const name = newId('Quill');
  for (let count = 0; count < 6; count += 1) {
    const body = { name: `Dr. ${name} ${count}`, email: `${newId('quill')}@partner.test` };
    await service.call('POST', manage(made, '/partners'), { key: made.owner.token, body });
  }
  const rows = await found(made, name.toLowerCase());
  expect(rows).toHaveLength(5);
  expect(rows[0]).toEqual({
    kind: 'partner',
    id: expect.any(Number),
    name: `Dr. ${name} 5`,
    detail: expect.stringMatching(/^quill_.*@partner\.test$/),
  });
});

it('shows viewers what the lists show them, partners their own links and coupons, and others nothing', async () => {
  const { made, start, rows } = await filled();
  const viewer = await memberOf(service, made.workspaceId, 'viewer');
  expect(await found(made, start, viewer.token)).toEqual([rows.order, rows.customer, rows.link, rows.coupon]);
  const jane = await partnerAccount(service, made.partnerId);
  expect(await found(made, start, jane.token)).toEqual([rows.link, rows.coupon]);
  const rival = await partnerAccount(service, (await service.partner(made.program)).partnerId);
  expect(await found(made, start, rival.token)).toEqual([]);
  const other = await ownedProgram(service);
  expect(await found(other, start)).toEqual([]);
  expect((await search(made, start, other.owner.token)).status).toBe(404);
});

it.each(['', '  '])('400 without something to search for: %j', async (q) => {
  expect(await search(await ownedProgram(service), q)).toMatchObject({
    status: 400,
    body: badRequest('q is required'),
  });
});
