import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { emptyPostgres } from '@svc/testkit/service/stores/store.ts';
import pg from 'pg';
import { expect, it } from 'vitest';

const service = useService();

it('a write transaction that stays open in another database of the server does not delay the feed', async () => {
  const neighbour = new pg.Client({ connectionString: await emptyPostgres() });
  await neighbour.connect();
  try {
    await neighbour.query('create table held (id int)');
    await neighbour.query('begin; insert into held values (1)');
    const made = await service.program();
    await sold(service, made);
    let after = 0;
    let seen: string[] = [];
    while (!seen.includes('commission.created')) {
      const { body } = await service.call('GET', `/api/v1/events?after=${after}&wait=30`, { key: made.apiKey });
      seen = seen.concat(body.data.map(({ type }: { type: string }) => type));
      after = body.meta.next_cursor;
    }
    // It has arrived while the neighbour's transaction is still open.
    const { rows } = await neighbour.query('select pg_current_xact_id_if_assigned() is not null as open');
    expect(rows).toEqual([{ open: true }]);
  } finally {
    await neighbour.end();
  }
});
