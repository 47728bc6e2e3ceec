import type { CommissionStatus } from '@svc/contract';
import { COMMISSION_STATUS, HOLD_REASON } from '../../commissions/commission-state.ts';
import type { Queryable } from '../../db/db.ts';
import { timeFact, wholeFact } from '../../decisions/fact-columns.ts';
import type { Reason } from '../../decisions/reasons.ts';
import type { PaidRule } from '../../terms/paid-rule.ts';

/** What is stored about an order: its sale, or the latest decision about it if it was not recorded. */
export type Order = {
  transactionId: string;
  partnerId: number | null;
  amountCents: number | null;
  refundedCents: number | null;
  currency: string | null;
  paidAt: Date | null;
  isRecorded: boolean;
  commission:
    | ({
        status: CommissionStatus;
        cents: number;
        approveAfter: string;
        /** Whether it is approved by itself once the hold ends. */
        isOnHold: boolean;
        isInReview: boolean;
      } & PaidRule)
    | null;
  /** Of the latest decision; null if none is kept. */
  reason: Reason | null;
  /** In whole days, rounded up. */
  clickAgeDays: number | null;
  windowDays: number | null;
  hasSignedUp: boolean;
};

const SALE = `
  select s.processor_event_id as "transactionId", s.partner_id as "partnerId", s.amount_cents as "amountCents",
    s.refunded_cents as "refundedCents", s.currency, s.created_at as "paidAt", true as "isRecorded",
    case when m.id is not null then json_build_object('status', ${COMMISSION_STATUS},
      'cents', m.commission_cents - m.deducted_cents, 'currency', m.currency,
      'approveAfter', to_char(m.approve_after at time zone 'utc', 'YYYY-MM-DD'),
      'isOnHold', m.stage = 'pending' and m.reversal <> 'full' and ${HOLD_REASON} is null,
      'isInReview', m.stage = 'pending' and ${HOLD_REASON} is not null,
      'termsVersion', coalesce(m.terms_version, s.terms_version), 'rule', m.rule,
      'publishedRule', v.rules -> (m.rule - 1), 'commissionType', m.commission_type,
      'commissionRate', m.commission_rate::text, 'recurringMonths', v.recurring_months) end as commission,
    (select d.reason from decisions d where d.program_id = $1 and d.transaction_id = s.processor_event_id
       and d.sale_id = s.id and d.kind = 'sale' and d.outcome <> 'refused' order by d.id desc limit 1) as reason,
    null::bigint as "clickAgeDays", null::bigint as "windowDays", false as "hasSignedUp", s.created_at as "orderedBy"
  from sales s left join commissions m on m.sale_id = s.id and m.kind = 'sale'
  left join terms_versions v on v.program_id = m.program_id and v.version = m.terms_version
  where s.program_id = $1 and not s.is_test`;

const ATTEMPT = `
  select d.transaction_id as "transactionId", d.partner_id as "partnerId", ${wholeFact('d.facts', 'amount_cents')},
    null::bigint, d.facts ->> 'currency', coalesce(${timeFact('d.facts', 'paid_at')}, d.created_at), false, null::json,
    d.reason, ${wholeFact('d.facts', 'click_age_days')}, ${wholeFact('d.facts', 'window_days')},
    d.facts ->> 'signed_up_at' is not null, d.created_at
  from decisions d
  where d.program_id = $1 and d.kind = 'sale' and not d.is_test and d.sale_id is null and d.transaction_id is not null`;

// An order is known under each of its ids at the payment processor, like in Explain.
const FIND_ORDER = `
  with names as (
    select $2::text collate "C" as id
    union
    select transaction_id from processor_payment_links where program_id = $1 and reference = $2
    union
    select reference from processor_payment_links where program_id = $1 and transaction_id = $2
    union
    select s.processor_event_id from transactions t join sales s on s.id = t.sale_id
    where t.processor_event_id = $2 and t.program_id = $1 and t.test_program_id = 0
  )
  (${SALE} and s.processor_event_id in (select id from names))
  union all
  (${ATTEMPT} and d.transaction_id in (select id from names))
  order by "isRecorded" desc, "orderedBy" desc limit 1`;

export async function findOrder(db: Queryable, programId: number, transactionId: string): Promise<Order | null> {
  const [order] = await db.query<Order>(FIND_ORDER, [programId, transactionId]);
  return order ?? null;
}

/** People with this address who clicked a link of the partner, whomever they are credited to. */
export function listVisitors(
  db: Queryable,
  programId: number,
  visitor: { emailHash: string; partnerId: number },
  limit: number,
): Promise<{ id: number; partnerId: number | null }[]> {
  return db.query(
    `select c.id, c.partner_id as "partnerId" from customers c
     where c.program_id = $1 and c.email_hash = $2 and not c.is_test
       and (c.partner_id = $3
         or exists (select 1 from clicks k where k.customer_id = c.id and k.program_id = $1 and k.partner_id = $3))
     order by c.id desc limit $4`,
    [programId, visitor.emailHash, visitor.partnerId, limit],
  );
}

/** The latest orders of these customers that belong to the partner, recorded or not, one row for each. */
export function listOrders(
  db: Queryable,
  programId: number,
  { customerIds, partnerId }: { customerIds: number[]; partnerId: number },
  limit: number,
): Promise<Order[]> {
  return db.query<Order>(
    `select * from (
       select distinct on ("transactionId") * from (
         (${SALE} and s.customer_id = any ($2::bigint[]) and s.partner_id = $3)
         union all
         (${ATTEMPT} and d.customer_id = any ($2::bigint[]) and d.partner_id = $3)) orders
       order by "transactionId", "isRecorded" desc, "orderedBy" desc) latest
     order by "orderedBy" desc limit $4`,
    [programId, customerIds, partnerId, limit],
  );
}
