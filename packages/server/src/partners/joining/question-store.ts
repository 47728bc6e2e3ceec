import type { Queryable } from '../../db/db.ts';

/** Counts a question of the partner and returns how many they have asked that day; null once the limit is reached. */
export async function addQuestion(
  db: Queryable,
  { programId, partnerId, day }: { programId: number; partnerId: number; day: string },
  maxPerDay: number,
): Promise<number | null> {
  const [row] = await db.query<{ asked: number }>(
    `insert into partner_questions as q (program_id, partner_id, day, asked) values ($1, $2, $3::date, 1)
     on conflict (program_id, partner_id) do update
       set asked = case when q.day < excluded.day then 1 else q.asked + 1 end, day = greatest(q.day, excluded.day)
       where q.day < excluded.day or q.asked < $4
     returning asked`,
    [programId, partnerId, day, maxPerDay],
  );
  return row?.asked ?? null;
}
