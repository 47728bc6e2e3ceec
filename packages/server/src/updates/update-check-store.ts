import type { Queryable } from '../db/db.ts';

/** Whether this check is the one of its day. All nodes ask, and one of them gets it. */
export async function claimUpdateCheck(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(
    `insert into update_checks as c (id, checked_at) values (1, $1)
     on conflict (id) do update set checked_at = excluded.checked_at
       where c.checked_at <= excluded.checked_at - interval '1 day'
     returning 1`,
    [now],
  );
  return rows.length > 0;
}

export async function updateAnnounced(db: Queryable, release: string): Promise<void> {
  await db.query('update update_checks set announced = $1 where id = 1', [release]);
}

/** The release that was announced last; null before the first check. */
export async function findAnnounced(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ announced: string | null }>('select announced from update_checks where id = 1', []);
  return row?.announced ?? null;
}
