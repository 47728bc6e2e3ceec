import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import { expect, it } from 'vitest';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { rollUpDeltas } from './count-store.ts';

const service = useService();

/** The clicks of the program in each of its counts: by hour, by link and day, by day, and by link. */
async function clicksOf(programId: number): Promise<Record<string, number>> {
  const rows = await service.sql<{ span: string; clicks: number }>(
    `select span, sum(clicks)::int as clicks from (
       select span, clicks from counts where program_id = $1
       union all select 'hour', clicks from click_hours where program_id = $1
       union all select 'pending', clicks from count_deltas where program_id = $1) counted group by 1`,
    [programId],
  );
  return Object.fromEntries(rows.map(({ span, clicks }) => [span, clicks]));
}

it('rolls up a bounded number of deltas at once, each into all counts', async () => {
  const { program, partnerId } = await service.program();
  await rollUpCounts.run(service.ctx);
  await service.sql(
    `insert into count_deltas (program_id, hour, partner_id, link_id, clicks)
     select $1, date_trunc('hour', $2::timestamptz, 'UTC') - n % 50 * interval '1 hour', $3, 1, 1
     from generate_series(1, 4500) n`,
    [program.id, service.time, partnerId],
  );
  expect(await rollUpDeltas(service.ctx.db)).toEqual({ added: 2_000, hasMore: true });
  expect(await clicksOf(program.id)).toEqual({
    ...{ hour: 2_000, link_day: 2_000, program_day: 2_000, link: 2_000 },
    pending: 2_500,
  });
  expect(await rollUpDeltas(service.ctx.db)).toEqual({ added: 2_000, hasMore: true });
  expect(await rollUpDeltas(service.ctx.db)).toEqual({ added: 500, hasMore: false });
  expect(await clicksOf(program.id)).toEqual({ hour: 4_500, link_day: 4_500, program_day: 4_500, link: 4_500 });
});

it('counts everything once, however many roll up at the same time while sales go on', async () => {
  const on = await service.program();
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { transactionId } = await sold(service, on);
      await rollUpDeltas(service.ctx.db);
      await service.refund({ transaction_id: transactionId, refund_amount_cents: 100 }, { key: on.apiKey });
      await rollUpDeltas(service.ctx.db);
    }),
  );
  await rollUpCounts.run(service.ctx);
  await expectResultsToAgree(service.ctx.db);
  const [total] = await service.sql(
    `select sum(clicks)::int as clicks, sum(leads)::int as leads, sum(first_sales)::int as first_sales, sum(sales)::int as sales,
       sum(revenue_cents)::int as revenue, sum(refunded_cents)::int as refunded, sum(commission_cents)::int as commission
     from counts where program_id = $1 and span = 'link'`,
    [on.program.id],
  );
  // A commission of 20 percent of what was not refunded.
  const money = { revenue: 120_000, refunded: 1_200, commission: 12 * 1_980 };
  expect(total).toEqual({ clicks: 12, leads: 12, first_sales: 12, sales: 12, ...money });
});

it('a roll-up that fails leaves everything as it was', async () => {
  const { link, program } = await service.program();
  await service.clickId(link);
  await service.sql('alter table counts add constraint refused check (program_id <> 0 and clicks < 0) not valid');
  await expect(rollUpDeltas(service.ctx.db)).rejects.toThrow('refused');
  await service.sql('alter table counts drop constraint refused');
  expect(await clicksOf(program.id)).toEqual({ pending: 1 });
  await rollUpCounts.run(service.ctx);
  expect(await clicksOf(program.id)).toEqual({ hour: 1, link_day: 1, program_day: 1, link: 1 });
});
