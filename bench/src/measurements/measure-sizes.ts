import { prepareFixtures } from '../fixtures.ts';
import { clickBody } from '../load/requests.ts';
import type { Options } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp, startService } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';
import { type Measured, measureClicks } from './measure-load.ts';

/** How much longer a click may take at the largest size than at the smallest. */
const MAX_RATIO = 1.2;
const BATCH_ROWS = 500_000;

type Measurement = Measured & { size: number; bytesPerClick: number };

/** Puts the same load of clicks on a growing store: the cost of a click must not depend on how many there are. */
export async function measureSizes(options: Options, sizes: number[], print: (line: string) => void): Promise<string> {
  const store = await createStore('postgres');
  try {
    const setup = await setUp(store);
    const { shortLink, programId } = await prepareFixtures(store, setup, { visitors: 0, buyers: 0 });
    const measured: Measurement[] = [];
    let stored = 0;
    for (const size of [...sizes].sort((a, b) => a - b)) {
      await storeClicks(store, programId, { from: stored, to: size }, print);
      const bytesPerClick = (await bytesOfClicks(store)) / size;
      print(`clicks on a store with ${size} clicks`);
      const service = await startService(store, options.profileDir);
      const result = await measureClicks(service, shortLink, options);
      await service.stop();
      measured.push({ size, bytesPerClick, ...result });
      stored = size + result.acknowledged;
    }
    return writePage(options, store.version, measured);
  } finally {
    await store.remove();
  }
}

const INSERT = `
  with member as (
    select m.program_id, m.partner_id, m.id as membership_id, l.id as link_id
    from memberships m join links l on l.program_id = m.program_id and l.partner_id = m.partner_id
    where m.program_id = $1
  ), made as (
    insert into customers (program_id, link_id, partner_id, membership_id, clicked_at, created_at)
    select program_id, link_id, partner_id, membership_id, at, at
    from member, generate_series($2::int, $3::int - 1) n, lateral (select now() - ($5 + n % $6) * interval '1 day' as at) time
    returning id, program_id, link_id, partner_id, clicked_at
  )
  insert into clicks (program_id, link_id, partner_id, customer_id, clicked_at, affiliate_url, page_url, page_title,
    referrer_url, session_id, user_agent, screen_resolution, viewport_size, language, timezone)
  select m.program_id, m.link_id, m.partner_id, m.id, m.clicked_at, d.affiliate_url, d.page_url, d.page_title, d.referrer_url,
    gen_random_uuid()::text, d.user_agent, d.screen_resolution, d.viewport_size, d.language, d.timezone
  from made m, json_populate_record(null::clicks, $4::json) d`;

/** One click per customer, spread evenly over `days`, of which the newest is `newest` days ago. */
type Spread = { newest: number; days: number };
const LAST_YEAR: Spread = { newest: 0, days: 365 };

export async function storeClicks(
  store: BenchStore,
  programId: number,
  { from, to }: { from: number; to: number },
  print: (line: string) => void,
  { newest, days } = LAST_YEAR,
) {
  const details = JSON.stringify(clickBody('seeded'));
  await store.withDb(async (db) => {
    await db.query(`select make_click_partition(now() - n * interval '1 month') from generate_series(0, $1::int) n`, [
      Math.ceil((newest + days) / 28),
    ]);
    for (let at = from; at < to; at += BATCH_ROWS) {
      const end = Math.min(to, at + BATCH_ROWS);
      await db.query(INSERT, [programId, at, end, details, newest, days]);
      print(`  ${end} of ${to} clicks stored`);
    }
    await db.query('vacuum (analyze)');
    await db.query('checkpoint');
  });
}

/** The disk space of clicks and the customers they created, including indexes. */
export async function bytesOfClicks(store: BenchStore): Promise<number> {
  const [row] = await store.withDb((db) =>
    db.query<{ bytes: number }>(
      `select (pg_total_relation_size('customers') + sum(pg_total_relation_size(inhrelid)))::bigint as bytes
       from pg_inherits where inhparent = 'clicks'::regclass`,
      [],
    ),
  );
  return row?.bytes ?? 0;
}

function writePage({ seconds, warmupSeconds, connections }: Options, version: string, measured: Measurement[]) {
  const smallest = measured[0]?.perSecond ?? 1;
  const rows = measured.map(({ size, perSecond, p50Ms, p99Ms, serverCpuMicros, bytesPerClick }) => [
    size.toLocaleString('en-US'),
    Math.round(perSecond).toLocaleString('en-US'),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    serverCpuMicros.toFixed(0),
    (smallest / perSecond).toFixed(2),
    bytesPerClick.toFixed(0),
  ]);
  const last = smallest / (measured.at(-1)?.perSecond ?? 1);
  return `# Clicks by store size

${bullets([
  ...machineFacts({ 'real Postgres': version }),
  `${connections} connections, ${warmupSeconds} s of warm-up and ${seconds} s measured per line`,
  `Goal: at the largest size, a click takes at most ${MAX_RATIO} times as long as at the smallest: ${last.toFixed(2)}, **${last <= MAX_RATIO ? 'pass' : 'miss'}**`,
])}

${table(
  [
    'Clicks stored before',
    'Per second',
    'p50 ms',
    'p99 ms',
    'Service CPU µs',
    'Time per click, smallest = 1',
    'Bytes stored per click',
  ],
  rows,
)}
`;
}
