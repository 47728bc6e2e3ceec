import { eventually } from '@svc/testkit/service/eventually.ts';
import { useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { TestService } from '@svc/testkit/service/service.ts';
import { sold, soldOwing, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { repairCommission } from '../sales/repair/repair-commission.ts';

const [service, otherNode] = useTwoNodes();

/** Locks a sale while `work` runs, so that everything `work` starts waits for it. */
const whileLocked = (saleId: number, work: () => Promise<void>) =>
  service.ctx.db.transaction(async (tx) => {
    await tx.query('select id from sales where id = $1 for update', [saleId]);
    await work();
  });

async function waitUntilBlocked(count: number): Promise<void> {
  const blocked = await eventually(
    async () => {
      const [row] = await service.sql<{ count: number }>(
        `select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.count ?? 0;
    },
    (waiting) => waiting >= count,
  );
  expect(blocked).toBe(count);
}

describe('concurrent refunds of the same sale', () => {
  it('of the full amount reverse it once and otherwise return already_refunded', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey }),
      ),
    );
    const statuses = answers.map(({ body }) => body.data?.status);
    expect(statuses.filter((status) => status === 'reversed')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'already_refunded')).toHaveLength(199);
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 10_000 },
      commission: { deducted_cents: 2_000, reversal: 'full' },
      refunds: [{ amount_cents: 10_000, deduction_cents: 2_000 }],
    });
  });

  it('with the same refund_id count once', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        service.refund(
          { transaction_id: sale.transactionId, refund_amount_cents: 1_000, refund_id: 're_1' },
          { key: program.apiKey },
        ),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual(answers[0]?.body);
    }
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 1_000 },
      commission: { deducted_cents: 200 },
      refunds: [{ refund_key: 're_1' }],
    });
  });

  it('of a part are deducted proportionally and never exceed the sale', async () => {
    const program = await service.program({ commissionRate: '33.33' });
    const sale = await sold(service, program, { amount_cents: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        service.refund({ transaction_id: sale.transactionId, refund_amount_cents: 70 }, { key: program.apiKey }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(14);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(16);
    const stored = await storedSale(service, sale.saleId);
    expect(stored).toMatchObject({
      sale: { refunded_cents: 980 },
      commission: { commission_cents: 333, deducted_cents: 326, reversal: 'partial' },
    });
    const deductions = stored.refunds.map((refund) => Number(refund.deduction_cents));
    expect(deductions.reduce((sum, cents) => sum + cents, 0)).toBe(326);
  });

  it('of a part on two nodes that wait for the sale deduct the sum of both shares', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const send = (node: TestService, cents: number) =>
      node.refund({ transaction_id: sale.transactionId, refund_amount_cents: cents }, { key: program.apiKey });
    const answers: ReturnType<typeof send>[] = [];
    await whileLocked(sale.saleId, async () => {
      answers.push(send(service, 4_000));
      await waitUntilBlocked(1);
      answers.push(send(otherNode, 3_000));
      await waitUntilBlocked(2);
    });
    const [first, second] = await Promise.all(answers);
    expect(first?.body.data).toMatchObject({ refunded_cents: 4_000, deduction_cents: 800 });
    expect(second?.body.data).toMatchObject({ refunded_cents: 3_000, deduction_cents: 600 });
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 7_000 },
      commission: { commission_cents: 2_000, deducted_cents: 1_400 },
    });
  });

  it('that wait for the repair of the commission deduct their share of it', async () => {
    const program = await service.program();
    const sale = await soldOwing(service, program);
    let repair: Promise<unknown> = Promise.resolve();
    let refund: ReturnType<typeof service.refund> | undefined;
    await whileLocked(sale.saleId, async () => {
      repair = repairCommission(service.ctx, sale.saleId);
      await waitUntilBlocked(1);
      refund = service.refund(
        { transaction_id: sale.transactionId, refund_amount_cents: 2_500 },
        { key: program.apiKey },
      );
      await waitUntilBlocked(2);
    });
    expect(await repair).toMatchObject({ is: 'repaired' });
    expect((await refund)?.body.data).toMatchObject({ status: 'partially_reversed', deduction_cents: 500 });
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 2_500 },
      commission: { commission_cents: 2_000, deducted_cents: 500, reversal: 'partial' },
    });
  });

  it('that the repair of the commission waits for are deducted from it', async () => {
    const program = await service.program();
    const sale = await soldOwing(service, program);
    let repair: Promise<unknown> = Promise.resolve();
    await whileLocked(sale.saleId, async () => {
      const refund = service.refund(
        { transaction_id: sale.transactionId, refund_amount_cents: 2_500 },
        { key: program.apiKey },
      );
      await waitUntilBlocked(1);
      repair = Promise.all([refund, repairCommission(service.ctx, sale.saleId)]);
      await waitUntilBlocked(2);
    });
    await repair;
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 2_500, commission_state: 'created' },
      commission: { commission_cents: 2_000, deducted_cents: 500, reversal: 'partial' },
    });
  });
});
