import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { createPartitions } from './create-partitions.ts';
import { retireClicks } from './retire-clicks.ts';
import { rollUpCounts } from './roll-up-counts.ts';

const months = ['2026-01-20', '2026-02-20', '2026-03-20'];

describe.each(['drop', 'detach'] as const)('retire-clicks after two months with action %s', (action) => {
  const service = useService();

  it('removes whole months and keeps the counts of reports', async () => {
    const made = await service.program();
    for (const month of months) {
      service.time = new Date(`${month}T12:00:00Z`);
      await createPartitions.run(service.ctx);
      await service.clickId(made.link);
    }
    // A click from a month that never had a partition.
    await service.sql(
      `insert into clicks (program_id, link_id, partner_id, customer_id, clicked_at) values ($1, 1, 1, 1, '2025-06-01')`,
      [made.program.id],
    );
    await rollUpCounts.run(service.ctx);
    const job = retireClicks({ months: 2, action });
    service.time = new Date('2026-03-31T23:59:59Z');
    expect(await job.run(service.ctx)).toContain('1 clicks of other months deleted');
    expect(await left(made.program.id)).toEqual(months);

    service.time = new Date('2026-04-01T00:00:00Z');
    expect(await job.run(service.ctx)).toContain('2026-01');
    expect(await left(made.program.id)).toEqual(['2026-02-20', '2026-03-20']);
    expect(await job.run(service.ctx)).toBeNull();

    const [counted] = await service.sql('select sum(clicks)::int as clicks from click_hours where program_id = $1', [
      made.program.id,
    ]);
    expect(counted).toEqual({ clicks: 3 });
    const [detached] = await service.sql(`select to_regclass('clicks_2026_01') is not null as exists`);
    expect(detached).toEqual({ exists: action === 'detach' });
  });

  const left = async (programId: number) =>
    (
      await service.sql<{ day: string }>(
        `select to_char(clicked_at at time zone 'UTC', 'YYYY-MM-DD') as day from clicks where program_id = $1 order by 1`,
        [programId],
      )
    ).map(({ day }) => day);
});
