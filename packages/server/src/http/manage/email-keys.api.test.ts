import { describe, expect, it } from 'vitest';
import { manage, ownedProgram, partnerAccount } from '../../../test/accounts.ts';
import { useService } from '../../../test/service.ts';
import { sold } from '../../../test/sold.ts';

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
  it.each(['/customers', '/sales', '/events', '/export/customers.csv', '/export/sales.csv'])(
    'is masked for partners in %s, and not for the brand',
    async (path) => {
      const { byOwner, byPartner } = await withEmailKeys();
      expect(await byOwner(path)).toContain(EMAIL);
      const seen = await byPartner(path);
      expect(seen).toContain('a***@people.test');
      expect(seen).not.toContain(EMAIL);
    },
  );

  it('is masked in the journey of the customer', async () => {
    const { byPartner } = await withEmailKeys();
    const [customer] = JSON.parse(await byPartner('/customers')).data;
    expect(await byPartner(`/customers/${customer.id}`)).not.toContain(EMAIL);
  });

  it.each([`/customers?q=${EMAIL}`, '/customers?q=ann', `/customers?customer_key=${EMAIL}`])(
    'cannot be tested by partners: %s',
    async (path) => {
      const { byOwner, byPartner } = await withEmailKeys();
      expect(JSON.parse(await byOwner(path)).data).toHaveLength(1);
      expect(JSON.parse(await byPartner(path)).data).toEqual([]);
    },
  );
});
