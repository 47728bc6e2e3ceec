import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPartitions } from './create-partitions.ts';
import type { Job } from './job.ts';
import { rollUpCounts } from './roll-up-counts.ts';
import { jobs, runJob, startJobs } from './run-jobs.ts';
import { vacuumEmbeddedStore } from './vacuum-embedded-store.ts';

const service = useService();
const START = service.time;

afterEach(() => {
  service.time = START;
});

const clicks24h = async ({ apiKey }: TestProgram) => (await service.readiness(apiKey)).body.counts_24h.clicks;

const partitionsOf = (programId: number) =>
  service.sql(
    `select tableoid::regclass::text as partition, count(*) as clicks from clicks where program_id = $1
     group by 1 order by 1`,
    [programId],
  );

describe('rolling up clicks', () => {
  it('does not change the counts of readiness, even if repeated', async () => {
    const on = await service.program();
    const { link } = await service.partner(on.program);
    for (const each of [on.link, on.link, link]) await service.clickId(each);
    service.advance({ seconds: 3_600 });
    await service.clickId(on.link);
    expect(await clicks24h(on)).toBe(4);
    for (let run = 0; run < 2; run += 1) {
      await rollUpCounts.run(service.ctx);
      expect(await clicks24h(on)).toBe(4);
    }
    expect(
      await service.sql(
        'select hour, sum(clicks)::int as clicks from click_hours where program_id = $1 group by 1 order by 1',
        [on.program.id],
      ),
    ).toEqual([
      { hour: START, clicks: 3 },
      { hour: service.time, clicks: 1 },
    ]);
    expect(await service.sql('select * from count_deltas where program_id = $1', [on.program.id])).toEqual([]);
  });

  it('adds new clicks to an hour that was already rolled up', async () => {
    const on = await service.program();
    await service.clickId(on.link);
    await rollUpCounts.run(service.ctx);
    await service.clickId(on.link);
    await service.clickId(on.link);
    expect(await clicks24h(on)).toBe(3);
    await rollUpCounts.run(service.ctx);
    expect(await clicks24h(on)).toBe(3);
    expect(
      await service.sql('select partner_id, clicks from click_hours where program_id = $1', [on.program.id]),
    ).toEqual([{ partner_id: on.partnerId, clicks: 3 }]);
  });

  it('counts a click of a known customer for the link that was followed', async () => {
    const on = await service.program();
    const second = await service.partner(on.program);
    const existing = await service.clickId(on.link);
    await service.clickId(second.link, { existing_click_id: existing });
    await rollUpCounts.run(service.ctx);
    expect(
      await service.sql('select partner_id, clicks from click_hours where program_id = $1 order by partner_id', [
        on.program.id,
      ]),
    ).toEqual([
      { partner_id: on.partnerId, clicks: 1 },
      { partner_id: second.partnerId, clicks: 1 },
    ]);
  });

  it('does not change which clicks belong to the last 24 hours', async () => {
    const on = await service.program();
    service.advance({ seconds: 1_800 });
    await service.clickId(on.link);
    service.advance({ seconds: 1 });
    await service.clickId(on.link);
    service.advance({ seconds: 86_399 });
    expect(await clicks24h(on)).toBe(1);
    await rollUpCounts.run(service.ctx);
    expect(await clicks24h(on)).toBe(1);
    service.advance({ seconds: 1 });
    expect(await clicks24h(on)).toBe(0);
  });

  it('does not count test clicks', async () => {
    const on = await service.program();
    await service.clickId(on.link, { additional_data: { test_mode: true } });
    await rollUpCounts.run(service.ctx);
    expect(await clicks24h(on)).toBe(0);
    expect(await service.sql('select * from click_hours where program_id = $1', [on.program.id])).toEqual([]);
  });
});

describe('partitions of clicks', () => {
  it('receive clicks that were stored before the partition of their month existed', async () => {
    service.time = new Date('2031-05-31T23:59:59.999Z');
    const on = await service.program();
    await service.clickId(on.link);
    service.time = new Date('2031-06-01T00:00:00.000Z');
    await service.clickId(on.link);
    expect(await partitionsOf(on.program.id)).toEqual([{ partition: 'clicks_other_months', clicks: 2 }]);
    const before = await service.sql('select * from clicks where program_id = $1 order by id', [on.program.id]);

    await createPartitions.run(service.ctx);
    expect(await partitionsOf(on.program.id)).toEqual([
      { partition: 'clicks_2031_06', clicks: 1 },
      { partition: 'clicks_other_months', clicks: 1 },
    ]);
    expect(await service.sql('select * from clicks where program_id = $1 order by id', [on.program.id])).toEqual(
      before,
    );
  });

  it('exist for this month and the next three, across the end of the year, in UTC', async () => {
    service.time = new Date('2032-11-30T23:30:00.000Z');
    const on = await service.program();
    await createPartitions.run(service.ctx);
    for (const time of [
      '2032-11-01T00:00:00.000Z',
      '2032-11-30T23:59:59.999Z',
      '2032-12-31T23:59:59.999Z',
      '2033-01-31T12:00:00.000Z',
      '2033-02-28T23:59:59.999Z',
      '2033-03-01T00:00:00.000Z',
    ]) {
      service.time = new Date(time);
      await service.clickId(on.link);
    }
    expect(await partitionsOf(on.program.id)).toEqual([
      { partition: 'clicks_2032_11', clicks: 2 },
      { partition: 'clicks_2032_12', clicks: 1 },
      { partition: 'clicks_2033_01', clicks: 1 },
      { partition: 'clicks_2033_02', clicks: 1 },
      { partition: 'clicks_other_months', clicks: 1 },
    ]);
  });

  it('do not change if they are created again', async () => {
    service.time = new Date('2034-01-15T00:00:00.000Z');
    const on = await service.program();
    await createPartitions.run(service.ctx);
    await service.clickId(on.link);
    const before = await partitionsOf(on.program.id);
    await createPartitions.run(service.ctx);
    expect(before).toEqual([{ partition: 'clicks_2034_01', clicks: 1 }]);
    expect(await partitionsOf(on.program.id)).toEqual(before);
  });

  it('have the indexes of the table', async () => {
    service.time = new Date('2035-01-15T00:00:00.000Z');
    await createPartitions.run(service.ctx);
    const indexes = await service.sql<{ columns: string }>(
      `select regexp_replace(indexdef, '^.* USING ', '') as columns from pg_indexes
       where tablename = 'clicks_2035_01' order by 1`,
    );
    expect(indexes.map(({ columns }) => columns)).toEqual(['btree (customer_id)', 'btree (program_id, clicked_at)']);
  });
});

describe('running a job', () => {
  it('that fails is logged, reported as failed, and does not throw', async () => {
    const results: string[] = [];
    const logged = service.logLines.length;
    const job = {
      name: 'failing-job',
      everySeconds: 1,
      run: async () => {
        throw new Error('the disk is full');
      },
    };
    await runJob(service.ctx, job, (name, result) => results.push(`${name} ${result}`));
    expect(results).toEqual(['failing-job failed']);
    const [line] = service.logLines.slice(logged).map((text) => JSON.parse(text));
    expect(line).toMatchObject({ level: 50, job: 'failing-job', err: { message: 'the disk is full' } });
  });

  it('that failed in the database can run again and leaves the store working', async () => {
    const results: string[] = [];
    let sql = 'select 1 / 0';
    const job = {
      name: 'recovering-job',
      everySeconds: 1,
      run: async () => {
        await service.sql(sql);
        return 'did it';
      },
    };
    const run = () => runJob(service.ctx, job, (_name, result) => results.push(result));
    await run();
    sql = 'select 1';
    const logged = service.logLines.length;
    await run();
    expect(results).toEqual(['failed', 'done']);
    expect(JSON.parse(service.logLines[logged] ?? '{}')).toMatchObject({ job: 'recovering-job', msg: 'did it' });
  });

  it('that has nothing to do logs nothing', async () => {
    const results: string[] = [];
    const logged = service.logLines.length;
    for (const job of [rollUpCounts, createPartitions, vacuumEmbeddedStore]) {
      await runJob(service.ctx, job, (name, result) => results.push(`${name} ${result}`));
    }
    expect(results).toEqual(['roll-up-counts done', 'create-partitions done', 'vacuum-embedded-store done']);
    expect(service.logLines.slice(logged)).toEqual([]);
  });

  it('on schedule creates partitions at once, repeats each job at its interval, and ends when stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const runs: string[] = [];
      const stop = await startJobs(
        service.ctx,
        (job, result) => runs.push(`${job} ${result}`),
        jobs,
        () => 1,
      );
      expect(runs).toEqual(['create-partitions done']);
      vi.advanceTimersByTime(60_000);
      await expect.poll(() => runs.length).toBe(8);
      await stop();
      expect(runs.slice(1).sort()).toEqual([
        'apply-scheduled-terms done',
        'approve-commissions done',
        'prepare-payout-runs done',
        'repair-commissions done',
        'roll-up-counts done',
        'roll-up-facets done',
        'watch-programs done',
      ]);
      vi.advanceTimersByTime(3_600_000);
      expect(runs).toHaveLength(8);
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets a job that takes long rest in proportion', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const begun: string[] = [];
      const ended: string[] = [];
      const job = (name: string, rests?: number): Job => ({
        name,
        everySeconds: 1,
        ...(rests && { rests }),
        run: async () => {
          begun.push(name);
          vi.advanceTimersByTime(2);
          return null;
        },
      });
      const both = [job('busy'), job('resting', 1_000_000)];
      const stop = await startJobs(service.ctx, (name) => ended.push(name), both);
      vi.advanceTimersByTime(1_000);
      await expect.poll(() => ended).toEqual(expect.arrayContaining(['busy', 'resting']));
      for (const runs of [2, 3]) {
        vi.advanceTimersByTime(1_000);
        await expect.poll(() => ended.filter((name) => name === 'busy')).toHaveLength(runs);
      }
      await stop();
      expect(begun.filter((name) => name === 'resting')).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('stops a job that rests between two pieces of its work', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const done: string[] = [];
      const logged = service.logLines.length;
      const job: Job = {
        name: 'long',
        everySeconds: 1,
        rests: 1_000_000,
        run: async (_ctx, rest) => {
          for (let piece = 1; ; piece += 1) {
            vi.advanceTimersByTime(2);
            done.push(`piece ${piece}`);
            await rest?.();
          }
        },
      };
      const stop = await startJobs(service.ctx, (name, result) => name === 'long' && done.push(result), [job]);
      vi.advanceTimersByTime(1_000);
      await expect.poll(() => done).toEqual(['piece 1']);
      await stop();
      expect(done).toEqual(['piece 1']);
      expect(service.logLines.slice(logged)).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});
