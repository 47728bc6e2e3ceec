import { eventually } from '@svc/testkit/service/eventually.ts';
import { openStoreBefore } from '@svc/testkit/service/stores/earlier-store.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import type { Db } from '../db/db.ts';
import { migrate } from '../db/migrate.ts';
import { rollUpDeltas } from './count-store.ts';

// Nodes of the release before counts were appended work before, during and after the migration. Their statements append clicks
// to `click_deltas` and leave the rest to triggers.
let db: Db;
let earlier: pg.Client;

/** Opens a store from before a migration, with a program, a partner and a connection of an earlier node. */
async function openStore(migration: string): Promise<void> {
  const opened = await openStoreBefore(migration);
  db = opened.db;
  earlier = new pg.Client({ connectionString: opened.url });
  await earlier.connect();
  await earlier.query(`
    insert into advertisers (name, created_at) values ('Acme', now());
    insert into programs (advertiser_id, name, slug, domain, commission_type, commission_rate, commission_base, created_at)
      select id, 'Acme', 'acme', 'acme.test', 'percent', 20, 'gross', now() from advertisers;
    insert into partners (advertiser_id, name, email, created_at) select id, 'Jane', 'jane@acme.test', now() from advertisers;
    insert into memberships (program_id, partner_id) select p.id, r.id from programs p, partners r`);
}

afterEach(async () => {
  await earlier.end();
  await db.close();
});

/** What an earlier node writes for three clicks, a lead, a first sale of 10.00 with its commission, and a refund of 2.50. */
async function happen(key: string): Promise<void> {
  await earlier.query(`
    insert into click_deltas (program_id, link_id, partner_id, hour, clicks)
      select p.id, 1, r.id, date_trunc('hour', timestamptz '2026-03-10 12:34Z', 'UTC'), 3 from programs p, partners r;
    insert into customers (program_id, link_id, partner_id, clicked_at, created_at, customer_key)
      select p.id, 1, r.id, '2026-03-10 12:34Z', now(), '${key}' from programs p, partners r;
    update customers set status = 'lead', lead_at = '2026-03-10 13:00Z', lead_state = 'settled' where customer_key = '${key}';
    insert into sales (processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, currency, sale_type,
        is_recurring, commission_state, created_at)
      select customer_key, program_id, id, partner_id, link_id, 1000, 'USD', 'payment', false, 'created', '2026-03-11 01:00Z'
      from customers where customer_key = '${key}';
    insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents, currency,
        approve_after, created_at)
      select id, program_id, partner_id, 'percent', 20, 200, 'USD', created_at, created_at from sales
      where processor_event_id = '${key}';
    update customers set status = 'conversion', converted_at = '2026-03-11 01:00Z' where customer_key = '${key}';
    update sales set refunded_cents = 250 where processor_event_id = '${key}';
    update commissions set deducted_cents = 50, reversal = 'partial'
      where sale_id = (select id from sales where processor_event_id = '${key}')`);
}

/** The roll-up of an earlier node. */
const rollUpEarlier = () =>
  earlier.query(`
    with taken as (delete from click_deltas returning *), days as (
      insert into click_days (program_id, day, link_id, partner_id, clicks)
      select program_id, (hour at time zone 'UTC')::date, link_id, min(partner_id), sum(clicks) from taken group by 1, 2, 3
      on conflict (program_id, day, link_id) do update set clicks = click_days.clicks + excluded.clicks)
    insert into click_hours (program_id, hour, link_id, partner_id, clicks)
    select program_id, hour, link_id, min(partner_id), sum(clicks) from taken group by 1, 2, 3
    on conflict (program_id, hour, link_id) do update set clicks = click_hours.clicks + excluded.clicks;
    with taken as (delete from result_deltas returning *)
    insert into result_days as known (program_id, day, partner_id, link_id, currency, leads, first_sales, sales, revenue_cents,
      refunded_cents, commission_cents)
    select program_id, day, partner_id, link_id, currency, sum(leads), sum(first_sales), sum(sales), sum(revenue_cents),
      sum(refunded_cents), sum(commission_cents) from taken group by 1, 2, 3, 4, 5
    on conflict (program_id, day, partner_id, link_id, currency) do update
      set leads = known.leads + excluded.leads, first_sales = known.first_sales + excluded.first_sales,
        sales = known.sales + excluded.sales, revenue_cents = known.revenue_cents + excluded.revenue_cents,
        refunded_cents = known.refunded_cents + excluded.refunded_cents,
        commission_cents = known.commission_cents + excluded.commission_cents`);

/** Rolls everything up and expects what happened so many times, by day, in every count. */
async function expectCounted(times: number): Promise<void> {
  while ((await rollUpDeltas(db)).hasMore);
  await expectResultsToAgree(db);
  expect(
    await db.query(
      `select day::text, sum(clicks)::int as clicks, sum(leads)::int as leads, sum(first_sales)::int as first_sales,
         sum(sales)::int as sales, sum(revenue_cents)::int as revenue, sum(refunded_cents)::int as refunded,
         sum(commission_cents)::int as commission
       from counts where span = 'program_day' group by 1 order by 1`,
      [],
    ),
  ).toEqual([
    {
      day: '2026-03-10',
      ...{ clicks: 3 * times, leads: times, first_sales: 0, sales: 0, revenue: 0, refunded: 0, commission: 0 },
    },
    {
      day: '2026-03-11',
      ...{ clicks: 0, leads: 0, first_sales: times, sales: times },
      ...{ revenue: 1_000 * times, refunded: 250 * times, commission: 150 * times },
    },
  ]);
}

it('what happened before, between and after the migrations is counted once, rolled up or not', async () => {
  await openStore('0034');
  await happen('rolled-up');
  await rollUpEarlier();
  await happen('pending');
  await migrate(db);
  await happen('later');
  await rollUpEarlier();
  await expectCounted(3);
  expect((await earlier.query('select from click_deltas union all select from result_deltas')).rowCount).toBe(0);
});

it('what happens between the two migrations is counted once', async () => {
  await openStore('0035');
  await happen('between');
  await rollUpEarlier();
  await migrate(db);
  await happen('after');
  await expectCounted(2);
});

it('what a trigger once missed is counted by the migration', async () => {
  await openStore('0034');
  await happen('missed');
  await earlier.query('delete from result_deltas');
  await migrate(db);
  await expectCounted(1);
});

it('a transaction that is under way when the migration begins is counted once', async () => {
  await openStore('0034');
  const waits: object[] = [];
  const log = { info: () => undefined, warn: (fields: object) => void waits.push(fields) };
  await earlier.query('begin');
  await happen('under-way');
  const migrating = migrate(db, log);
  await eventually(
    async () => waits.length,
    (count) => count > 0,
  );
  await earlier.query('commit');
  await migrating;
  await expectCounted(1);
});

it('deleted sales and rejected commissions no longer count', async () => {
  await openStore('0034');
  await migrate(db);
  await happen('kept');
  await happen('gone');
  await happen('rejected');
  await earlier.query(`
    update commissions set stage = 'rejected' where sale_id in (select id from sales where processor_event_id = 'rejected');
    delete from commissions where sale_id in (select id from sales where processor_event_id = 'gone');
    delete from sales where processor_event_id = 'gone'`);
  while ((await rollUpDeltas(db)).hasMore);
  await expectResultsToAgree(db);
  const [sums] = await db.query(
    `select sum(sales)::int as sales, sum(commission_cents)::int as commission from counts where span = 'link'`,
    [],
  );
  expect(sums).toEqual({ sales: 2, commission: 150 });
});
