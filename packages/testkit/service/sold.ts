import { randomBytes } from 'node:crypto';
import type { TestProgram, TestService } from './service.ts';

export type Sold = { transactionId: string; saleId: number; commissionId: number | null };

/** An id that no other test uses, because transaction ids are unique across all programs. */
export const newId = (prefix: string) => `${prefix}_${randomBytes(6).toString('hex')}`;

/** A sale to a customer who clicked the program's link and signed up, each a second after the other. */
export async function sold(service: TestService, program: TestProgram, fields: object = {}): Promise<Sold> {
  const customerKey = newId('user');
  await service.customer(program, customerKey);
  service.advance({ seconds: 1 });
  const transactionId = newId('order');
  const { status, body } = await service.sale(
    { transaction_id: transactionId, customer_key: customerKey, amount_cents: 10_000, ...fields },
    { key: program.apiKey },
  );
  if (status !== 200) throw new Error(`The sale was answered with ${status}: ${JSON.stringify(body)}`);
  return { transactionId, saleId: body.data.sale_id, commissionId: body.data.commission_id };
}

/** The stored sale with its commission and its refunds. */
export async function storedSale(service: TestService, saleId: number) {
  const [sale] = await service.sql(
    'select amount_cents, refunded_cents, commission_state, partner_id, is_test from sales where id = $1',
    [saleId],
  );
  const [commission] = await service.sql(
    'select id, commission_cents, deducted_cents, stage, reversal, partner_id from commissions where sale_id = $1',
    [saleId],
  );
  const refunds = await service.sql(
    `select refund_key, amount_cents, deduction_cents, status, reason, request_id from refunds where sale_id = $1
     order by id`,
    [saleId],
  );
  return { sale, commission, refunds };
}

/** Makes the database refuse every new commission until the returned function is called. */
export async function refuseCommissions(service: TestService): Promise<() => Promise<void>> {
  await service.ctx.db.query(`
    create function refuse_commission() returns trigger language plpgsql as $$
    begin raise exception 'commissions are closed'; end $$;
    create trigger refuse_commission before insert on commissions
      for each row execute function refuse_commission()`);
  return async () => {
    await service.ctx.db.query(`
      drop trigger refuse_commission on commissions;
      drop function refuse_commission()`);
  };
}

/** A sale that is recorded, but owes its commission. */
export async function soldOwing(service: TestService, program: TestProgram, fields: object = {}): Promise<Sold> {
  const customerKey = newId('user');
  await service.customer(program, customerKey);
  service.advance({ seconds: 1 });
  const transactionId = newId('order');
  const restore = await refuseCommissions(service);
  await service
    .sale(
      { transaction_id: transactionId, customer_key: customerKey, amount_cents: 10_000, ...fields },
      { key: program.apiKey },
    )
    .finally(restore);
  const [sale] = await service.sql<{ id: number }>(
    `select id from sales where processor_event_id = $1 and commission_state = 'owed'`,
    [transactionId],
  );
  if (!sale) throw new Error('The sale does not owe its commission');
  return { transactionId, saleId: sale.id, commissionId: null };
}
