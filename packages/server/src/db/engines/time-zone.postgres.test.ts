import { type TestProgram, TestService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
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

  // The clock shows the first time, then the second.
  it.each([
    ['at New Year', '2027-12-31T23:59:59.900Z', '2028-01-01T00:00:00.100Z', ['2027_12', '2028_01']],
    ['when a leap day begins', '2028-02-28T23:59:59.900Z', '2028-02-29T00:00:00.100Z', ['2028_02', '2028_02']],
    ['when a leap day ends', '2028-02-29T23:59:59.900Z', '2028-03-01T00:00:00.100Z', ['2028_02', '2028_03']],
    ['when clocks go forward', '2028-03-26T00:59:59.900Z', '2028-03-26T01:00:00.100Z', ['2028_03', '2028_03']],
    ['when clocks go back', '2028-10-29T00:59:59.900Z', '2028-10-29T01:00:00.100Z', ['2028_10', '2028_10']],
    ['in a second that is repeated', '2028-06-30T23:59:59.900Z', '2028-06-30T23:59:59.100Z', ['2028_06', '2028_06']],
  ])('keeps each event in its own hour, day and month %s', async (_turn, before, after, months) => {
    service.time = new Date(before);
    await createPartitions.run(service.ctx);
    const on = await service.program({ holdDays: 30 });
    const times = [before, after].map((time) => new Date(time));
    const saleIds: number[] = [];
    for (const time of times) {
      service.time = time;
      saleIds.push(await boughtAtOnce(on));
    }
    await rollUpCounts.run(service.ctx);
    const stored = await service.sql(
      `select s.id, s.created_at, m.approve_after from sales s join commissions m on m.sale_id = s.id
       where s.id = any ($1) order by s.id`,
      [saleIds],
    );
    expect(stored).toEqual(
      times.map((time, index) => ({ id: saleIds[index], created_at: time, approve_after: addDays(time, 30) })),
    );
    const clicks = await service.sql(
      'select tableoid::regclass::text as partition, clicked_at as at from clicks where program_id = $1 order by id',
      [on.program.id],
    );
    expect(clicks).toEqual(times.map((at, index) => ({ partition: `clicks_${months[index]}`, at })));
    const hours = await service.sql('select hour, clicks from click_hours where program_id = $1 order by 1', [
      on.program.id,
    ]);
    expect(hours).toEqual(
      countsOf(times.map((time) => time.toISOString().slice(0, 13))).map(([hour, count]) => ({
        hour: new Date(`${hour}:00:00.000Z`),
        clicks: count,
      })),
    );
    await expectResultsToAgree(service.ctx.db);
  });
});

/** A sale to somebody who clicks, signs up and buys in the same moment. */
async function boughtAtOnce(on: TestProgram): Promise<number> {
  const customerKey = newId('user');
  await service.lead({ click_id: await service.clickId(on.link), customer_key: customerKey }, { key: on.apiKey });
  const order = { transaction_id: newId('order'), customer_key: customerKey, amount_cents: 10_000 };
  return (await service.sale(order, { key: on.apiKey })).body.data.sale_id;
}

/** How often each occurs, in order. */
function countsOf(values: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one.localeCompare(other));
}
