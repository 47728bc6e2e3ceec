import type { ViewedList } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** The filters and the order of a list, under a name that a person gave them. */
export type SavedView = { id: number; list: ViewedList; name: string; query: string; createdAt: Date };
export type NewView = Omit<SavedView, 'id' | 'createdAt'>;
/** Whose views: each person has their own in each program. */
export type ViewOwner = { programId: number; userId: string };

const COLUMNS = 'id, list, name, query, created_at as "createdAt"';

export function listViews(db: Queryable, { programId, userId }: ViewOwner): Promise<SavedView[]> {
  return db.query<SavedView>(
    `select ${COLUMNS} from saved_views where program_id = $1 and user_id = $2 order by lower(name), id`,
    [programId, userId],
  );
}

/** Locks a person, so that they save one view at a time. */
export async function lockUser(db: Queryable, userId: string): Promise<void> {
  await db.query('select 1 from users where id = $1 for no key update', [userId]);
}

/** Saves a view, or replaces the one with its name. Null if the person has `max` others. */
export async function insertView(
  db: Queryable,
  { programId, userId }: ViewOwner,
  view: NewView,
  max: number,
  now: Date,
): Promise<SavedView | null> {
  const [saved] = await db.query<SavedView>(
    `insert into saved_views (program_id, user_id, list, name, query, created_at)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from saved_views
       where program_id = $1 and user_id = $2 and (list, name) <> ($3, $4)) < $7
     on conflict on constraint one_view_per_name do update set query = excluded.query
     returning ${COLUMNS}`,
    [programId, userId, view.list, view.name, view.query, now, max],
  );
  return saved ?? null;
}

/** Deletes a view of the person and returns it; null when they have no such view. */
export async function deleteView(
  db: Queryable,
  { programId, userId }: ViewOwner,
  viewId: number,
): Promise<SavedView | null> {
  const [view] = await db.query<SavedView>(
    `delete from saved_views where program_id = $1 and user_id = $2 and id = $3 returning ${COLUMNS}`,
    [programId, userId, viewId],
  );
  return view ?? null;
}

/** Everyone's views of the program. */
export function listAllViews(db: Queryable, programId: number): Promise<Pick<SavedView, 'id' | 'name' | 'query'>[]> {
  return db.query<SavedView>('select id, name, query from saved_views where program_id = $1', [programId]);
}

export async function deleteViews(db: Queryable, programId: number, ids: number[]): Promise<void> {
  await db.query('delete from saved_views where program_id = $1 and id = any ($2::bigint[])', [programId, ids]);
}
