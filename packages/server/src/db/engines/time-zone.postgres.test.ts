import { TestService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPartitions } from '../../jobs/create-partitions.ts';
import { rollUpCounts } from '../../jobs/roll-up-counts.ts';
import { addDays } from '../../time.ts';

const service = new TestService();

beforeAll(async () => {
  const url = new URL(await newPostgres());
  url.searchParams.set('options', '-c TimeZone=Europe/Berlin');
  await service.open({ DATABASE_URL: url.href });
  expect(await service.sql('show timezone')).toEqual([{ TimeZone: 'Europe/Berlin' }]);
});
afterAll(() => service.service?.close());

describe('a database in a time zone with daylight saving time', () => {
  it('holds a commission for exactly 24 hours per hold day', async () => {
    service.time = new Date('2026-03-10T12:00:00.000Z');
    const on = await service.program({ holdDays: 30 });
    const { saleId } = await sold(service, on);
    expect(await service.sql('select approve_after from commissions where sale_id = $1', [saleId])).toEqual([
      { approve_after: addDays(service.time, 30) },
    ]);
  });

  it('groups clicks by UTC month and hour', async () => {
    service.time = new Date('2026-03-31T22:30:00.000Z');
    await createPartitions.run(service.ctx);
    const on = await service.program();
    await service.clickId(on.link);
    await rollUpCounts.run(service.ctx);
    expect(
      await service.sql('select tableoid::regclass::text as partition from clicks where program_id = $1', [
        on.program.id,
      ]),
    ).toEqual([{ partition: 'clicks_2026_03' }]);
    expect(await service.sql('select hour from click_hours where program_id = $1', [on.program.id])).toEqual([
      { hour: new Date('2026-03-31T22:00:00.000Z') },
    ]);
  });
});
