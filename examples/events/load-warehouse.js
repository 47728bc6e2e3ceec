// Loads the events of the program into Postgres, and ends. Run it as often as you like: it goes on where it stopped.
import pg from 'pg';
import { SvcEventsGoneError, svc } from '@svc/node';

const db = new pg.Client({ connectionString: process.env.WAREHOUSE_URL });
await db.connect();
await db.query(`
  create table if not exists svc_events (
    sequence bigint primary key,
    id text not null,
    type text not null,
    happened_at timestamptz not null,
    data jsonb not null
  );
  create table if not exists svc_cursor (
    is_only boolean primary key default true check (is_only),
    sequence bigint not null
  )`);

const { rows } = await db.query('select sequence from svc_cursor');
const after = rows[0] && Number(rows[0].sequence);
try {
  for await (const { events, nextCursor } of svc.eventPages({ after, limit: 200, follow: false })) {
    await store(events, nextCursor);
    console.log(`Loaded ${events.length} events, up to ${nextCursor}`);
  }
} catch (error) {
  if (!(error instanceof SvcEventsGoneError)) throw error;
  console.error(`Events before ${error.oldest} are no longer kept. Load what they changed from the lists of the API,`);
  console.error(`then go on: insert into svc_cursor (sequence) values (${error.oldest - 1})`);
  process.exitCode = 1;
} finally {
  await db.end();
}

/**
 * Stores events and the place to go on from in one transaction: either both are there, or none. If two runs overlap, the primary key
 * refuses the second one.
 *
 * @param {import('@svc/node').SvcEvent[]} events
 * @param {number} nextCursor
 */
async function store(events, nextCursor) {
  await db.query('begin');
  try {
    await db.query(
      `insert into svc_events (sequence, id, type, happened_at, data)
       select sequence, id, type, "timestamp", data
       from jsonb_to_recordset($1) as e (sequence bigint, id text, type text, "timestamp" timestamptz, data jsonb)`,
      [JSON.stringify(events)],
    );
    await db.query(
      `insert into svc_cursor (sequence) values ($1) on conflict (is_only) do update set sequence = excluded.sequence`,
      [nextCursor],
    );
    await db.query('commit');
  } catch (error) {
    await db.query('rollback');
    throw error;
  }
}
