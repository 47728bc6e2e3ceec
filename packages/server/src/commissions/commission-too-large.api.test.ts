import { decisionsDuring } from '@svc/testkit/service/decisions.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, soldOwing, storedSale } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { repairCommissions } from '../jobs/repair-commissions.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';

const service = useService();

/** A program from before percentages had a limit. */
async function programAt(rate: number): Promise<TestProgram> {
  const on = await service.program();
  await service.sql('update programs set commission_rate = $2 where id = $1', [on.program.id, rate]);
  service.advance({ seconds: 60 });
  return on;
}

it('a sale whose commission cannot be represented is recorded without one and owes nothing', async () => {
  const on = await programAt(200);
  await service.customer(on, 'user_1');
  const sent = { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: Number.MAX_SAFE_INTEGER };
  const { status, body } = await service.sale(sent, { key: on.apiKey });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      data: {
        sale_id: expect.any(Number),
        commission_id: null,
        attributed: true,
        commission_cents: 0,
        currency: 'USD',
        message: 'Sale tracked successfully',
      },
      success: true,
    },
  });
  expect(await storedSale(service, body.data.sale_id)).toMatchObject({
    sale: { commission_state: 'none', partner_id: on.partnerId },
    commission: undefined,
  });
  const logged = service.logLines.length;
  expect(await repairCommissions.run(service.ctx)).toBeNull();
  expect(service.logLines.slice(logged)).toEqual([]);
  expect((await service.sale(sent, { key: on.apiKey })).status).toBe(409);
});

it('the largest commission that can be represented is created', async () => {
  const on = await programAt(100);
  await service.customer(on, 'user_1');
  const sent = { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: Number.MAX_SAFE_INTEGER };
  const { body } = await service.sale(sent, { key: on.apiKey });
  expect(body.data).toMatchObject({ commission_id: expect.any(Number), commission_cents: Number.MAX_SAFE_INTEGER });
});

it('one that a sale still owes from before is decided by its repair', async () => {
  const on = await service.program();
  const { saleId, transactionId } = await soldOwing(service, on);
  await service.sql('update sales set amount_cents = 9007199254740991, commission_rate = 200 where id = $1', [saleId]);
  const decisions = await decisionsDuring(service, async () => {
    expect(await repairCommissions.run(service.ctx)).toBe('created 0 owed commissions; 1 are too large to be created');
    expect(await repairCommission(service.ctx, saleId)).toEqual({ is: 'not_owing' });
  });
  expect(decisions).toMatchObject([
    { kind: 'commission', outcome: 'not_attributed', reason: 'commission_too_large', transaction_id: transactionId },
  ]);
  expect(await storedSale(service, saleId)).toMatchObject({
    sale: { commission_state: 'none' },
    commission: undefined,
  });
});
