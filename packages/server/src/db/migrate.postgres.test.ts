import { MIGRATIONS, migrationText, openStoreBefore } from '@svc/testkit/service/stores/earlier-store.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from './db.ts';
import { migrate } from './migrate.ts';

describe('a store from an earlier release', () => {
  let db: Db;
  beforeAll(async () => {
    ({ db } = await openStoreBefore('0006'));
  });
  afterAll(() => db.close());

  it('gets its leads and sales counted by day when it is migrated', async () => {
    await db.query(`
      insert into advertisers (name, created_at) values ('Acme', now());
      insert into programs (advertiser_id, name, slug, domain, commission_type, commission_rate, created_at)
        select id, 'Acme', 'acme', 'acme.test', 'percent', 20, now() from advertisers;
      insert into partners (advertiser_id, name, email, created_at) select id, 'Jane', 'jane@acme.test', now() from advertisers;
      insert into customers (program_id, link_id, partner_id, clicked_at, created_at, customer_key, status, lead_at,
        lead_state, converted_at)
        select p.id, 1, r.id, at, at, 'user_' || n, 'conversion', at, 'settled', at + interval '5 hours'
        from programs p, partners r, generate_series(1, 300) n, lateral (select now() - n * interval '7 hours' as at) t;
      insert into sales (processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, refunded_cents,
        currency, sale_type, is_recurring, commission_state, created_at)
        select 'order_' || id, program_id, id, partner_id, link_id, 1000, case when id % 3 = 0 then 250 else 0 end, 'USD',
          'payment', false, 'created', converted_at from customers;
      insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
        deducted_cents, currency, stage, approve_after, created_at)
        select id, program_id, partner_id, 'percent', 20, 200, case when refunded_cents > 0 then 50 else 0 end, 'USD',
          case when id % 7 = 0 then 'rejected' else 'approved' end, created_at, created_at from sales`);
    expect(await migrate(db)).toEqual(MIGRATIONS.filter((each) => each >= '0006'));
    await expectResultsToAgree(db);
    const [sums] = await db.query(
      `select sum(leads)::int as leads, sum(sales)::int as sales, sum(refunded_cents)::int as refunded,
         sum(commission_cents)::int as earned
       from counts where span = 'program_day'`,
      [],
    );
    // 258 of 300 commissions are not rejected. 100 sales were partly refunded, 14 of them with a rejected commission.
    expect(sums).toEqual({ leads: 300, sales: 300, refunded: 25_000, earned: 258 * 200 - 86 * 50 });
  });
});

describe('a store from before test ids were kept apart', () => {
  let db: Db;
  beforeAll(async () => {
    ({ db } = await openStoreBefore('0011'));
  });
  afterAll(() => db.close());

  it('frees the ids of its test sales for real ones, and keeps those of real sales', async () => {
    await db.query(`
      insert into advertisers (name, created_at) values ('Acme', now());
      insert into programs (advertiser_id, name, slug, domain, commission_type, commission_rate, created_at)
        select id, 'Acme', 'acme', 'acme.test', 'percent', 20, now() from advertisers;
      insert into customers (program_id, clicked_at, created_at) select id, now(), now() from programs;
      insert into sales (processor_event_id, program_id, customer_id, amount_cents, currency, sale_type, is_recurring,
        commission_state, is_test, created_at)
        select 'order_' || n, program_id, id, 1000, 'USD', 'payment', false, 'none', n = 1, now()
        from customers, generate_series(1, 2) n;
      insert into transactions (processor_event_id, program_id, sale_id)
        select processor_event_id, program_id, id from sales`);
    await migrate(db);
    const claimed = await db.query<{ id: string }>(
      `insert into transactions (processor_event_id, program_id, sale_id)
       select processor_event_id, program_id, id + 100 from sales
       on conflict do nothing returning processor_event_id as id`,
      [],
    );
    expect(claimed).toEqual([{ id: 'order_1' }]);
    const tests = await db.query('select processor_event_id as id from transactions where test_program_id <> 0', []);
    expect(tests).toEqual([{ id: 'order_1' }]);
  });
});

describe('a store from before there were several payment processors', () => {
  let db: Db;
  beforeAll(async () => {
    ({ db } = await openStoreBefore('0013'));
  });
  afterAll(() => db.close());

  it('keeps its connections with their secrets, and its events as those of Stripe', async () => {
    await db.query(`
      insert into advertisers (name, created_at) values ('Acme', now());
      insert into programs (advertiser_id, name, slug, domain, commission_type, commission_rate, created_at)
        select id, 'Acme', 'acme-' || n, 'acme.test', 'percent', 20, now() from advertisers, generate_series(1, 2) n;
      insert into processor_connections (program_id, provider, account_id, secret_encrypted, connected_at)
        select id, 'stripe', 'acct_' || slug, case slug when 'acme-1' then 'sealed' end, '2026-01-02' from programs;
      insert into processor_events (program_id, event_id, type, is_live, happened_at, received_at, due_at)
        select id, 'evt_1', 'invoice.paid', true, now(), now(), now() from programs`);
    await migrate(db);
    const secrets = await db.query(
      `select slug, c.provider, label, s.secret_encrypted as sealed, is_test, s.created_at = connected_at as dated
       from processor_secrets s join processor_connections c using (program_id, provider) join programs p on p.id = program_id`,
      [],
    );
    const migrated = { provider: 'stripe', label: null, sealed: 'sealed', is_test: false, dated: true };
    expect(secrets).toEqual([{ slug: 'acme-1', ...migrated }]);
    // A node of the previous release does not name the processor.
    const again = await db.query<{ id: number }>(
      `insert into processor_events (program_id, event_id, type, is_live, happened_at, received_at, due_at)
       select id, 'evt_1', 'invoice.paid', true, now(), now(), now() from programs on conflict do nothing returning id`,
      [],
    );
    expect(again).toEqual([]);
    expect(await db.query('select distinct provider from processor_events', [])).toEqual([{ provider: 'stripe' }]);
  });
});

describe('a store from before terms had versions', () => {
  let db: Db;
  beforeAll(async () => {
    ({ db } = await openStoreBefore('0014'));
  });
  afterAll(() => db.close());

  const versions = (programId: number) =>
    db.query(
      `select version, commission_rate::float as rate, commission_base as base, effective_from as since
       from terms_versions where program_id = $1 order by version`,
      [programId],
    );
  const INSERT_PROGRAM = `
    insert into programs (advertiser_id, name, slug, domain, commission_type, commission_rate, created_at)
    select id, 'Acme', $1, 'acme.test', 'percent', 20, '2026-01-01T00:00:00Z' from advertisers returning id`;

  it('gets the current terms of each program as its first version, and keeps paying on gross amounts', async () => {
    await db.query(`insert into advertisers (name, created_at) values ('Acme', now())`);
    const [old] = await db.query<{ id: number }>(INSERT_PROGRAM, ['old']);
    await migrate(db);
    const since = new Date('2026-01-01T00:00:00Z');
    expect(await versions(old?.id as number)).toEqual([{ version: 1, rate: 20, base: 'gross', since }]);

    // A node of the previous release creates and changes programs with the statements it has. It pays on gross amounts.
    const [created] = await db.query<{ id: number }>(INSERT_PROGRAM, ['new']);
    expect(await versions(created?.id as number)).toEqual([{ version: 1, rate: 20, base: 'gross', since }]);
    await db.query('update programs set commission_rate = coalesce($2, commission_rate) where id = $1', [
      old?.id,
      '25',
    ]);
    expect(await versions(old?.id as number)).toMatchObject([{ version: 1 }, { version: 2, rate: 25, base: 'gross' }]);
  });
});

// During a rolling update, nodes of the previous release run on the new schema. Up to 0005 there was none.
const later = MIGRATIONS.filter((name) => name > '0006');

describe('a migration breaks nothing for the previous release', () => {
  const BREAKING =
    /\b(drop (table|column|view)|rename (to|column)|alter column \w+ (type|set not null|drop default))\b/i;

  it.each(later)('%s does not drop or rename a table or column, or change the type of a column', async (name) => {
    expect((await migrationText(name)).match(BREAKING)).toBeNull();
  });

  it.each(later)('%s adds no column that the previous release would have to fill', async (name) => {
    const added = (await migrationText(name)).match(/add column [^;]+/gi) ?? [];
    expect(added.filter((column) => /not null/i.test(column) && !/default|generated/i.test(column))).toEqual([]);
  });
});
