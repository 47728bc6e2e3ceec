import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import { expect, it } from 'vitest';
import { updateDeductions } from '../commissions/commission-store.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { updateRefunded } from '../sales/sale-store.ts';
import { recountDay } from './recount-store.ts';

const service = useService();

const today = () => service.time.toISOString().slice(0, 10);

/** The results of the program by link, once everything is rolled up. */
async function totalOf(programId: number) {
  await rollUpCounts.run(service.ctx);
  await expectResultsToAgree(service.ctx.db);
  const [total] = await service.sql(
    `select sum(leads)::int as leads, sum(first_sales)::int as first_sales, sum(sales)::int as sales,
       sum(revenue_cents)::int as revenue, sum(refunded_cents)::int as refunded, sum(commission_cents)::int as commission
     from counts where program_id = $1 and span = 'link'`,
    [programId],
  );
  return total;
}

it('a day whose deltas were lost is counted again, and once only', async () => {
  const on = await service.program({ commissionRate: '20' });
  const programId = on.program.id;
  await sold(service, on);
  await service.ctx.db.query('delete from count_deltas where program_id = $1 and clicks = 0', [programId]);
  for (let time = 0; time < 2; time += 1) await recountDay(service.ctx.db, { programId, day: today() });
  const once = { leads: 1, first_sales: 1, sales: 1, revenue: 10_000, refunded: 0, commission: 2_000 };
  expect(await totalOf(programId)).toEqual(once);
  await recountDay(service.ctx.db, { programId, day: today() });
  expect(await totalOf(programId)).toEqual(once);
});

it('a recount does not block, and counts a change that commits during it once', async () => {
  const on = await service.program({ commissionRate: '20' });
  const programId = on.program.id;
  const { saleId, commissionId } = await sold(service, on);
  await service.ctx.db.query('delete from count_deltas where program_id = $1 and clicks = 0', [programId]);
  await service.ctx.db.transaction(async (tx) => {
    await updateRefunded(tx, new Map([[saleId, 100]]));
    await updateDeductions(
      tx,
      [{ commissionId: commissionId as number, deductedCents: 20, reversal: 'partial' }],
      service.time,
    );
    await recountDay(service.ctx.db, { programId, day: today() });
  });
  const money = { revenue: 10_000, refunded: 100, commission: 1_980 };
  expect(await totalOf(programId)).toEqual({ leads: 1, first_sales: 1, sales: 1, ...money });
});

it('a recount takes back what no row says', async () => {
  const on = await service.program();
  const programId = on.program.id;
  await service.ctx.db.query(
    `insert into count_deltas (program_id, hour, currency, sales) values ($1, '2020-01-01T05:00Z', 'USD', 7)`,
    [programId],
  );
  await rollUpCounts.run(service.ctx);
  await recountDay(service.ctx.db, { programId, day: '2020-01-01' });
  expect(await totalOf(programId)).toMatchObject({ sales: 0 });
});
