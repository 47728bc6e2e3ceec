import type { Queryable } from '../db/db.ts';

/** That someone was erased, without saying who. */
export type Erasure = {
  subject: 'customer' | 'account';
  /** Null for accounts. */
  programId: number | null;
  subjectId: string;
  /** Ids may be given out again after a restore; together with this time they are not. */
  subjectCreatedAt: Date;
  erasedAt: Date;
};

/** Adds to the list of erasures, unless it is there already. */
export async function insertErasure(db: Queryable, erasure: Erasure): Promise<void> {
  await db.query(
    `insert into erasures (subject, program_id, subject_id, subject_created_at, erased_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [erasure.subject, erasure.programId, erasure.subjectId, erasure.subjectCreatedAt, erasure.erasedAt],
  );
}

const COLUMNS = `subject, program_id as "programId", subject_id as "subjectId", subject_created_at as "subjectCreatedAt",
  erased_at as "erasedAt"`;

/** Everyone who was erased, oldest first. */
export function listErasures(db: Queryable): Promise<Erasure[]> {
  return db.query<Erasure>(`select ${COLUMNS} from erasures order by id`);
}
