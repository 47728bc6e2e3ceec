import { manage, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

/** A customer who came through a link with a sub-id, signed up and paid. */
async function boughtWithSub() {
  const made = await ownedProgram(service);
  const clickId = await service.clickId(made.link, {
    affiliate_url: `https://acme.test/?aff=${made.link}&sub=newsletter-42`,
  });
  const customer_key = newId('user');
  await service.lead({ click_id: clickId, customer_key }, { key: made.apiKey });
  await service.sale(
    { transaction_id: newId('order'), customer_key, amount_cents: 4900, currency: 'USD' },
    { key: made.apiKey },
  );
  return { made, customerId: Number(clickId.split('_')[1]) };
}

it.each(['customers', 'sales'])(
  'the sub-id is in the list of %s, in its file and in the partner’s own list',
  async (list) => {
    const { made } = await boughtWithSub();
    const partner = await partnerAccount(service, made.partnerId);
    for (const key of [made.owner.token, partner.token]) {
      const { body } = await service.call('GET', manage(made, `/${list}`), { key });
      expect(body.data).toMatchObject([{ sub: 'newsletter-42' }]);
    }
    const { text } = await service.call('GET', manage(made, `/export/${list}.csv`), { key: made.owner.token });
    const [titles, row] = text
      .replace('\uFEFF', '')
      .split('\r\n')
      .map((line) => line.split(','));
    expect(row?.[titles?.indexOf('sub') ?? -1]).toBe('newsletter-42');
  },
);

it('the sub-id is in the events about the customer and the sale', async () => {
  const { made } = await boughtWithSub();
  const subOf = async (type: string, subject: string) => {
    const { body } = await service.call('GET', `/api/v1/events?types=${type}&wait=30`, { key: made.apiKey });
    return body.data.map(({ data }: { data: Record<string, { sub: string }> }) => data[subject]?.sub);
  };
  expect(await subOf('lead.created', 'customer')).toEqual(['newsletter-42']);
  expect(await subOf('sale.created', 'sale')).toEqual(['newsletter-42']);
});

it('a partner whom the customer is assigned to does not learn another partner’s sub-id', async () => {
  const { made, customerId } = await boughtWithSub();
  const ben = await service.partner(made.program);
  const body = { partner_id: ben.partnerId, reason: 'Ben met them first' };
  expect((await asOwner(service, made, 'POST', `/customers/${customerId}/assign`, body)).status).toBe(200);
  const { token } = await partnerAccount(service, ben.partnerId);
  const listed = await service.call('GET', manage(made, '/customers'), { key: token });
  expect(listed.body.data).toMatchObject([{ id: customerId, sub: null }]);
});
