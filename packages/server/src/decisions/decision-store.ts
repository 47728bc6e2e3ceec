import type { Queryable } from '../db/db.ts';
import type { Decision } from './decision.ts';

const COLUMNS = `program_id, kind, outcome, reason, facts, source, customer_id, partner_id, sale_id, transaction_id,
  customer_key, click_id, additional_data, request_id, is_test, created_at`;

/** The rows of a JSON array of decisions, as a table expression named `d`. */
export const decisionRows = (parameter: string) => `json_to_recordset(${parameter}::json) as d(
  program_id bigint, kind text, outcome text, reason text, facts jsonb, source text, customer_id bigint,
  partner_id bigint, sale_id bigint, transaction_id text, customer_key text, click_id text, additional_data jsonb,
  request_id text, is_test boolean, created_at timestamptz)`;

/** Inserts decisions from `decisionRows`; statements that write what was decided add it as one of their parts. */
export const insertDecisionsFrom = (source: string) =>
  `insert into decisions (${COLUMNS}) select ${COLUMNS} from ${source} returning id`;

export function decisionJson(decisions: Decision[]): string {
  return JSON.stringify(decisions.map(decisionRow));
}

export function decisionRow(decision: Decision) {
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

export async function insertDecision(db: Queryable, decision: Decision): Promise<number> {
  const [row] = await db.query<{ id: number }>(insertDecisionsFrom(decisionRows('$1')), [decisionJson([decision])]);
  return (row as { id: number }).id;
}
