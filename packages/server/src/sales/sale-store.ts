import type { HoldReason } from '@svc/contract';
import { holderAt } from '../customers/attribution-store.ts';
import { CLOCK_SKEW_MS } from '../customers/customer.ts';
import type { Queryable } from '../db/db.ts';
import { columnValues, rowsOfColumns } from '../db/row-columns.ts';
import { countAdded, countChanged, countRemoved, SALES } from '../rollups/delta-store.ts';
import type { Reward } from '../terms/reward.ts';
import type { StoredFacts } from '../terms/stored-facts.ts';
import { SALE_DETAIL_COLUMNS } from './sale-details.ts';
import { HAS_EARLIER_PAYMENT } from './subscription-store.ts';

/** Deletes a sale that has no commission and no refunds. Its id stays taken. */
export async function deleteSale(db: Queryable, saleId: number): Promise<void> {
  const sql = `with before as (delete from sales where id = $1 returning *), ${countRemoved(SALES)}`;
  await db.query(sql, [saleId]);
}

/** A sale that a payment processor reported. */
export type ProcessorSale = {
  id: number;
  customerId: number;
  partnerId: number | null;
  amountCents: number;
  currency: string;
  couponCode: string | null;
  holdReason: HoldReason | null;
  createdAt: Date;
  /** Whether its customer turned out to have been another partner's when it was paid. */
  isMiscredited: boolean;
};

/**
 * The real sale `s` of a transaction, by the unique index: for any other way to write it, statements that are planned while the
 * table is small read all sales of the program.
 */
export const IS_REAL_SALE = (transactionId: string) =>
  `s.processor_event_id = ${transactionId} and case when s.is_test then s.id else 0 end = 0`;

// Whether an earlier purchase was known when the sale was judged. A later one that was reported first says nothing about it.
const HAD_BOUGHT = `coalesce(
  (s.terms_facts ->> 'first_sale_at')::timestamptz <= s.created_at and not s.terms_facts ? 'is_first_sale_learnt', false)`;

// A renewal or a change takes nobody from a partner whose claim lasts, not even where codes win.
const IS_WITHIN_SUBSCRIPTION = `(s.is_recurring or s.subscription_stage = 'change' and ${HAS_EARLIER_PAYMENT})`;

// Whether a coupon took the customer because the window had closed, because it took a renewal for a first payment, or because nobody had
// them yet, before an earlier purchase was known. That purchase keeps the customer with the partner before, unless this partner has left
// since.
const IS_TAKEN_UNDULY = `case
  when s.coupon_code is null or ${HAD_BOUGHT} and not ${IS_WITHIN_SUBSCRIPTION} then false else exists (
  select from attributions taken
  join customers c on c.id = taken.customer_id
  join programs p on p.id = c.program_id
  cross join lateral (
    select a.*, case when a.since > '-infinity' then a.since else c.clicked_at end as clicked_at from attributions a
    where a.customer_id = taken.customer_id and a.since < taken.since order by a.since desc limit 1) prior
  join memberships m on m.id = prior.membership_id and m.status = 'active'
  where taken.customer_id = s.customer_id and taken.since = s.created_at and taken.partner_id = s.partner_id
    and case when prior.assigned_at is not null
      then prior.partner_id <> s.partner_id and (${IS_WITHIN_SUBSCRIPTION} or not p.coupons_win)
      else c.clicked_at <= s.created_at + ${CLOCK_SKEW_MS} * interval '1 millisecond'
        and (${IS_WITHIN_SUBSCRIPTION} or (prior.partner_id = s.partner_id or not p.coupons_win)
          and prior.clicked_at + p.attribution_window_days * interval '24 hours'
            < least(s.created_at, case when c.lead_state = 'settled' then c.lead_at end)) end
    and exists (
      select from sales e where e.customer_id = s.customer_id and e.created_at < s.created_at and not e.is_test)) end`;

// Sales of customers whose moves have no history are taken to be right.
const IS_MISCREDITED = `(
  coalesce(s.partner_id <> ${holderAt('s.customer_id', 's.created_at')}, false) or ${IS_TAKEN_UNDULY})`;

/** Finds and locks the real sale of a payment, unless the workspace reported it. */
export async function findProcessorSaleForUpdate(
  db: Queryable,
  programId: number,
  transactionId: string,
): Promise<ProcessorSale | null> {
  const [sale] = await db.query<ProcessorSale>(
    `select s.id, s.customer_id as "customerId", s.partner_id as "partnerId", s.amount_cents as "amountCents", s.currency,
       s.coupon_code as "couponCode", s.hold_reason as "holdReason", s.created_at as "createdAt",
       ${IS_MISCREDITED} as "isMiscredited"
     from sales s where ${IS_REAL_SALE('$2')} and s.program_id = $1 and s.request_id is null for update`,
    [programId, transactionId],
  );
  return sale ?? null;
}

/** What a payment that was just recorded may have missed, or changed for others. */
export type Following = {
  /** Whether its customer turned out to have been another partner's when it was paid. */
  isMiscredited: boolean;
  /** Whether its customer has others, if it is their first or was judged as if it were. */
  hasOtherSales: boolean;
  /** Whether payments of its customer were outside the attribution window. */
  hasLatePayments: boolean;
};

/** What follows from the sale of a payment. Ask once it is committed: of two that are written at the same time, one sees the other. */
export async function findFollowing(
  db: Queryable,
  programId: number,
  transactionId: string,
  { customerId, isFirst }: { customerId: number; isFirst: boolean },
): Promise<Following> {
  const [following] = await db.query<Following>(
    `select exists (
         select 1 from sales s
         where ${IS_REAL_SALE('$2')} and s.program_id = $1 and s.request_id is null and ${IS_MISCREDITED}) as "isMiscredited",
       ($4 or exists (
         select 1 from sales s join customers c on c.id = s.customer_id
         where ${IS_REAL_SALE('$2')} and s.program_id = $1 and not ${HAD_BOUGHT} and c.converted_at < s.created_at))
         and exists (
           select 1 from sales s where s.customer_id = $3 and s.processor_event_id <> $2 and not s.is_test) as "hasOtherSales",
       exists (
         select 1 from processor_events e
         where e.customer_id = $3 and e.outcome = 'outside_window') as "hasLatePayments"`,
    [programId, transactionId, customerId, isFirst],
  );
  return following!;
}

/** The transaction ids of processors' sales after a time that credit another partner than the one of their time. */
export async function listMiscredited(db: Queryable, customerId: number, after: Date): Promise<string[]> {
  const rows = await db.query<{ transactionId: string }>(
    `select s.processor_event_id as "transactionId"
     from sales s
     where s.customer_id = $1 and s.created_at > $2 and not s.is_test and s.request_id is null and ${IS_MISCREDITED}
       and exists (select from attributions where customer_id = $1)`,
    [customerId, after],
  );
  return rows.map(({ transactionId }) => transactionId);
}

/** Sets how much of a locked sale is disputed. */
export async function updateDisputed(db: Queryable, saleId: number, disputedCents: number): Promise<void> {
  await db.query('update sales set disputed_cents = $2 where id = $1', [saleId, disputedCents]);
}

/** Sets how much of what is refunded of a locked sale is tax beyond its share. */
export async function updateTaxOnly(db: Queryable, saleId: number, cents: number): Promise<void> {
  await db.query('update sales set refunded_tax_only_cents = $2 where id = $1', [saleId, cents]);
}

/** The columns that a new sale sets. A row without one of them that is no detail does not compile. */
const SALE_COLUMNS = {
  id: 'bigint',
  processor_event_id: 'text',
  program_id: 'bigint',
  customer_id: 'bigint',
  partner_id: 'bigint',
  link_id: 'bigint',
  amount_cents: 'bigint',
  tax_cents: 'bigint',
  shipping_cents: 'bigint',
  currency: 'text',
  sale_type: 'text',
  is_recurring: 'boolean',
  coupon_code: 'text',
  subscription_stage: 'text',
  terms_version: 'integer',
  terms_facts: 'jsonb',
  rule: 'integer',
  commission_type: 'text',
  commission_rate: 'numeric',
  commission_base: 'text',
  program_currency: 'text',
  commission_state: 'text',
  hold_days: 'integer',
  hold_reason: 'text',
  is_test: 'boolean',
  request_id: 'text',
  created_at: 'timestamptz',
} as const;

export type SaleRow = Record<keyof typeof SALE_COLUMNS, unknown> & { id: number } & {
  [Column in keyof typeof SALE_DETAIL_COLUMNS]?: unknown;
};

/** The status of a sale `s` that callers see. */
export const SALE_STATUS = `case when s.refunded_cents = 0 then 'recorded' when s.refunded_cents < s.amount_cents
  then 'partially_refunded' else 'refunded' end`;

const COLUMNS = { ...SALE_COLUMNS, ...SALE_DETAIL_COLUMNS };
const INSERT_SALES = `
  with written as (
    insert into sales (${Object.keys(COLUMNS).join(', ')}) select ${rowsOfColumns(COLUMNS)}
    returning ${SALES.columns}
  ), ${countAdded(SALES)}`;

export async function insertSales(db: Queryable, rows: SaleRow[]): Promise<void> {
  if (rows.length > 0) await db.query(INSERT_SALES, columnValues(COLUMNS, rows));
}

/** Adds refunds to sales that the transaction has locked; a negative amount restores. */
export async function updateRefunded(db: Queryable, refundedCents: Map<number, number>): Promise<void> {
  if (refundedCents.size === 0) return;
  const rows = [...refundedCents].map(([id, cents]) => ({ id, refunded_cents: cents }));
  await db.query(
    `with input as materialized (
       select * from json_to_recordset($1::json) as i(id bigint, refunded_cents bigint)
     ), before as materialized (
       select s.* from input i join sales s on s.id = i.id
     ), written as (
       update sales s set refunded_cents = s.refunded_cents + i.refunded_cents from input i where s.id = i.id returning s.*
     ), ${countChanged(SALES)}`,
    [JSON.stringify(rows)],
  );
}

/** Marks a sale as a renewal, after an earlier payment of its subscription became known. */
export async function updateRecurring(db: Queryable, saleId: number): Promise<void> {
  await db.query('update sales set is_recurring = true where id = $1', [saleId]);
}

/** Marks the commission that a locked sale owed as created, by the rule that pays it. */
export async function updateCommissionCreated(
  db: Queryable,
  saleId: number,
  partnerId: number,
  paid: Pick<Reward, 'rule' | 'type' | 'rate' | 'base'> & { facts: StoredFacts },
): Promise<void> {
  await db.query(
    `with before as materialized (select * from sales where id = $1), written as (
       update sales set commission_state = 'created', partner_id = $2, rule = $3, commission_type = $4, commission_rate = $5,
         commission_base = $6, terms_facts = $7::jsonb
       where id = $1 returning *
     ), ${countChanged(SALES)}`,
    [saleId, partnerId, paid.rule, paid.type, paid.rate, paid.base, JSON.stringify(paid.facts)],
  );
}

/** Locks the sale until the transaction ends. */
export async function lockSale(db: Queryable, saleId: number): Promise<void> {
  await db.query('select from sales where id = $1 for update', [saleId]);
}

/**
 * Takes note of what is known about a sale whose commission was revoked. Another rule may pay for it, so where there are rules,
 * the sale owes what they say.
 */
export async function updateRevoked(db: Queryable, saleId: number, known: Partial<StoredFacts>): Promise<void> {
  await db.query(
    `update sales s set terms_facts = (s.terms_facts - 'used') || $2::jsonb,
       commission_state = case when s.terms_facts is not null and exists (
         select from terms_versions v
         where v.program_id = s.program_id and v.version = s.terms_version and v.rules <> '[]') then 'owed' else 'none' end
     where s.id = $1`,
    [saleId, JSON.stringify(known)],
  );
}

/** Marks a sale as one whose partner has no commission and is owed none. With facts, it was judged by them. */
export async function updateCommissionNone(db: Queryable, saleId: number, facts: StoredFacts | null): Promise<void> {
  await db.query(
    `update sales set commission_state = 'none', terms_facts = coalesce($2::jsonb, terms_facts) where id = $1`,
    [saleId, facts && JSON.stringify(facts)],
  );
}

/** Counts a failed attempt to create the owed commission and sets when the next one is due. Null: never. */
export async function updateRepairFailed(db: Queryable, saleId: number, nextAt: Date | null): Promise<void> {
  await db.query(
    `update sales set repair_attempts = repair_attempts + 1, repair_after = coalesce($2::timestamptz, 'infinity')
     where id = $1 and commission_state = 'owed'`,
    [saleId, nextAt],
  );
}
