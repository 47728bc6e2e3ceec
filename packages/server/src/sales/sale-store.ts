import { type Earned, holdEnd } from '../commissions/commission.ts';
import type { Customer } from '../customers/customer.ts';
import type { Queryable } from '../db/db.ts';
import type { Decision } from '../decisions/decision.ts';
import { decisionRow } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import type { NewSale } from './sale.ts';

/** A sale to write, or only the decision about it when `writesSale` is false. */
export type SaleToWrite = {
  program: Program;
  sale: NewSale;
  customer: Customer | null;
  paidAt: Date;
  partnerId: number | null;
  writesSale: boolean;
  converts: boolean;
  earned: Earned | null;
  commissionState: 'created' | 'none' | 'owed';
  decision: Decision;
};

/** `saleId` is null when no sale was written; then, for one that was to be, its transaction id had been taken. */
export type WrittenSale = { saleId: number | null; commissionId: number | null; decisionId: number };

// One statement for a whole group. The transaction ids are claimed first, in one order on every node; whoever loses the
// claim writes nothing but a decision that says so.
const INSERT_SALES = `
  with input as materialized (
    select i.*, nextval('decisions_id_seq') as decision_id,
      case when writes_sale then nextval('sales_id_seq') end as new_sale_id
    from json_to_recordset($1::json) as i(
      position int, writes_sale boolean, converts boolean, transaction_id text, program_id bigint, customer_id bigint,
      partner_id bigint, link_id bigint, amount_cents bigint, currency text, sale_type text, is_recurring boolean,
      subscription_id text, subscription_interval text, product_id text, line_items jsonb, commission_type text,
      commission_rate numeric, program_currency text, commission_state text, commission_cents bigint,
      commission_currency text, hold_days int, approve_after timestamptz, is_test boolean, request_id text, paid_at timestamptz,
      created_at timestamptz,
      kind text, outcome text, reason text, facts jsonb, source text, customer_key text, click_id text,
      additional_data jsonb, has_generated_id boolean)
  ), claimed as (
    insert into transactions (processor_event_id, program_id, sale_id)
    select transaction_id, program_id, new_sale_id from input where writes_sale order by transaction_id
    on conflict do nothing
    returning sale_id
  ), winners as (
    select i.* from input i join claimed on claimed.sale_id = i.new_sale_id
  ), new_sales as (
    insert into sales (id, processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, currency,
      sale_type, is_recurring, subscription_id, subscription_interval, product_id, line_items, commission_type,
      commission_rate, program_currency, commission_state, hold_days, is_test, request_id, created_at)
    select new_sale_id, transaction_id, program_id, customer_id, partner_id, link_id, amount_cents, currency,
      sale_type, is_recurring, subscription_id, subscription_interval, product_id, line_items, commission_type,
      commission_rate, program_currency, commission_state, hold_days, is_test, request_id, paid_at
    from winners
  ), new_commissions as (
    insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
      currency, approve_after, created_at)
    select new_sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
      commission_currency, approve_after, paid_at
    from winners where commission_state = 'created'
    returning id, sale_id
  ), conversions as (
    update customers c set status = 'conversion', converted_at = first.at
    from (select customer_id, min(paid_at) as at from winners where converts group by customer_id) first
    where c.id = first.customer_id and (c.converted_at is null or c.converted_at > first.at)
  ), new_decisions as (
    insert into decisions (id, program_id, kind, outcome, reason, facts, source, customer_id, partner_id, sale_id,
      transaction_id, customer_key, click_id, additional_data, request_id, is_test, created_at)
    select decision_id, i.program_id, kind,
      case when lost then 'refused' else outcome end,
      case when lost then 'duplicate_transaction' else reason end,
      facts, source, customer_id, partner_id, claimed_sale_id, transaction_id, customer_key, click_id,
      additional_data, request_id, is_test, created_at
    from (select input.*, claimed.sale_id as claimed_sale_id, writes_sale and claimed.sale_id is null as lost
          from input left join claimed on claimed.sale_id = input.new_sale_id) i
    where not (lost and has_generated_id)
  )
  select i.position, claimed.sale_id as "saleId", m.id as "commissionId", i.decision_id as "decisionId"
  from input i
  left join claimed on claimed.sale_id = i.new_sale_id
  left join new_commissions m on m.sale_id = claimed.sale_id`;

export async function insertSales(db: Queryable, sales: SaleToWrite[]): Promise<WrittenSale[]> {
  const rows = await db.query<WrittenSale & { position: number }>(INSERT_SALES, [JSON.stringify(sales.map(saleRow))]);
  const written: WrittenSale[] = [];
  for (const { position, ...row } of rows) written[position] = row;
  return written;
}

function saleRow({ program, sale, customer, earned, decision, ...write }: SaleToWrite, position: number) {
  return {
    ...decisionRow(decision),
    position,
    writes_sale: write.writesSale,
    converts: write.converts,
    commission_state: write.commissionState,
    transaction_id: sale.transactionId,
    has_generated_id: sale.hasGeneratedId ?? false,
    program_id: program.id,
    customer_id: customer?.id,
    partner_id: write.partnerId,
    link_id: customer?.linkId,
    amount_cents: sale.amountCents,
    currency: sale.currency,
    sale_type: sale.saleType,
    is_recurring: sale.isRecurring,
    subscription_id: sale.subscriptionId,
    subscription_interval: sale.subscriptionInterval,
    product_id: sale.productId,
    line_items: sale.lineItems,
    commission_type: program.commissionType,
    commission_rate: program.commissionRate,
    program_currency: program.currency,
    commission_cents: earned?.cents.toString(),
    commission_currency: earned?.currency,
    hold_days: program.holdDays,
    paid_at: write.paidAt,
    approve_after: holdEnd(write.paidAt, program.holdDays),
  };
}
