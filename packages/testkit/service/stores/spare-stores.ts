import pg from 'pg';
import { type Db, DbError } from '../../../server/src/db/db.ts';
import { openEmbedded } from '../../../server/src/db/engines/embedded.ts';
import { AS_LONG_AS_A_TEST_MS } from '../../src/as-long-as-a-test.ts';
import { newPostgres, openByShortestWay } from './store.ts';

type Listener = { onMessage: (payload: string) => void; onGap: () => void };

type SpareStore = {
  db: Db;
  /** The URL of the database, if it is on a Postgres server. */
  url: string | undefined;
  schema: string;
  empty: string;
  /** Runs a statement beside the connections of the users. Emptying makes a connection forget the plans of all its statements. */
  beside: (sql: string) => Promise<Record<string, unknown>[]>;
  end: () => Promise<void>;
  /** Who hears the messages of a channel. Kept from one user of the store to the next, so that it listens only once. */
  listeners: Map<string, Set<Listener>>;
};

declare global {
  var svcSpareStores: SpareStore[] | undefined;
}

globalThis.svcSpareStores ??= [];
const spare = globalThis.svcSpareStores;

/**
 * An empty store with the schema, of the kind that this test run uses. Starting one, and letting its connections prepare
 * every statement again, takes longer than most test files. So a closed store is emptied and reused, unless a test has
 * changed its schema or analyzed its tables.
 */
export async function takeStore(): Promise<{ db: Db; url: string | undefined }> {
  for (let store = spare.pop(); store; store = spare.pop()) {
    if (await isLikeNew(store)) return { db: lend(store), url: store.url };
    await store.end();
  }
  const store = await openFirst();
  return { db: lend(store), url: store.url };
}

/** The store until it is closed. From then on nothing reaches it, and it notifies nobody. */
function lend(store: SpareStore): Db {
  let isClosed = false;
  const underWay = new Set<Promise<unknown>>();
  const whileOpen = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isClosed) return Promise.reject(new DbError('The store has stopped'));
    const working = work().finally(() => underWay.delete(working));
    underWay.add(working);
    return working;
  };
  const over = (db: Db): Db => ({
    kind: db.kind,
    query: (sql, params) => whileOpen(() => db.query(sql, params)),
    transaction: (work) => whileOpen(() => db.transaction(work)),
    listen: (channel, onMessage, onGap) => whileOpen(() => listen(store, channel, { onMessage, onGap })),
    isHearing: db.isHearing,
    onOneNode: (name, work) => whileOpen(() => db.onOneNode(name, work)),
    get untimed() {
      return over(db.untimed);
    },
    trouble: db.trouble,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.allSettled(underWay);
      for (const heard of store.listeners.values()) heard.clear();
      spare.push(store);
    },
  });
  return over(store.db);
}

async function listen({ db, listeners }: SpareStore, channel: string, listener: Listener): Promise<void> {
  const known = listeners.get(channel);
  if (known) {
    known.add(listener);
    return listener.onGap();
  }
  const heard = new Set([listener]);
  listeners.set(channel, heard);
  const tellAll = (payload: string) => {
    for (const { onMessage } of heard) onMessage(payload);
  };
  await db.listen(channel, tellAll, () => {
    for (const { onGap } of heard) onGap();
  });
}

/** Everything besides rows that tests change: tables, columns, constraints, triggers, functions, what is migrated and the planner's statistics. */
const SCHEMA = `
  select md5(string_agg(fact, ' ' order by fact)) as schema from (
    select concat('relation ', relname, ' ', relnatts) as fact from pg_class where relnamespace = 'public'::regnamespace
    union all select concat('constraint ', conrelid::regclass, ' ', conname) from pg_constraint
    union all select concat('trigger ', tgrelid::regclass, ' ', tgname, ' ', tgenabled) from pg_trigger where not tgisinternal
    union all select concat('function ', proname, ' ', md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all select concat('migration ', name) from schema_migrations
    union all select concat('statistics ', tablename, ' ', attname) from pg_stats where schemaname = 'public'
  ) facts`;

const RELATIONS = `
  select array_agg(quote_literal(relname)) as names from pg_class where relnamespace = 'public'::regnamespace`;

/**
 * Removes all rows, and the partitions that were added for them, and starts all ids again. Deleting a few rows is much
 * cheaper than new files for the tables and their indexes, but leaves their space behind.
 */
const emptyAllBut = (names: string[]) => `
  do $$
  declare
    known record;
    has_rows boolean;
    filled text[] = '{}';
    size bigint = 0;
  begin
    set local session_replication_role = replica;
    for known in
      select c.oid::regclass as name from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not in (${names.join(', ')})
    loop
      execute format('drop table %s', known.name);
    end loop;
    for known in
      select c.oid as id, c.oid::regclass as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
        and c.relname <> 'schema_migrations'
    loop
      execute format('select exists (select 1 from %s)', known.name) into has_rows;
      if has_rows then
        filled := filled || known.name::text;
        size := greatest(size, pg_table_size(known.id));
      end if;
    end loop;
    if size > 4000000 then
      execute 'truncate ' || array_to_string(filled, ', ') || ' cascade';
    else
      for known in select unnest(filled) as name loop
        execute 'delete from ' || known.name;
      end loop;
    end if;
    perform setval(seqrelid::regclass, seqstart, false) from pg_sequence;
  end $$`;

async function openFirst(): Promise<SpareStore> {
  const opened = process.env.SVC_TEST_STORE === 'postgres' ? await openOnServer() : await openInProcess();
  const [relations] = await opened.beside(RELATIONS);
  const schema = await schemaOf(opened);
  return { ...opened, schema, empty: emptyAllBut((relations?.names as string[]) ?? []), listeners: new Map() };
}

type Opened = Pick<SpareStore, 'db' | 'url' | 'beside' | 'end'>;

/** Tests share a machine, and not all that is slow is a store that hangs. What the limits do is tested with stores of their own. */
const PATIENT = { answerMs: AS_LONG_AS_A_TEST_MS };

async function openInProcess(): Promise<Opened> {
  const db = await openEmbedded('memory://', { limits: PATIENT });
  return { db, url: undefined, beside: (sql) => db.untimed.query(sql), end: () => db.close() };
}

async function openOnServer(): Promise<Opened> {
  const url = await newPostgres();
  const db = openByShortestWay(url);
  const connection = new pg.Client({ connectionString: url, options: '-c jit=off' });
  // The server is gone at the end of the run.
  connection.on('error', () => undefined);
  await connection.connect();
  return {
    db,
    url,
    beside: async (sql) => (await connection.query(sql)).rows,
    end: async () => void (await Promise.all([db.close(), connection.end()])),
  };
}

async function schemaOf({ beside }: Opened): Promise<string> {
  const [row] = await beside(SCHEMA);
  return String(row?.schema ?? '');
}

/** Empties the store. Returns false if it is still not like a new one. */
async function isLikeNew(store: SpareStore): Promise<boolean> {
  await store.beside(store.empty);
  return (await schemaOf(store)) === store.schema;
}
