import type { Queryable } from '../db.ts';

/** The tables that hold data, each after the tables it references, so that they can be filled in this order. */
export async function listTables(db: Queryable): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migrations'
     order by c.relname`,
    [],
  );
  const references = await db.query<{ from: string; to: string }>(
    `select distinct conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
    [],
  );
  const ordered: string[] = [];
  let remaining = tables.map(({ name }) => name);
  while (remaining.length > 0) {
    const ready = remaining.filter(
      (name) => !references.some(({ from, to }) => from === name && remaining.includes(to)),
    );
    if (ready.length === 0) throw new Error(`Tables reference each other in a cycle: ${remaining.join(', ')}`);
    ordered.push(...ready);
    remaining = remaining.filter((name) => !ready.includes(name));
  }
  return ordered;
}

/** The columns that are written; generated columns are left out. */
export async function listColumns(db: Queryable, table: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quoted(table)],
  );
  return rows.map(({ name }) => name);
}

/** How many rows a table has, and a checksum of their contents that does not depend on their order. */
export async function fingerprint(db: Queryable, table: string): Promise<{ rows: number; sum: string }> {
  const [row] = await db.query<{ rows: number; sum: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(row_to_json(t)::text, 0)::numeric), 0)::text as sum
     from ${quoted(table)} t`,
    [],
  );
  return row as { rows: number; sum: string };
}

/** The months that have a partition of clicks, as `YYYY-MM`. */
export async function listClickMonths(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'clicks'::regclass order by 1`,
    [],
  );
  return rows.flatMap(({ name }) => {
    const [, year, month] = /^clicks_(\d{4})_(\d\d)$/.exec(name) ?? [];
    return year ? [`${year}-${month}`] : [];
  });
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
