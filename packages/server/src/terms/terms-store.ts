import type { Queryable } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { currentTerms, type Terms } from './terms.ts';

// The database writes terms_versions itself, whenever the terms in a program's row change: see its triggers.

const COLUMNS = `
  v.version, v.effective_from as since, v.commission_type as type, v.commission_rate as rate, v.currency,
  v.recurring_months as "recurringMonths", v.hold_days as "holdDays", v.commission_base as base`;

// Versions are numbered in the order in which they were made. Clocks of nodes differ a little, so a later version may have
// an earlier time, and then replaces the one before from that time on.
const FIND_TERMS = `
  select i.position, v.*
  from json_to_recordset($1::json) as i(position int, program_id bigint, paid_at timestamptz)
  cross join lateral (
    select ${COLUMNS} from terms_versions v
    where v.program_id = i.program_id and (v.effective_from <= i.paid_at or v.version = 1)
    order by v.version desc limit 1) v`;

/**
 * The terms in force when each payment was made. One without a time is made now, under the program's current terms, which are
 * known without a query.
 */
export async function findTermsOfPayments(
  db: Queryable,
  payments: { program: Program; paidAt: Date | undefined }[],
): Promise<Terms[]> {
  const terms = payments.map(({ program }) => currentTerms(program));
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
  /** When the next version took its place; null while it is in force. */
  until: Date | null;
  /** The name of the user who made it. Null: it came with the program, or from outside the service. */
  madeBy: string | null;
};

/** The versions of a program's terms before `before`, newest first. */
export function listTerms(
  db: Queryable,
  programId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<ListedTerms[]> {
  return db.query<ListedTerms>(
    `select ${COLUMNS}, n.effective_from as until, u.name as "madeBy"
     from terms_versions v
     left join terms_versions n on n.program_id = v.program_id and n.version = v.version + 1
     left join users u on u.id = v.made_by
     where v.program_id = $1 and ($2::bigint is null or v.version < $2)
     order by v.version desc limit $3`,
    [programId, before, limit],
  );
}
