import type { Queryable } from '../db/db.ts';
import { columnValues, rowsOfColumns } from '../db/row-columns.ts';
import type { Decision } from './decision.ts';
import type { Reason } from './reasons.ts';

const COLUMNS = {
  program_id: 'bigint',
  kind: 'text',
  outcome: 'text',
  reason: 'text',
  facts: 'jsonb',
  source: 'text',
  customer_id: 'bigint',
  partner_id: 'bigint',
  sale_id: 'bigint',
  transaction_id: 'text',
  customer_key: 'text',
  click_id: 'text',
  additional_data: 'jsonb',
  request_id: 'text',
  is_test: 'boolean',
  created_at: 'timestamptz',
} as const;

// Ids are assigned in input order, so when sorted they match the decisions one to one. A customer may have been erased since
// the decision was made; the lock makes an erasure that is under way finish first, or wait for this one.
const INSERT_DECISIONS = `
  insert into decisions (${Object.keys(COLUMNS).join(', ')})
  select d.program_id, d.kind, d.outcome, d.reason, d.facts, d.source, d.customer_id, d.partner_id, d.sale_id,
    d.transaction_id, case when e.erased_at is null then d.customer_key end,
    case when e.erased_at is null then d.click_id end, case when e.erased_at is null then d.additional_data end,
    d.request_id, d.is_test, d.created_at
  from (select ${rowsOfColumns(COLUMNS)}, generate_subscripts($1, 1) as position) d
  left join lateral (select c.erased_at from customers c where c.id = d.customer_id for key share) e on true
  order by d.position
  returning id`;

/** Inserts decisions and returns their ids in the same order. Called in the transaction that writes what was decided. */
export async function insertDecisions(db: Queryable, decisions: Decision[]): Promise<number[]> {
  if (decisions.length === 0) return [];
  const rows = await db.query<{ id: number }>(INSERT_DECISIONS, columnValues(COLUMNS, decisions.map(decisionRow)));
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

export async function insertDecision(db: Queryable, decision: Decision): Promise<number> {
  const [id] = await insertDecisions(db, [decision]);
  return id as number;
}

/** Whether a decision about the transaction has this reason and contains these facts. */
export async function hasDecision(
  db: Queryable,
  programId: number,
  transactionId: string,
  reason: Reason,
  facts: Record<string, unknown>,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from decisions
     where program_id = $1 and transaction_id = $2 and reason = $3 and facts @> $4::jsonb limit 1`,
    [programId, transactionId, reason, JSON.stringify(facts)],
  );
  return rows.length > 0;
}

function decisionRow(decision: Decision): Record<keyof typeof COLUMNS, unknown> {
  return {
    program_id: decision.programId,
    kind: decision.kind,
    outcome: decision.outcome,
    reason: decision.reason,
    facts: decision.facts,
    source: decision.source,
    customer_id: decision.customerId,
    partner_id: decision.partnerId,
    sale_id: decision.saleId,
    transaction_id: decision.transactionId,
    customer_key: decision.customerKey,
    click_id: decision.clickId,
    additional_data: decision.additionalData,
    request_id: decision.requestId,
    is_test: decision.isTest,
    created_at: decision.createdAt,
  };
}

/** Deletes refused and repeated attempts from before a time, oldest first, and returns how many. */
export async function deleteRefusalsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from decisions where id in (
       select id from decisions where outcome in ('refused', 'unchanged') and created_at < $1 order by created_at limit $2)
     returning id`,
    [before, limit],
  );
  return rows.length;
}

/**
 * Deletes decisions from before a time and returns how many. Ids are handed out in the order of time, so the oldest have the
 * lowest ones and the table needs no index by time, which every sale would have to pay for.
 */
export async function deleteDecisionsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from decisions where created_at < $1 and id in (select id from decisions order by id limit $2) returning id`,
    [before, limit],
  );
  return rows.length;
}
