import type { JourneyStep } from '@svc/contract';
import type { StoredClick } from '../clicks/click-month-store.ts';
import { COMMISSION_STATUS } from '../commissions/commission-state.ts';
import type { Queryable } from '../db/db.ts';
import { timesAsText } from '../db/lists/sorted-list.ts';
import { wholeFact } from '../decisions/fact-columns.ts';
import { type Reason, reasons } from '../decisions/reasons.ts';

// Each part is looked up by customer and returns its newest rows. The rank orders what happened at the same moment: a sale
// comes before its commission.
const LIST_JOURNEY = `
  with steps as (
    (select 'click' as type, 1 as rank, k.id, k.clicked_at as at, k.partner_id, k.link_id, k.page_url,
       null::bigint as sale_id, null::text as transaction_id, null::bigint as amount_cents,
       null::bigint as deducted_cents, null::text as currency, null::text as status, null::text as outcome,
       null::text as reason
     from clicks k
     where k.customer_id = $2 and k.program_id = $1 and ($3::bigint is null or k.partner_id = $3)
     order by k.clicked_at desc, k.id desc limit $4)
    union all
    (select 'click', 1, k.id, k.clicked_at, k.partner_id, k.link_id, k.page_url, null, null, null, null, null, null, null, null
     from json_to_recordset($5::json) as k(
       id bigint, clicked_at timestamptz, partner_id bigint, link_id bigint, page_url text)
     where $3::bigint is null or k.partner_id = $3)
    union all
    (select d.kind, case d.kind when 'lead' then 2 when 'sale' then 3 when 'refund' then 5 else 4 end, d.id,
       d.created_at, d.partner_id, null, null, d.sale_id, d.transaction_id,
       case d.kind when 'sale' then ${wholeFact('d.facts', 'amount_cents')}
         when 'refund' then ${wholeFact('d.facts', 'refunded_cents')} else ${wholeFact('d.facts', 'commission_cents')} end,
       null, coalesce(d.facts ->> 'currency', d.facts ->> 'commission_currency', s.currency), null, d.outcome, d.reason
     from decisions d left join sales s on s.id = d.sale_id
     where d.customer_id = $2 and d.program_id = $1 and ($3::bigint is null or d.partner_id is null or d.partner_id = $3)
     order by d.created_at desc, d.id desc limit $4)
    union all
    (select 'commission', 4, m.id, m.created_at, m.partner_id, null, null, m.sale_id, s.processor_event_id,
       m.commission_cents, m.deducted_cents, m.currency, ${COMMISSION_STATUS}, null, null
     from sales s join commissions m on m.sale_id = s.id
     where s.customer_id = $2 and s.program_id = $1 and ($3::bigint is null or m.partner_id = $3)
     order by m.created_at desc, m.id desc limit $4)
    union all
    (select 'commission', 4, m.id, m.created_at, m.partner_id, null, null, null, null, m.commission_cents, m.deducted_cents,
       m.currency, ${COMMISSION_STATUS}, null, null
     from commissions m
     where m.customer_id = $2 and m.program_id = $1 and ($3::bigint is null or m.partner_id = $3)
     order by m.created_at desc, m.id desc limit $4)
  )
  select t.type, t.id, t.at, t.partner_id, p.name as partner_name, t.link_id, l.short_link, t.page_url, t.sale_id,
    t.transaction_id, t.amount_cents, t.deducted_cents, t.currency, t.status, t.outcome, t.reason
  from steps t left join partners p on p.id = t.partner_id left join links l on l.id = t.link_id
  order by t.at desc, t.rank desc, t.id desc limit $4`;

export type JourneyOf = {
  programId: number;
  customerId: number;
  partnerId: number | null;
  /** Clicks that are no longer in the store. */
  archived?: Pick<StoredClick, 'id' | 'clicked_at' | 'partner_id' | 'link_id' | 'page_url'>[];
};

/** A customer's newest steps, newest first. With a `partnerId`, what happened for other partners is left out. */
export async function listJourney(
  db: Queryable,
  { programId, customerId, partnerId, archived = [] }: JourneyOf,
  limit: number,
): Promise<JourneyStep[]> {
  const params = [programId, customerId, partnerId, limit, JSON.stringify(archived)];
  const steps = await db.query<{ reason: Reason | null }>(LIST_JOURNEY, params);
  return steps.map((step) => timesAsText<JourneyStep>({ ...step, sentence: step.reason && reasons[step.reason] }));
}
