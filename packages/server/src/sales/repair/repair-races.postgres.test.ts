import { decisionsDuring } from '@svc/testkit/service/decisions.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { soldOwing, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { repairCommissions } from '../../jobs/repair-commissions.ts';
import { runJob } from '../../jobs/run-jobs.ts';
import { repairCommission } from './repair-commission.ts';

const service = useService();

describe('an owed commission is created exactly once', () => {
  it('by many concurrent repairs of the same sale', async () => {
    const on = await service.program();
    const { saleId } = await soldOwing(service, on);
    const decisions = await decisionsDuring(service, async () => {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => repairCommission(service.ctx, saleId)));
      expect(outcomes.filter(({ is }) => is === 'repaired')).toHaveLength(1);
      expect(outcomes.filter(({ is }) => is === 'not_owing')).toHaveLength(7);
    });
    expect(decisions).toHaveLength(1);
    expect(await service.counts(on.program.id)).toMatchObject({ sales: 1, commissions: 1 });
  });

  it('by two concurrent runs of the job', async () => {
    const on = await service.program();
    const sales = [];
    for (let index = 0; index < 5; index += 1) sales.push(await soldOwing(service, on));
    await Promise.all([repairCommissions.run(service.ctx), repairCommissions.run(service.ctx)]);
    for (const { saleId } of sales) {
      expect((await storedSale(service, saleId)).commission).toMatchObject({ commission_cents: 2_000 });
    }
    expect(await service.counts(on.program.id)).toMatchObject({ sales: 5, commissions: 5 });
  });

  it('during concurrent refunds of the sale, minus their share', async () => {
    const on = await service.program();
    const { saleId, transactionId } = await soldOwing(service, on);
    const refund = () =>
      service.refund({ transaction_id: transactionId, refund_amount_cents: 1_000 }, { key: on.apiKey });
    const [answers] = await Promise.all([
      Promise.all([refund(), refund(), refund()]),
      repairCommission(service.ctx, saleId),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await storedSale(service, saleId)).toMatchObject({
      sale: { refunded_cents: 3_000 },
      commission: { commission_cents: 2_000, deducted_cents: 600, reversal: 'partial' },
    });
  });

  it('by one node, while the other reports that the job runs elsewhere', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let runs = 0;
    const job = {
      name: 'slow-job',
      everySeconds: 1,
      run: async () => {
        runs += 1;
        begin();
        await finished;
        return null;
      },
    };
    const results: string[] = [];
    const first = runJob(service.ctx, job, (_job, result) => results.push(result));
    await begun;
    await runJob(service.ctx, job, (_job, result) => results.push(result));
    finish();
    await first;
    expect(results).toEqual(['elsewhere', 'done']);
    expect(runs).toBe(1);
  });
});
