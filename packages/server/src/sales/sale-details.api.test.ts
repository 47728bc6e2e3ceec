import { type SaleDetails, saleDetails } from '@svc/contract';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** A value for every detail of the contract; a new one does not compile until it has one too. */
const sent: Required<SaleDetails> = {
  subscription_id: 'sub_1',
  subscription_interval: 'quarterly',
  product_id: 'pro',
  line_items: [{ sku: 'a', quantity: 2 }],
};

describe('the details of a sale', () => {
  it('are each stored in the column of their name', async () => {
    const made = await service.program();
    await service.customer(made, 'buyer');
    const sale = { transaction_id: `details-${made.link}`, amount_cents: 4900, customer_key: 'buyer', ...sent };
    expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
    const [row] = await service.sql(
      `select ${Object.keys(saleDetails).join(', ')} from sales where processor_event_id = $1`,
      [sale.transaction_id],
    );
    expect(row).toEqual(sent);
  });

  it('are all optional', async () => {
    const made = await service.program();
    await service.customer(made, 'buyer');
    const sale = { transaction_id: `plain-${made.link}`, amount_cents: 4900, customer_key: 'buyer' };
    expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
    const [row] = await service.sql(
      `select ${Object.keys(saleDetails).join(', ')} from sales where processor_event_id = $1`,
      [sale.transaction_id],
    );
    expect(Object.values(row ?? {})).toEqual(Object.keys(saleDetails).map(() => null));
  });
});
