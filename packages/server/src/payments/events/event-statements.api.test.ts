import { newId, StripeEvents, send, settle, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { beforeAll, expect, it } from 'vitest';
import { createTracking } from '../../create-tracking.ts';
import type { Db, Queryable, Transaction } from '../../db/db.ts';
import type { PaymentsContext } from '../payments-context.ts';
import { processDueEvents } from './process-due-events.ts';

const service = useService();

// The tests process the events themselves.
beforeAll(() => service.ctx.eventWorker.close());

type Statement = { sql: string; params: unknown[] };

/** Processes what is due over a store that keeps the statements which it was sent. */
async function processRecorded(): Promise<Statement[]> {
  const { ctx } = service;
  const { db } = ctx;
  const statements: Statement[] = [];
  const note = (sql: string, params: unknown[] = []) => statements.push({ sql, params });
  const recorded: Db = {
    kind: db.kind,
    untimed: db.untimed,
    trouble: db.trouble,
    listen: db.listen.bind(db),
    isHearing: db.isHearing,
    onOneNode: db.onOneNode,
    close: db.close.bind(db),
    query(sql, params) {
      note(sql, params);
      return db.query(sql, params);
    },
    transaction: (work) =>
      db.transaction((tx) => {
        const query: Queryable['query'] = (sql, params) => {
          note(sql, params);
          return tx.query(sql, params);
        };
        const send: Transaction['send'] = (sql, params) => {
          note(sql, params);
          tx.send(sql, params);
        };
        return work({ ...tx, query, send });
      }),
  };
  const onStore = { ...ctx, db: recorded };
  const { emailSecret } = ctx;
  const payments: PaymentsContext = { ...onStore, ...createTracking(onStore, ctx.lookup, { emailSecret }) };
  await processDueEvents(payments);
  return statements;
}

type Node = {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  'Actual Loops'?: number;
  Plans?: Node[];
};

/** How many rows each node of the statement's plan reads, or null if it cannot be repeated. Nothing that it writes is kept. */
async function rowsReadBy({ sql, params }: Statement): Promise<Map<string, number> | null> {
  const read = new Map<string, number>();
  const add = (node: Node) => {
    const name = `${node['Node Type']} ${node['Index Name'] ?? ''}`.trim();
    const rows = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
    read.set(name, (read.get(name) ?? 0) + rows);
    for (const child of node.Plans ?? []) add(child);
  };
  const isRepeated = await service.ctx.db
    .transaction(async (tx) => {
      const [explained] = await tx.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
        `explain (analyze, timing off, format json) ${sql}`,
        params,
      );
      add(explained?.['QUERY PLAN'][0]?.Plan as Node);
      tx.rollBack();
    })
    .then(
      () => true,
      () => false,
    );
  return isRepeated ? read : null;
}

/** Gives the customer as many payments as the first one, with what comes with a payment. */
async function addPayments(customerId: number, payments: number): Promise<void> {
  await service.sql(
    `insert into transactions (processor_event_id, program_id, sale_id)
     select 'in_earlier_' || $1::bigint || '_' || n, s.program_id, nextval('sales_id_seq')
     from (select * from sales where customer_id = $1 order by id limit 1) s, generate_series(1, $2::int) n`,
    [customerId, payments],
  );
  const copied = `(select * from sales where customer_id = $1 order by id limit 1) s
    join transactions t on t.program_id = s.program_id and t.processor_event_id like 'in_earlier_%'`;
  await service.sql(
    `insert into sales select copy.* from ${copied}, jsonb_populate_record(null::sales, to_jsonb(s) || jsonb_build_object(
       'id', t.sale_id, 'processor_event_id', t.processor_event_id,
       'created_at', s.created_at + (t.sale_id % 1000) * interval '1 second')) copy`,
    [customerId],
  );
  await service.sql(
    `insert into processor_identities (program_id, reference, customer_id, rank, seen_at, known_since)
     select s.program_id, t.processor_event_id, s.customer_id, 0, s.created_at, s.created_at from ${copied}`,
    [customerId],
  );
  await service.sql(
    `insert into processor_events (program_id, event_id, type, is_live, happened_at, received_at, payload_sealed, state, outcome,
       worked_at, transaction_id, customer_id, waits_for)
     select s.program_id, 'evt_' || t.processor_event_id, 'invoice.paid', true, s.created_at, s.created_at, 'sealed', 'done',
       'recorded', s.created_at, t.processor_event_id, s.customer_id, array[t.processor_event_id]
     from ${copied}`,
    [customerId],
  );
  await service.sql(
    `insert into decisions select copy.*
     from (select * from decisions where customer_id = $1 and kind = 'sale' order by id limit 1) d, generate_series(1, $2::int) n,
       jsonb_populate_record(null::decisions, to_jsonb(d) || jsonb_build_object(
         'id', nextval('decisions_id_seq'), 'transaction_id', 'in_earlier_' || d.customer_id || '_' || n)) copy`,
    [customerId, payments],
  );
}

it.each([
  ['whom a server has reported', ''],
  // Who vouches for their lead, and for their key, is looked up in what was decided about them.
  ['who was reported to an earlier release', 'claimed_customer_key = customer_key, lead_source = null,'],
])('no statement of a renewal reads more rows for a customer with more payments, %s', async (_who, change) => {
  const read = async (payments: number) => {
    const { id, customerId } = await withBuyer(service, { commissionType: 'recurring_percent' });
    await service.sql(`update customers set ${change} status = status where id = $1`, [customerId]);
    const [subscription, customer] = [newId('sub'), newId('cus')];
    const pay = (reason: string) => {
      const stripe = new StripeEvents('2026', service.time);
      const metadata = { svc_customer_key: 'user-1' };
      return send(
        service,
        id,
        stripe.event('invoice.paid', stripe.invoice({ subscription, customer, reason, metadata })),
      );
    };
    await pay('subscription_create');
    await settle(service);
    if (payments > 0) await addPayments(customerId, payments);
    service.advance({ days: 30 });
    await pay('subscription_cycle');
    const read = new Map<string, number>();
    for (const statement of await processRecorded()) {
      for (const [node, rows] of (await rowsReadBy(statement)) ?? []) {
        const name = `${node} of: ${statement.sql}`;
        read.set(name, Math.max(read.get(name) ?? 0, rows));
      }
    }
    return read;
  };
  const few = await read(9);
  expect(few.size).toBeGreaterThan(30);
  // A statement that reads payments reads all of them. A few more rows are entries that earlier test files left in the indexes.
  const more = [...(await read(999))].filter(([name, rows]) => rows > (few.get(name) ?? 0) + 500);
  expect(more).toEqual([]);
});
