import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { emptyPostgres } from '@svc/testkit/service/stores/store.ts';
import pg from 'pg';
import { expect, it } from 'vitest';

const service = useService();

/** How many transactions of the server begin and end between two sales, so that the open one grows old. */
const OTHERS = 1_000;
const SALES = 5;

it('a write transaction that stays open in another database of the server delays the feed by less than a second, however old it is', async () => {
  const url = await emptyPostgres();
  const neighbour = new pg.Client({ connectionString: url });
  const busy = new pg.Client({ connectionString: url });
  await Promise.all([neighbour.connect(), busy.connect()]);
  try {
    await busy.query('create table held (id int)');
    await neighbour.query('begin; insert into held values (1)');
    const { rows } = await neighbour.query<{ xid: string }>('select pg_current_xact_id() as xid');
    const made = await service.program();
    const delays: number[] = [];
    let after = 0;
    for (let sale = 1; sale <= SALES; sale += 1) {
      await busy.query(`do $$ begin for i in 1..${OTHERS} loop insert into held values (i); commit; end loop; end $$`);
      await sold(service, made);
      const from = performance.now();
      for (let seen: string[] = []; !seen.includes('commission.created'); ) {
        const { body } = await service.call('GET', `/api/v1/events?after=${after}&wait=30`, { key: made.apiKey });
        seen = body.data.map(({ type }: { type: string }) => type);
        after = body.meta.next_cursor;
      }
      delays.push(performance.now() - from);
    }
    // It was open all the time: what waited for it would be waiting still. Other tests on this server may be older.
    const [held] = await service.sql<{ over: boolean; younger: number }>(
      `select pg_visible_in_snapshot($1::xid8, s) as over, (pg_snapshot_xmax(s)::text::bigint - $1::text::bigint) as younger
       from pg_current_snapshot() s`,
      [rows[0]?.xid],
    );
    expect(held?.over).toBe(false);
    expect(held?.younger).toBeGreaterThan(OTHERS * SALES);
    // A busy machine delays one of them; what waits for the neighbour would be late most of the time.
    expect(delays.toSorted((a, b) => a - b)[Math.floor(SALES / 2)]).toBeLessThan(1_000);
  } finally {
    await Promise.all([neighbour.end(), busy.end()]);
  }
});
