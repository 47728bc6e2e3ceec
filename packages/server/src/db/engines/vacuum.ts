import type { Queryable } from '../db.ts';

// The embedded store has no autovacuum, so jobs vacuum it.

/**
 * Leaves out tables that are empty. Once it knows that, Postgres takes any index for as good as another, and keeps what it has planned
 * so when there are many rows.
 */
export async function vacuumStore(db: Queryable): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace)
       and pg_relation_size(c.oid) > 0`,
  );
  await db.query(`vacuum (analyze) ${tables.map(({ name }) => name).join(', ')}`);
}

/** Removes the dead rows that a rollup leaves behind. */
export async function vacuumDeltas(db: Queryable): Promise<void> {
  await db.query('vacuum count_deltas');
}
