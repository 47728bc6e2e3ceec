import type { OptionalMailKind } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** The kinds of mail that the person has switched off. */
export async function listUnwantedKinds(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db.query<{ kind: string }>('select kind from mail_preferences where user_id = $1', [userId]);
  return rows.map(({ kind }) => kind);
}

/** Switches a kind off. False when it was off before, or the account is gone. */
export async function insertUnwanted(
  db: Queryable,
  userId: string,
  kind: OptionalMailKind,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `insert into mail_preferences (user_id, kind, changed_at) select id, $2, $3 from users where id = $1
     on conflict do nothing returning kind`,
    [userId, kind, now],
  );
  return rows.length > 0;
}

/** Switches a kind on again. False when it was on before. */
export async function deleteUnwanted(db: Queryable, userId: string, kind: OptionalMailKind): Promise<boolean> {
  const rows = await db.query('delete from mail_preferences where user_id = $1 and kind = $2 returning kind', [
    userId,
    kind,
  ]);
  return rows.length > 0;
}
