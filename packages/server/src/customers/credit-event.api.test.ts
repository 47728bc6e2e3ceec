import { feedEventSchemas } from '@svc/contract';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

it('the event about a credit names the customer as the shop does, so that the shop can grant it', async () => {
  const made = await service.program();
  await publish(service, made, [{ on: 'sale', pays: { type: 'percent', rate: 20 }, credit: { amount_cents: 500 } }]);
  const key = newId('user');
  await service.customer(made, key);
  const sale = { transaction_id: newId('order'), amount_cents: 10_000, customer_key: key };
  const { body } = await service.sale(sale, { key: made.apiKey });
  let found: { data: { credit: object } } | undefined;
  for (let after = 0; !found; ) {
    const { body: page } = await service.call('GET', `/api/v1/events?after=${after}&wait=30`, { key: made.apiKey });
    found = page.data.find(({ type }: { type: string }) => type === 'credit.granted');
    after = page.meta.next_cursor;
  }
  expect(found.data.credit).toEqual({
    id: expect.any(Number),
    customer_id: expect.any(Number),
    customer_key: key,
    sale_id: body.data.sale_id,
    amount_cents: 500,
    reversed_cents: 0,
    currency: 'USD',
    terms_version: expect.any(Number),
    created_at: service.time.toISOString(),
  });
  expect(feedEventSchemas['credit.granted'].safeParse(found).error?.issues ?? []).toEqual([]);
});
