import type { ProgramStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export async function updateProgramStatus(db: Queryable, id: number, status: ProgramStatus): Promise<void> {
  await db.query('update programs set status = $2 where id = $1', [id, status]);
}

/**
 * Locks the program so that nobody can become its partner meanwhile, and finds whether it has anything worth keeping. Test
 * events do not count. Null when there is no such program.
 */
export async function findProgramUseForUpdate(db: Queryable, id: number): Promise<{ isInUse: boolean } | null> {
  const [locked] = await db.query('select 1 from programs where id = $1 and deleted_at is null for update', [id]);
  if (!locked) return null;
  const [row] = await db.query<{ isInUse: boolean }>(
    `select exists (
         select 1 from memberships m join partners p on p.id = m.partner_id where m.program_id = $1 and not p.is_test)
       or exists (select 1 from customers where program_id = $1 and not is_test)
       or exists (select 1 from sales where program_id = $1 and not is_test)
       or exists (select 1 from processor_connections where program_id = $1) as "isInUse"`,
    [id],
  );
  return row ?? null;
}

/** Hides the program from everything, and ends its key. Rows of test events still refer to it, so its own row stays. */
export async function updateProgramDeleted(db: Queryable, id: number, now: Date): Promise<void> {
  await db.query('update program_keys set replaced_at = $2 where program_id = $1 and replaced_at is null', [id, now]);
  await db.query(`update programs set deleted_at = $2, joining = 'closed' where id = $1`, [id, now]);
}
