import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import { expect, it } from 'vitest';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { runJob } from '../jobs/run-jobs.ts';
import { listResultDays, rebuildResultDay } from './result-rollup-store.ts';

const service = useService();

const rebuildAll = async () => {
  for (const day of await listResultDays(service.ctx.db)) await rebuildResultDay(service.ctx.db, day);
};

it('a rebuild covers days with results and days that have only counts', async () => {
  const { program, ...on } = await service.program();
  await sold(service, { program, ...on });
  await service.sql(`insert into result_days (program_id, day, currency, sales) values ($1, '2020-01-01', 'USD', 7)`, [
    program.id,
  ]);
  const days = (await listResultDays(service.ctx.db)).filter(({ programId }) => programId === program.id);
  expect(days.map(({ day }) => day)).toEqual(['2020-01-01', service.time.toISOString().slice(0, 10)]);
  await rebuildAll();
  await expectResultsToAgree(service.ctx.db);
});

it('a rebuild does not block, and counts a change that commits during it once', async () => {
  const on = await service.program();
  const { saleId } = await sold(service, on);
  await service.sql('delete from result_days where program_id = $1', [on.program.id]);
  await service.ctx.db.transaction(async (tx) => {
    // An uncommitted change to a sale and its commission, with the deltas written by its triggers.
    await tx.query('update sales set refunded_cents = 100 where id = $1', [saleId]);
    await tx.query('update commissions set deducted_cents = 20 where sale_id = $1', [saleId]);
    await rebuildAll();
  });
  await runJob(service.ctx, rollUpCounts);
  await expectResultsToAgree(service.ctx.db);
  const [counted] = await service.sql(
    'select sum(refunded_cents)::int as refunded from result_days where program_id = $1',
    [on.program.id],
  );
  expect(counted).toEqual({ refunded: 100 });
});

it('a rebuild corrects wrong counts of partners and of the whole program', async () => {
  const on = await service.program();
  await sold(service, on);
  await runJob(service.ctx, rollUpCounts);
  await service.sql('update result_days set sales = sales + 5 where program_id = $1', [on.program.id]);
  await service.sql('update program_days set revenue_cents = 1 where program_id = $1', [on.program.id]);
  await rebuildAll();
  await expectResultsToAgree(service.ctx.db);
});
