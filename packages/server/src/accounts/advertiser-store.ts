import type { Queryable } from '../db/db.ts';

export async function insertWorkspace(db: Queryable, name: string, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    'insert into advertisers (name, created_at) values ($1, $2) returning id',
    [name, now],
  );
  return (row as { id: number }).id;
}
