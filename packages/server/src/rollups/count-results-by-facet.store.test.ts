import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import type { Db, Queryable } from '../db/db.ts';
import { JobStopped, withoutRest } from '../db/rest.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { rollUpFacets } from '../jobs/roll-up-facets.ts';
import { countResultsByFacet } from './count-results-by-facet.ts';
import { readResultCounts, WHOLE_PROGRAM } from './facet-counts.ts';
import { listDueFacetDays } from './result-facet-store.ts';

const service = useService();

const MANY = 1_234;
const today = () => service.time.toISOString().slice(0, 10);
const todayOf = ({ program }: TestProgram) => ({ programId: program.id, firstDay: today(), lastDay: today() });

/** Many leads, all of the same time. */
async function leadsAtOnce({ program, partnerId }: TestProgram, count = MANY): Promise<void> {
  await service.sql(
    `insert into customers (program_id, link_id, partner_id, clicked_at, created_at, customer_key, status, lead_at, lead_state)
     select $1, l.id, $2, $3::timestamptz, $3, 'many-' || n, 'lead', $3, 'settled'
     from links l, generate_series(1, $4::int) n where l.program_id = $1`,
    [program.id, partnerId, service.time, count],
  );
}

/** Lets the jobs count everything that has happened. */
async function count(): Promise<void> {
  await rollUpCounts.run(service.ctx);
  await rollUpFacets.run(service.ctx);
}

/** Leads and sales by landing page, for the whole program and for its partner. */
async function byPage({ program, partnerId }: TestProgram): Promise<Record<string, [leads: number, sales: number]>[]> {
  const rows = await service.sql<{ counts: string }>(
    `select landing_page as counts from result_facet_days
     where program_id = $1 and day = $2::date and partner_id = any ($3::bigint[]) order by partner_id`,
    [program.id, today(), [WHOLE_PROGRAM, partnerId]],
  );
  return rows.map(({ counts }) => {
    const pages: Record<string, [number, number]> = {};
    for (const { value, leads, sales } of readResultCounts(counts)) {
      const [leadsOfPage, salesOfPage] = pages[value ?? 'other'] ?? [0, 0];
      pages[value ?? 'other'] = [leadsOfPage + leads, salesOfPage + sales];
    }
    return pages;
  });
}

const isDue = async ({ program }: TestProgram) =>
  (await listDueFacetDays(service.ctx.db, 1_000)).some(({ programId }) => programId === program.id);

/** Calls `at` once, after the first piece. */
function afterFirstPiece(at: () => Promise<unknown>): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (isFirst) {
      isFirst = false;
      await at();
    }
  };
}

const stop = async () => {
  throw new JobStopped();
};

it('results are exact, however many have the same time, and no statement reads or writes many of them', async () => {
  const on = await service.program();
  await leadsAtOnce(on);
  await sold(service, on);
  const sizes: number[] = [];
  const measured = (tx: Queryable): Queryable => ({
    async query<Row>(sql: string, params?: unknown[]) {
      const rows = await tx.query<Row>(sql, params);
      const written = params?.find((value) => typeof value === 'string' && value.startsWith('[')) as string | undefined;
      sizes.push(rows.length, JSON.parse(written ?? '[]').length);
      return rows;
    },
  });
  const db: Db = {
    ...service.ctx.db,
    transaction: (work) => service.ctx.db.transaction((tx) => work({ ...tx, ...measured(tx) })),
  };
  let rests = 0;
  await countResultsByFacet(db, todayOf(on), async () => {
    rests += 1;
  });
  const counted = { '': [MANY, 0], 'acme.test': [1, 1] };
  expect(await byPage(on)).toEqual([counted, counted]);
  expect(rests).toBeGreaterThanOrEqual(3);
  expect(Math.max(...sizes)).toBeGreaterThan(100);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(501);
});

it('requests are answered between two pieces, and what they change is counted by the next run', async () => {
  const on = await service.program();
  await leadsAtOnce(on);
  await rollUpCounts.run(service.ctx);
  await countResultsByFacet(
    service.ctx.db,
    todayOf(on),
    afterFirstPiece(() => sold(service, on)),
  );
  await count();
  const counted = { '': [MANY, 0], 'acme.test': [1, 1] };
  expect(await byPage(on)).toEqual([counted, counted]);
  expect(await isDue(on)).toBe(false);
});

it('a day whose count is interrupted stays due', async () => {
  const on = await service.program();
  await leadsAtOnce(on);
  await rollUpCounts.run(service.ctx);
  await expect(countResultsByFacet(service.ctx.db, todayOf(on), stop)).rejects.toThrow(JobStopped);
  expect(await byPage(on)).toEqual([]);
  expect(await isDue(on)).toBe(true);
  await count();
  expect(await byPage(on)).toEqual([{ '': [MANY, 0] }, { '': [MANY, 0] }]);
  expect(await isDue(on)).toBe(false);
});

it.each([
  ['between two pieces, and is done', MANY, withoutRest],
  ['between two pieces, and goes on', MANY, stop],
  ['after the last piece, and goes on', 3, stop],
])('an attempt stores nothing if another takes its days over %s', async (_when, leads, rest) => {
  const on = await service.program();
  await leadsAtOnce(on, leads);
  await rollUpCounts.run(service.ctx);
  const takeOver = async () => {
    await service.sql('update customers set partner_id = null where program_id = $1', [on.program.id]);
    await rollUpCounts.run(service.ctx);
    await countResultsByFacet(service.ctx.db, todayOf(on), rest).catch(() => undefined);
  };
  await countResultsByFacet(service.ctx.db, todayOf(on), afterFirstPiece(takeOver));
  expect(await byPage(on)).toEqual(rest === stop ? [] : [{ '': [leads, 0] }]);
  expect(await isDue(on)).toBe(rest === stop);
  await count();
  expect(await byPage(on)).toEqual([{ '': [leads, 0] }]);
});

it('a person who is erased meanwhile is not counted under their page', async () => {
  const on = await service.program();
  const owner = await memberOf(service, on.workspaceId);
  const customerKey = newId('jane');
  const clickId = await service.clickId(on.link, { page_url: `https://acme.test/hello/${customerKey}` });
  await service.lead({ click_id: clickId, customer_key: customerKey }, { key: on.apiKey });
  service.advance({ seconds: 1 });
  await leadsAtOnce(on);
  const [customer] = await service.sql<{ id: number }>('select id from customers where customer_key = $1', [
    customerKey,
  ]);
  const erase = async () => {
    const path = manage(on, `/customers/${customer?.id}/erase`);
    expect((await service.call('POST', path, { key: owner.token, body: {} })).status).toBe(200);
  };
  await countResultsByFacet(service.ctx.db, todayOf(on), afterFirstPiece(erase));
  expect(await byPage(on)).toEqual([]);
  await count();
  expect(await byPage(on)).toEqual([{ '': [MANY + 1, 0] }, { '': [MANY + 1, 0] }]);
  const facets = await service.sql('select landing_page from customer_facets where customer_id = $1', [customer?.id]);
  expect(JSON.stringify(facets)).not.toContain(customerKey);
});
