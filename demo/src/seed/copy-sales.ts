import type { Db, Queryable } from '@svc/server/db/db';

/** How often each sale is copied, and to whom: the buyers have ids in a row, so a copy is for a buyer further on. */
type Copies = { times: number; buyersPerCopy: number; buyers: number };

/**
 * Copies the sales of a program with their commissions, each copy a day earlier. This takes seconds, where reporting as many
 * sales takes minutes.
 */
export async function copySales(db: Db, programId: number, copies: Copies): Promise<void> {
  await db.transaction(async (tx) => {
    // The copies refer to rows that exist, and nobody looks at the counts that triggers would keep.
    await tx.query(`set local session_replication_role = 'replica'`);
    await copyAll(tx, programId, copies);
  });
  // As autovacuum would have done in a store with this many rows.
  await db.query('vacuum (analyze)');
  await db.query('checkpoint');
}

async function copyAll(tx: Queryable, programId: number, copies: Copies): Promise<void> {
  await copyRows(tx, 'sales', programId, copies, {
    processor_event_id: `t.processor_event_id || '-' || n`,
    customer_id: 't.customer_id + (n * $3 % $4)',
    created_at: `t.created_at - n * interval '1 day'`,
  });
  await copyRows(tx, 'commissions', programId, copies, {
    sale_id: `(
      select copy.id from sales copy join sales original on original.id = t.sale_id
      where copy.processor_event_id = original.processor_event_id || '-' || n)`,
    created_at: `t.created_at - n * interval '1 day'`,
  });
}

async function copyRows(
  tx: Queryable,
  table: 'sales' | 'commissions',
  programId: number,
  { times, buyersPerCopy, buyers }: Copies,
  changed: Record<string, string>,
): Promise<void> {
  const columns = await tx.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' and column_name <> 'id'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  await tx.query(
    `insert into ${table} (${names.join(', ')})
     select ${names.map((name) => changed[name] ?? `t.${name}`).join(', ')}
     from ${table} t, generate_series(1, $2::int) n
     where t.program_id = $1 and $3::int <= $4::int
     order by n desc, t.id`,
    [programId, times, buyersPerCopy, buyers],
  );
}
