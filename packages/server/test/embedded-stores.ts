import { type Db, DbError } from '../src/db/db.ts';
import { openEmbedded } from '../src/db/embedded.ts';

declare global {
  var svcSpareStores: Db[] | undefined;
}

globalThis.svcSpareStores ??= [];
const spare = globalThis.svcSpareStores;

/**
 * An empty embedded store in memory with the schema. Starting one takes longer than most test files, so a closed store is
 * emptied and reused, unless a test has changed its schema.
 */
export async function takeEmbeddedStore(): Promise<Db> {
  for (let store = spare.pop(); store; store = spare.pop()) {
    if (await emptyStore(store)) return lend(store);
    await store.close();
  }
  return lend(await openFirst());
}

/** The store until it is closed; from then on nothing reaches it, and its notifications reach nobody. */
function lend(store: Db): Db {
  let isClosed = false;
  const whileOpen = <Result>(work: () => Promise<Result>): Promise<Result> =>
    isClosed ? Promise.reject(new DbError('The embedded store has stopped')) : work();
  return {
    kind: store.kind,
    query: (sql, params) => whileOpen(() => store.query(sql, params)),
    transaction: (work) => whileOpen(() => store.transaction(work)),
    listen: (channel, onMessage, onGap) =>
      whileOpen(() => store.listen(channel, (payload) => void (isClosed || onMessage(payload)), onGap)),
    get untimed() {
      return this;
    },
    trouble: store.trouble,
    async close() {
      if (isClosed) return;
      isClosed = true;
      spare.push(store);
    },
  };
}

/** Everything of the schema that tests change: tables, columns, constraints, triggers and functions. */
const SCHEMA = `
  select md5(string_agg(fact, ' ' order by fact)) as schema from (
    select concat('relation ', relname, ' ', relnatts) as fact from pg_class where relnamespace = 'public'::regnamespace
    union all select concat('constraint ', conrelid::regclass, ' ', conname) from pg_constraint
    union all select concat('trigger ', tgrelid::regclass, ' ', tgname, ' ', tgenabled) from pg_trigger where not tgisinternal
    union all select concat('function ', proname, ' ', md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
  ) facts`;

/** Removes all rows, and the partitions that were added for them, and starts all ids again. */
const EMPTY = `
  do $$
  declare
    known record;
    has_rows boolean;
    filled text[] = '{}';
  begin
    for known in
      select c.oid::regclass as name from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        and not exists (select 1 from kept_relations k where k.name = c.relname)
    loop
      execute format('drop table %s', known.name);
    end loop;
    for known in
      select c.oid::regclass as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
        and c.relname <> 'schema_migrations'
    loop
      execute format('select exists (select 1 from %s)', known.name) into has_rows;
      if has_rows then filled := filled || known.name::text; end if;
    end loop;
    if filled <> '{}' then execute 'truncate ' || array_to_string(filled, ', ') || ' cascade'; end if;
    perform setval(seqrelid::regclass, seqstart, false) from pg_sequence;
  end $$`;

const KEEP = `
  create temporary table kept_relations as
    select relname as name from pg_class where relnamespace = 'public'::regnamespace`;

const schemas = new WeakMap<Db, string>();

async function openFirst(): Promise<Db> {
  const store = await openEmbedded('memory://');
  await store.query(KEEP);
  schemas.set(store, await schemaOf(store));
  return store;
}

async function schemaOf(store: Db): Promise<string> {
  const [row] = await store.query<{ schema: string }>(SCHEMA);
  return row?.schema ?? '';
}

/** Whether the store is now like a new one. */
async function emptyStore(store: Db): Promise<boolean> {
  await store.query(EMPTY);
  return (await schemaOf(store)) === schemas.get(store);
}
