import type { Queryable } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import type { PublishedTerms } from '../programs/program-terms-store.ts';
import { currentTerms, type Terms } from './terms.ts';

// The database writes terms_versions itself, whenever the terms in a program's row change: see its triggers. Only versions that
// begin later are written here.

/** The select list of a version `v`. */
export const TERMS_COLUMNS = `
  v.version, v.effective_from as since, v.commission_type as type, v.commission_rate as rate, v.currency,
  v.recurring_months as "recurringMonths", v.hold_days as "holdDays", v.commission_base as base, v.rules, v.attribution`;

// Versions are numbered in the order in which they were made. Clocks of nodes differ a little, so a later version may have
// an earlier time, and then replaces the one before from that time on.
const FIND_TERMS = `
  select i.position, v.*
  from json_to_recordset($1::json) as i(position int, program_id bigint, paid_at timestamptz)
  cross join lateral (
    select ${TERMS_COLUMNS} from terms_versions v
    where v.program_id = i.program_id and (v.effective_from <= i.paid_at or v.version = 1)
    order by v.version desc limit 1) v`;

/**
 * The terms in force when each payment was made. One without a time is made now, under the program's current terms, which are
 * known without a query.
 */
export async function findTermsOfPayments(
  db: Queryable,
  payments: { program: Program; paidAt: Date | undefined }[],
  now: Date,
): Promise<Terms[]> {
  const terms = payments.map(({ program }) => currentTerms(program, now));
  const dated = payments.flatMap(({ program, paidAt }, position) =>
    paidAt ? [{ position, program_id: program.id, paid_at: paidAt }] : [],
  );
  if (dated.length === 0) return terms;
  for (const { position, ...found } of await db.query<Terms & { position: number }>(FIND_TERMS, [
    JSON.stringify(dated),
  ])) {
    terms[position] = found;
  }
  return terms;
}

export type ListedTerms = Terms & {
  note: string | null;
  /** When the next version took its place; null while it is in force. */
  until: Date | null;
  /** The name of the user who made it. Null: it came with the program, or from outside the service. */
  madeBy: string | null;
};

const SELECT_LISTED = `
  select ${TERMS_COLUMNS}, v.note, n.effective_from as until, u.name as "madeBy"
  from terms_versions v
  left join lateral (
    select effective_from from terms_versions later
    where later.program_id = v.program_id and later.version > v.version order by later.version limit 1) n on true
  left join users u on u.id = v.made_by`;

/** The versions of a program's terms before `before`, newest first. */
export function listTerms(
  db: Queryable,
  programId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<ListedTerms[]> {
  return db.query<ListedTerms>(
    `${SELECT_LISTED}
     where v.program_id = $1 and ($2::bigint is null or v.version < $2)
     order by v.version desc limit $3`,
    [programId, before, limit],
  );
}

export async function findTerms(db: Queryable, programId: number, version: number): Promise<ListedTerms | null> {
  const [found] = await db.query<ListedTerms>(`${SELECT_LISTED} where v.program_id = $1 and v.version = $2`, [
    programId,
    version,
  ]);
  return found ?? null;
}

/** Adds a version that begins later, with the settings that the locked program has now. Returns its number. */
export async function insertScheduledTerms(
  db: Queryable,
  programId: number,
  { rules, attribution, since, madeBy, note }: PublishedTerms,
): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `insert into terms_versions (program_id, version, effective_from, commission_type, commission_rate, currency,
       recurring_months, hold_days, commission_base, made_by, rules, note, attribution)
     select id, (select max(version) + 1 from terms_versions where program_id = $1), $2, commission_type, commission_rate,
       currency, recurring_months, hold_days, commission_base, $3, $4::jsonb, $5, $6
     from programs where id = $1 returning version`,
    [programId, since, madeBy, JSON.stringify(rules), note, attribution],
  );
  return row!.version;
}

/** Removes a version that has not begun. */
export async function deleteScheduledTerms(db: Queryable, programId: number, version: number): Promise<void> {
  await db.query('delete from terms_versions where program_id = $1 and version = $2', [programId, version]);
}
