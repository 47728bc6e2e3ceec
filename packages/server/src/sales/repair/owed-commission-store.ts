import type { CommissionBase, CommissionType, HoldReason } from '@svc/contract';
import { earlierAttribution } from '../../customers/attribution-store.ts';
import type { Queryable } from '../../db/db.ts';
import type { StoredFacts } from '../../terms/stored-facts.ts';
import type { Terms } from '../../terms/terms.ts';
import { TERMS_COLUMNS } from '../../terms/terms-store.ts';

/** A recorded sale whose commission is still owed, with the terms in force at the time of the sale. */
export type SaleOwingCommission = {
  id: number;
  transactionId: string;
  programId: number;
  customerId: number;
  partnerId: number | null;
  amountCents: number;
  taxCents: number | null;
  shippingCents: number | null;
  refundedCents: number;
  /** How much of that is tax beyond its share, if commissions are on the net amount. */
  taxOnlyCents: number;
  currency: string;
  /** Null if the sale is from an earlier release, which did not count versions. */
  terms: Terms | null;
  /** What else was known when it was sold. Null if a node of an earlier release recorded it, as are the rest of these. */
  termsFacts: StoredFacts | null;
  groupId: number | null;
  recruiterId: number | null;
  defaultGroupId: number;
  firstSaleAt: Date | null;
  paymentNumber: number;
  isRecurring: boolean;
  productId: string | null;
  couponCode: string | null;
  commissionType: CommissionType;
  commissionRate: string;
  commissionBase: CommissionBase;
  programCurrency: string;
  holdDays: number;
  holdReason: HoldReason | null;
  createdAt: Date;
  /** How often the job has failed to create it. */
  attempts: number;
  /** Whether the job has given up. An operator can still repair it. */
  gaveUp: boolean;
};

// The customer's partner of that time, because a missing one may have been restored since the sale.
const SELECT_SALES_OWING_COMMISSION = `
  select s.id, s.processor_event_id as "transactionId", s.program_id as "programId", s.customer_id as "customerId",
    p.id as "partnerId", s.amount_cents as "amountCents", s.tax_cents as "taxCents", s.shipping_cents as "shippingCents",
    s.refunded_cents as "refundedCents",
    case when s.commission_base = 'net' then s.refunded_tax_only_cents else 0 end as "taxOnlyCents", s.currency, v.terms, s.commission_type as "commissionType",
    s.commission_rate as "commissionRate", coalesce(s.commission_base, 'gross') as "commissionBase",
    s.program_currency as "programCurrency", s.hold_days as "holdDays", s.hold_reason as "holdReason",
    s.terms_facts as "termsFacts", l.group_id as "groupId", l.recruiter_id as "recruiterId",
    g.default_group_id as "defaultGroupId", s.is_recurring as "isRecurring", s.product_id as "productId",
    s.coupon_code as "couponCode",
    case when c.converted_at < s.created_at then c.converted_at end as "firstSaleAt",
    (select count(*) from sales b where b.customer_id = s.customer_id and not b.is_test and b.id <= s.id) as "paymentNumber",
    s.created_at as "createdAt", s.repair_attempts as attempts, s.repair_after = 'infinity' as "gaveUp"
  from sales s
  join customers c on c.id = s.customer_id
  ${earlierAttribution('s.created_at')}
  left join partners p on p.id = coalesce(s.partner_id, was.partner_id, c.partner_id)
  join programs g on g.id = s.program_id
  left join lateral (
    select to_json(v) as terms from (
      select ${TERMS_COLUMNS} from terms_versions v where v.program_id = s.program_id and v.version = s.terms_version) v
  ) v on true
  left join lateral (
    select group_id, recruiter_id from partner_placements l
    where l.program_id = s.program_id and l.partner_id = p.id and l.since <= s.created_at
    order by l.since desc, l.id desc limit 1) l on true
  where s.commission_state = 'owed'`;

/** Those that the job has given up come first, then those that it will try last. */
export function listSalesOwingCommission(db: Queryable, limit: number): Promise<SaleOwingCommission[]> {
  const order = 'order by s.repair_after desc, s.id desc limit $1';
  return db.query<SaleOwingCommission>(`${SELECT_SALES_OWING_COMMISSION} ${order}`, [limit]);
}

/** The sales whose commission the job should create now, those that have waited longest first. */
export function listDueRepairs(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<Pick<SaleOwingCommission, 'id' | 'attempts'>[]> {
  return db.query(
    `select s.id, s.repair_attempts as attempts from sales s
     where s.commission_state = 'owed' and s.repair_after <= $1 order by s.repair_after, s.id limit $2`,
    [now, limit],
  );
}

/** Finds and locks the sale if it still owes its commission, so that only one of two concurrent repairs proceeds. */
export async function findSaleOwingCommissionForUpdate(
  db: Queryable,
  saleId: number,
): Promise<SaleOwingCommission | null> {
  const [sale] = await db.query<SaleOwingCommission>(`${SELECT_SALES_OWING_COMMISSION} and s.id = $1 for update of s`, [
    saleId,
  ]);
  return sale ?? null;
}
