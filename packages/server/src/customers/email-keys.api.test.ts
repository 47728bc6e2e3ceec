import { manage, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const EMAIL = 'ann.smith@people.test';

/** A program whose customers have e-mail addresses as keys, with what its owner and its partner get from a route. */
async function withEmailKeys() {
  const made = await ownedProgram(service);
  await service.customer(made, EMAIL);
  await sold(service, made, { customer_key: EMAIL });
  const partner = await partnerAccount(service, made.partnerId);
  service.advance({ seconds: 3_600 });
  const get = async (key: string, path: string) => (await service.call('GET', manage(made, path), { key })).text;
  return {
    byOwner: (path: string) => get(made.owner.token, path),
    byPartner: (path: string) => get(partner.token, path),
  };
}

describe('a customer key that is an e-mail address', () => {
  it.each([
    '/customers',
    '/sales',
    '/commissions',
    '/events',
    '/export/customers.csv',
    '/export/sales.csv',
    '/export/commissions.csv',
  ])('is masked for partners in %s, and not for the brand', async (path) => {
    const { byOwner, byPartner } = await withEmailKeys();
    expect(await byOwner(path)).toContain(EMAIL);
    const seen = await byPartner(path);
    expect(seen).toContain('a***@people.test');
    expect(seen).not.toContain(EMAIL);
  });

  it('is masked in the journey of the customer', async () => {
    const { byPartner } = await withEmailKeys();
    const [customer] = JSON.parse(await byPartner('/customers')).data;
    expect(await byPartner(`/customers/${customer.id}`)).not.toContain(EMAIL);
  });

  it.each([
    `/customers?q=${EMAIL}`,
    '/customers?q=ann',
    `/customers?customer_key=${EMAIL}`,
    `/sales?q=${EMAIL}`,
    `/sales?customer_key=${EMAIL}`,
    `/commissions?q=${EMAIL}`,
  ])('cannot be tested by partners: %s', async (path) => {
    const { byOwner, byPartner } = await withEmailKeys();
    expect(JSON.parse(await byOwner(path)).data).toHaveLength(1);
    expect(JSON.parse(await byPartner(path)).data).toEqual([]);
  });

  it.each(['customers', 'sales'])('cannot be tested by partners in the export of %s', async (list) => {
    const { byOwner, byPartner } = await withEmailKeys();
    const path = `/export/${list}.csv?customer_key=${EMAIL}`;
    expect((await byOwner(path)).trim().split('\n')).toHaveLength(2);
    expect((await byPartner(path)).trim().split('\n')).toHaveLength(1);
  });
});

describe('any other customer key', () => {
  it('finds sales for partners', async () => {
    const made = await ownedProgram(service);
    await service.customer(made, 'user-7');
    await sold(service, made, { customer_key: 'user-7' });
    const { token: key } = await partnerAccount(service, made.partnerId);
    const { body } = await service.call('GET', manage(made, '/sales?customer_key=user-7'), { key });
    expect(body.data).toMatchObject([{ customer_key: 'user-7' }]);
  });
});
