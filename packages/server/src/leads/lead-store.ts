import type { Queryable } from '../db/db.ts';
import type { Decision } from '../decisions/decision.ts';
import { decisionRow } from '../decisions/decision-store.ts';

export type LeadWrite = {
  /** Moves a customer to lead, settles one, makes one without a click, or leaves nothing but the decision. */
  action: 'move' | 'settle' | 'insert' | 'note';
  customerId: number | null;
  customerKey: string | null;
  claimedCustomerKey: string | null;
  emailHash: string | null;
  emailMasked: string | null;
  leadState: 'provisional' | 'settled';
  decision: Decision;
};

// One statement for a whole group. Each row moves its customer and says so in a decision, or does neither: the guard in
// its WHERE (or the unique key) decides who of several came first.
const WRITE_LEADS = `
  with input as materialized (
    select i.*, nextval('decisions_id_seq') as decision_id,
      case action when 'insert' then nextval('customers_id_seq') end as new_customer_id
    from json_to_recordset($1::json) as i(
      position int, action text, target_id bigint, new_key text, claimed_key text, email_hash text, email_masked text,
      lead_state text, program_id bigint, kind text, outcome text, reason text, facts jsonb, source text,
      customer_id bigint, partner_id bigint, customer_key text, click_id text, additional_data jsonb, request_id text,
      is_test boolean, created_at timestamptz)
  ), moved as (
    update customers c set status = 'lead', lead_at = i.created_at, lead_state = i.lead_state,
      customer_key = coalesce(c.customer_key, i.new_key), claimed_customer_key = i.claimed_key,
      email_hash = coalesce(i.email_hash, c.email_hash), email_masked = coalesce(i.email_masked, c.email_masked)
    from input i
    where i.action = 'move' and c.id = i.target_id and c.status = 'click'
    returning i.position
  ), settled as (
    update customers c set lead_state = i.lead_state, email_hash = coalesce(i.email_hash, c.email_hash),
      email_masked = coalesce(i.email_masked, c.email_masked),
      customer_key = coalesce(c.customer_key, i.new_key, case when not exists (
        select 1 from customers holder where holder.program_id = c.program_id and holder.is_test = c.is_test
          and holder.customer_key = i.claimed_key) then i.claimed_key end)
    from input i
    where i.action = 'settle' and c.id = i.target_id and c.lead_state = 'provisional'
    returning i.position
  ), inserted as (
    insert into customers (id, program_id, customer_key, claimed_customer_key, email_hash, email_masked, lead_state,
      lead_at, status, is_test, created_at)
    select new_customer_id, program_id, new_key, claimed_key, email_hash, email_masked, lead_state, created_at, 'lead',
      false, created_at
    from input where action = 'insert'
    on conflict do nothing
    returning id
  ), written as (
    select position from moved
    union all select position from settled
    union all select position from input where action = 'note'
    union all select i.position from input i join inserted on inserted.id = i.new_customer_id
  ), new_decisions as (
    insert into decisions (id, program_id, kind, outcome, reason, facts, source, customer_id, partner_id, customer_key,
      click_id, additional_data, request_id, is_test, created_at)
    select decision_id, program_id, kind, outcome, reason, facts, source, coalesce(new_customer_id, customer_id),
      partner_id, customer_key, click_id, additional_data, request_id, is_test, created_at
    from input join written on written.position = input.position
  )
  select input.position, decision_id as "decisionId" from input join written on written.position = input.position`;

/** Writes leads; each is answered with its decision, or with null when somebody else moved the customer first. */
export async function writeLeads(db: Queryable, writes: LeadWrite[]): Promise<(number | null)[]> {
  const rows = writes.map(({ decision, ...write }, position) => ({
    ...decisionRow(decision),
    position,
    action: write.action,
    target_id: write.customerId,
    new_key: write.customerKey,
    claimed_key: write.claimedCustomerKey,
    email_hash: write.emailHash,
    email_masked: write.emailMasked,
    lead_state: write.leadState,
  }));
  const ids: (number | null)[] = writes.map(() => null);
  type Written = { position: number; decisionId: number };
  for (const { position, decisionId } of await db.query<Written>(WRITE_LEADS, [JSON.stringify(rows)])) {
    ids[position] = decisionId;
  }
  return ids;
}
