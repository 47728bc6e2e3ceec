import type { Queryable } from '../db/db.ts';
import type { CapCount, CapKey } from './cap-book.ts';

const COLUMNS = 'program_id, partner_id, scope, scope_id, currency';

/**
 * Locks the counts of caps and returns them, so that rewards of the same cap are computed one after the other on all nodes.
 * They are locked in the same order everywhere.
 */
export async function lockCapCounts(db: Queryable, keys: CapKey[]): Promise<CapCount[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<CapKey & { cents: string }>(
    `insert into cap_counts (${COLUMNS})
     select distinct ${COLUMNS} from json_populate_recordset(null::cap_counts, $1::json) order by ${COLUMNS}
     on conflict (${COLUMNS}) do update set cents = cap_counts.cents
     returning program_id as "programId", partner_id as "partnerId", scope, scope_id as "scopeId", currency,
       cents::text as cents`,
    [JSON.stringify(keys.map(rowOf))],
  );
  return rows.map((row) => ({ ...row, cents: BigInt(row.cents) }));
}

/** Writes counts that the transaction has locked. */
export async function updateCapCounts(db: Queryable, counts: CapCount[]): Promise<void> {
  if (counts.length === 0) return;
  await db.query(
    `update cap_counts c set cents = i.cents from json_populate_recordset(null::cap_counts, $1::json) i
     where c.program_id = i.program_id and c.partner_id = i.partner_id and c.scope = i.scope and c.scope_id = i.scope_id
       and c.currency = i.currency`,
    [JSON.stringify(counts.map((count) => ({ ...rowOf(count), cents: count.cents.toString() })))],
  );
}

const rowOf = ({ programId, partnerId, scope, scopeId, currency }: CapKey) => ({
  program_id: programId,
  partner_id: partnerId,
  scope,
  scope_id: scopeId,
  currency,
});
