import type { ClickId } from '../customers/click-id.ts';
import type { Queryable } from '../db/db.ts';
import type { DecisionKind } from '../decisions/decision.ts';
import type { Reason } from '../decisions/reasons.ts';

export type DecisionRow = {
  id: number;
  kind: DecisionKind;
  outcome: string;
  reason: Reason;
  facts: Record<string, unknown>;
  source: string;
  customerId: number | null;
  partnerId: number | null;
  saleId: number | null;
  transactionId: string | null;
  customerKey: string | null;
  clickId: string | null;
  requestId: string | null;
  isTest: boolean;
  createdAt: Date;
};

const COLUMNS = `id, kind, outcome, reason, facts, source, customer_id as "customerId", partner_id as "partnerId",
  sale_id as "saleId", transaction_id as "transactionId", customer_key as "customerKey", click_id as "clickId",
  request_id as "requestId", is_test as "isTest", created_at as "createdAt"`;

// Each part uses its own index. A customer is found by every identifier that was ever reported for them, a payment by each of
// its ids at the payment processor.
const LIST_DECISIONS = `
  with names as (
    select $2::text as id
    union
    select transaction_id from processor_payment_links where program_id = $1 and reference = $2
    union
    select reference from processor_payment_links where program_id = $1 and transaction_id = $2
  ), of_customer as (
    select id from customers where program_id = $1 and customer_key = $3
    union
    select id from customers where program_id = $1 and id = $5 and clicked_at = $6
  ), matching as (
    select d.id from decisions d join names on d.transaction_id = names.id where d.program_id = $1
    union
    select id from decisions where program_id = $1 and customer_key = $3
    union
    select id from decisions where program_id = $1 and click_id = $4
    union
    select d.id from decisions d join of_customer c on d.customer_id = c.id where d.program_id = $1
  )
  select ${COLUMNS} from decisions where id in (select id from matching) order by id desc limit $7`;

export async function listDecisions(
  db: Queryable,
  programId: number,
  about: { transactionId?: string; customerKey?: string; clickId?: string; click: ClickId | null },
  limit: number,
): Promise<DecisionRow[]> {
  const rows = await db.query<DecisionRow>(LIST_DECISIONS, [
    programId,
    about.transactionId ?? null,
    about.customerKey ?? null,
    about.clickId ?? null,
    about.click?.customerId ?? null,
    about.click?.clickedAt ?? null,
    limit,
  ]);
  return rows.reverse();
}
