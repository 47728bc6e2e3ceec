import { countRows } from '@svc/testkit';
import type { Setup } from './service.ts';
import type { BenchStore } from './store.ts';

/** The rows a run starts with: clicks for the leads, and customers with a lead for the sales. */
export type Fixtures = {
  programId: number;
  shortLink: string;
  apiKey: string;
  firstVisitorId: number;
  visitors: number;
  clickedAtMs: number;
  buyers: number;
};

const INSERT_CUSTOMERS = `
  insert into customers (program_id, link_id, partner_id, membership_id, clicked_at, created_at, customer_key, status,
    lead_at, lead_state)
  select m.program_id, l.id, m.partner_id, m.id, $2::timestamptz, $2, $4 || '-' || n,
    case when $4::text is null then 'click' else 'lead' end,
    case when $4::text is null then null else $2 + interval '1 hour' end,
    case when $4::text is null then null else 'settled' end
  from memberships m
  join links l on l.program_id = m.program_id and l.partner_id = m.partner_id, generate_series(0, $3::int - 1) n
  where m.program_id = $1
  order by n`;

/** Fills the store in bulk before a service uses it. */
export function prepareFixtures(
  store: BenchStore,
  setup: Setup,
  counts: { visitors: number; buyers: number },
): Promise<Fixtures> {
  const clickedAt = new Date(Date.now() - 24 * 3600 * 1000);
  return store.withDb(async (db) => {
    await db.query(INSERT_CUSTOMERS, [setup.program_id, clickedAt, counts.visitors, null]);
    const [first] = await db.query<{ id: number }>('select min(id) as id from customers', []);
    await db.query(INSERT_CUSTOMERS, [setup.program_id, clickedAt, counts.buyers, 'buyer']);
    await countRows(db);
    // As autovacuum would have done in a store with this many rows.
    await db.query('vacuum (analyze) customers');
    await db.query('checkpoint');
    return {
      programId: setup.program_id,
      shortLink: setup.short_link,
      apiKey: setup.api_key,
      firstVisitorId: first?.id ?? 0,
      clickedAtMs: clickedAt.getTime(),
      ...counts,
    };
  });
}
