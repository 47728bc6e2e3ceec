import type { Queryable } from '../db/db.ts';
import type { ClickId } from './click-id.ts';
import { type Customer, customerColumns } from './customer.ts';
import type { Decision } from './decision.ts';
import { decisionJson, decisionRows, insertDecisionsFrom } from './decision-store.ts';

type LeadLookUp = {
  click: ClickId | null;
  keyProgramId: number | null;
  namedProgramId: number | null;
  customerKey: string | null;
  isTest: boolean;
};

type FoundForLead = {
  programId: number | null;
  byClick: Customer | null;
  byKey: Customer | null;
  byClaim: Customer | null;
};

// The program is that of the key, else of the click, else the one that was named; keys mean something only inside it.
const FIND_FOR_LEAD = `
  with by_click as (
    select * from customers where id = $1 and clicked_at = $2 and is_test = $6
  ), scope as (
    select coalesce($3::bigint, (select program_id from by_click), $4::bigint) as program_id
  ), by_claim as (
    select c.* from customers c join scope on c.program_id = scope.program_id
    where c.claimed_customer_key = $5 and c.lead_state = 'provisional' and c.is_test = $6
    order by c.lead_at desc, c.id desc limit 1
  )
  select 'scope' as via, scope.program_id as "scopeId", ${customerColumns('c')}
    from scope left join customers c on false
  union all
  select 'byClick', null, ${customerColumns('c')} from by_click c
  union all
  select 'byKey', null, ${customerColumns('c')} from customers c join scope on c.program_id = scope.program_id
    where c.customer_key = $5 and c.is_test = $6
  union all
  select 'byClaim', null, ${customerColumns('c')} from by_claim c`;

export async function findForLead(db: Queryable, lookUp: LeadLookUp): Promise<FoundForLead> {
  const rows = await db.query<Customer & { via: string; scopeId: number | null }>(FIND_FOR_LEAD, [
    lookUp.click?.customerId ?? null,
    lookUp.click?.clickedAt ?? null,
    lookUp.keyProgramId,
    lookUp.namedProgramId,
    lookUp.customerKey,
    lookUp.isTest,
  ]);
  const via = (name: string) => rows.find((row) => row.via === name) ?? null;
  return {
    programId: via('scope')?.scopeId ?? null,
    byClick: via('byClick'),
    byKey: via('byKey'),
    byClaim: via('byClaim'),
  };
}

export type LeadWrite = {
  customerKey: string | null;
  claimedCustomerKey: string | null;
  emailHash: string | null;
  emailMasked: string | null;
  leadState: 'provisional' | 'settled';
  decision: Decision;
};

const writeParams = (write: LeadWrite) => [
  write.customerKey,
  write.claimedCustomerKey,
  write.emailHash,
  write.emailMasked,
  write.leadState,
  write.decision.createdAt,
  decisionJson([write.decision]),
];

// Each of the three moves a customer and says so in a decision, or does neither: the guard in its WHERE (or the unique
// key) decides who of several came first.
const MOVE_TO_LEAD = `
  with moved as (
    update customers set status = 'lead', lead_at = $6, lead_state = $5, customer_key = coalesce(customer_key, $1),
      claimed_customer_key = $2, email_hash = coalesce($3, email_hash), email_masked = coalesce($4, email_masked)
    where id = $8 and status = 'click'
    returning id
  )
  ${insertDecisionsFrom(`moved, ${decisionRows('$7')}`)}`;

const SETTLE_LEAD = `
  with settled as (
    update customers c set lead_state = $5, email_hash = coalesce($3, email_hash),
      email_masked = coalesce($4, email_masked),
      customer_key = coalesce(c.customer_key, $1, case when not exists (
        select 1 from customers holder where holder.program_id = c.program_id and holder.is_test = c.is_test
          and holder.customer_key = $2) then $2 end)
    where c.id = $8 and c.lead_state = 'provisional' and $6::timestamptz is not null
    returning id
  )
  ${insertDecisionsFrom(`settled, ${decisionRows('$7')}`)}`;

const INSERT_LEAD = `
  with inserted as (
    insert into customers (program_id, customer_key, claimed_customer_key, email_hash, email_masked, lead_state,
      lead_at, status, is_test, created_at)
    values ($8, $1, $2, $3, $4, $5, $6, 'lead', false, $6)
    on conflict do nothing
    returning id as new_customer_id
  ), decision as (select * from ${decisionRows('$7')})
  ${insertDecisionsFrom(`(
    select program_id, kind, outcome, reason, facts, source, new_customer_id as customer_id, partner_id, sale_id,
      transaction_id, customer_key, click_id, additional_data, request_id, is_test, created_at
    from decision, inserted) d`)}`;

/** The id of the decision, or null when somebody else moved the customer first. */
async function runLeadWrite(db: Queryable, sql: string, write: LeadWrite, id: number): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(sql, [...writeParams(write), id]);
  return row?.id ?? null;
}

export const updateToLead = (db: Queryable, customerId: number, write: LeadWrite) =>
  runLeadWrite(db, MOVE_TO_LEAD, write, customerId);

export const updateToSettled = (db: Queryable, customerId: number, write: LeadWrite) =>
  runLeadWrite(db, SETTLE_LEAD, write, customerId);

export const insertUnattributedLead = (db: Queryable, programId: number, write: LeadWrite) =>
  runLeadWrite(db, INSERT_LEAD, write, programId);
