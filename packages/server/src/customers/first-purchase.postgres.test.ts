import { eventually } from '@svc/testkit/service/eventually.ts';
import { newId } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { deleteUnpaidCommissions } from '../commissions/commission-store.ts';
import type { Queryable } from '../db/db.ts';
import { deleteSale } from '../sales/sale-store.ts';
import { updateConversion } from './customer-store.ts';

const service = useService();

it('a customer whose two sales are taken back at the same time has not bought', async () => {
  const made = await service.program();
  const clickId = await service.customer(made, 'user-1');
  const customerId = Number(clickId.split('_')[1]);
  const buy = async () => {
    const sale = { transaction_id: newId('order'), amount_cents: 1_000, customer_key: 'user-1' };
    return (await service.sale(sale, { key: made.apiKey })).body.data.sale_id as number;
  };
  const takeBack = async (tx: Queryable, saleId: number) => {
    await deleteUnpaidCommissions(tx, saleId, service.time);
    await deleteSale(tx, saleId);
    await updateConversion(tx, customerId);
  };
  const [first, second] = [await buy(), await buy()];

  let other: Promise<unknown> = Promise.resolve();
  await service.ctx.db.transaction(async (tx) => {
    await takeBack(tx, first);
    let isDone = false;
    other = service.ctx.db
      .transaction((otherTx) => takeBack(otherTx, second))
      .finally(() => {
        isDone = true;
      });
    // The other one either waits for this one or does not.
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await eventually(
      () => service.ctx.db.query(waiting),
      (rows) => isDone || rows.length > 0,
    );
  });
  await other;
  const [customer] = await service.sql('select status, converted_at from customers where id = $1', [customerId]);
  expect(customer).toEqual({ status: 'lead', converted_at: null });
});
