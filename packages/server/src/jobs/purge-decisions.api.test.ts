import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { purgeDecisions } from './purge-decisions.ts';

const service = useService();
const DAY_MS = 86_400_000;

it('removes refused and repeated attempts after 30 days and everything after the configured days, in batches', async () => {
  const { program } = await service.program();
  const add = (outcome: string, daysOld: number, rows = 1) =>
    service.sql(
      `insert into decisions (program_id, kind, outcome, reason, facts, source, created_at)
       select $1, 'sale', $2, 'test', '{}', 'api', $3 from generate_series(1, $4::int)`,
      [program.id, outcome, new Date(service.time.getTime() - daysOld * DAY_MS), rows],
    );
  await add('recorded', 401, 2_500);
  await add('failed', 401);
  await add('recorded', 399);
  await add('refused', 31, 2_500);
  await add('unchanged', 31);
  await add('not_attributed', 31);
  await add('refused', 29);
  await add('recorded', 1);
  const job = purgeDecisions(400);
  expect(await job.run(service.ctx)).toBe('purged 2501 refused and 2501 older decisions');
  expect(
    await service.sql(
      `select outcome, round(extract(epoch from $2::timestamptz - created_at) / 86400)::int as days
       from decisions where program_id = $1 order by id`,
      [program.id, service.time],
    ),
  ).toEqual([
    { outcome: 'recorded', days: 399 },
    { outcome: 'not_attributed', days: 31 },
    { outcome: 'refused', days: 29 },
    { outcome: 'recorded', days: 1 },
  ]);
  expect(await job.run(service.ctx)).toBeNull();
  // A shorter retention applies to refused attempts too.
  expect(await purgeDecisions(20).run(service.ctx)).toBe('purged 1 refused and 2 older decisions');
});
