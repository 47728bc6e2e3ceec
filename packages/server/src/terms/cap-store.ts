import type { Queryable } from '../db/db.ts';
import type { CapCount, CapKey } from './cap-book.ts';
import { monthNumber } from './terms-needs.ts';

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

/** A commission that is paid no more, with the customer and the time of its sale. */
export type RevokedCommission = {
  programId: number;
  partnerId: number;
  currency: string;
  cents: string;
  termsVersion: number | null;
  rule: number | null;
  customerId: number | null;
  at: string;
};

/** Takes revoked commissions off the caps of the rules that paid them. */
export async function releaseCapCounts(db: Queryable, revoked: RevokedCommission[]): Promise<void> {
  const ruled = revoked.filter(({ rule }) => rule !== null);
  if (ruled.length === 0) return;
  const rows = ruled.map((commission) => ({ ...commission, month: monthNumber(new Date(commission.at)) }));
  await db.query(
    `update cap_counts c set cents = greatest(c.cents - i.cents, 0)
     from json_to_recordset($1::json) as i("programId" bigint, "partnerId" bigint, currency text, cents bigint,
       "termsVersion" int, rule int, "customerId" bigint, month bigint)
     join terms_versions v on v.program_id = i."programId" and v.version = i."termsVersion"
     cross join lateral (select v.rules -> (i.rule - 1) -> 'caps' as caps) r
     where c.program_id = i."programId" and c.partner_id = i."partnerId" and c.currency = i.currency
       and (r.caps ? 'per_customer_cents' and c.scope = 'customer' and c.scope_id = i."customerId"
         or r.caps ? 'per_partner_month_cents' and c.scope = 'month' and c.scope_id = i.month)`,
    [JSON.stringify(rows)],
  );
}

/** Tells the database that the transaction takes revoked commissions off their caps itself, which nodes of 0.1.0 do not. */
export async function announceReleasedCaps(db: Queryable): Promise<void> {
  await db.query(`select set_config('svc.releases_caps', 'on', true)`);
}

const rowOf = ({ programId, partnerId, scope, scopeId, currency }: CapKey) => ({
  program_id: programId,
  partner_id: partnerId,
  scope,
  scope_id: scopeId,
  currency,
});
