import type { ClickId } from '../clicks/click-id.ts';
import { type Customer, customerColumns } from '../customers/customer.ts';
import type { Queryable } from '../db/db.ts';

export type LeadLookUp = {
  click: ClickId | null;
  keyProgramId: number | null;
  namedProgramId: number | null;
  customerKey: string | undefined;
  isTest: boolean;
};

export type FoundForLead = {
  programId: number | null;
  byClick: Customer | null;
  byKey: Customer | null;
  byClaim: Customer | null;
};

// The program is that of the key, else of the click, else the one that was named; keys mean something only inside it.
const FIND_FOR_LEADS = `
  with input as materialized (
    select * from json_to_recordset($1::json) as i(
      position int, click_customer_id bigint, clicked_at timestamptz, key_program_id bigint, named_program_id bigint,
      customer_key text, is_test boolean)
  ), by_click as materialized (
    select i.position, c.* from input i
    join customers c on c.id = i.click_customer_id and c.clicked_at = i.clicked_at and c.is_test = i.is_test
  ), scope as materialized (
    select i.position, i.customer_key, i.is_test,
      coalesce(i.key_program_id, by_click.program_id, i.named_program_id) as program_id
    from input i left join by_click on by_click.position = i.position
  )
  select scope.position, 'scope' as via, scope.program_id as "scopeId", ${customerColumns('c')}
    from scope left join customers c on false
  union all
  select c.position, 'byClick', null, ${customerColumns('c')} from by_click c
  union all
  select scope.position, 'byKey', null, ${customerColumns('c')} from scope
    join customers c on c.program_id = scope.program_id and c.customer_key = scope.customer_key
      and c.is_test = scope.is_test
  union all
  select scope.position, 'byClaim', null, ${customerColumns('c')} from scope
    cross join lateral (
      select * from customers claiming
      where claiming.program_id = scope.program_id and claiming.claimed_customer_key = scope.customer_key
        and claiming.lead_state = 'provisional' and claiming.is_test = scope.is_test
      order by claiming.lead_at desc, claiming.id desc limit 1) c`;

type Row = Customer & { position: number; via: 'scope' | 'byClick' | 'byKey' | 'byClaim'; scopeId: number | null };

/** Looks up whom many leads may be about, in one round trip. */
export async function findForLeads(db: Queryable, lookUps: LeadLookUp[]): Promise<FoundForLead[]> {
  const input = lookUps.map((lookUp, position) => ({
    position,
    click_customer_id: lookUp.click?.customerId,
    clicked_at: lookUp.click?.clickedAt,
    key_program_id: lookUp.keyProgramId,
    named_program_id: lookUp.namedProgramId,
    customer_key: lookUp.customerKey,
    is_test: lookUp.isTest,
  }));
  const found: FoundForLead[] = lookUps.map(() => ({ programId: null, byClick: null, byKey: null, byClaim: null }));
  for (const { position, via, scopeId, ...customer } of await db.query<Row>(FIND_FOR_LEADS, [JSON.stringify(input)])) {
    const facts = found[position] as FoundForLead;
    if (via === 'scope') facts.programId = scopeId;
    else facts[via] = customer;
  }
  return found;
}
