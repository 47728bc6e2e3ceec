import type { Queryable } from '../db/db.ts';

export type SaleTexts = {
  id: number;
  transactionId: string;
  lineItems: unknown;
  productId: string | null;
  subscriptionId: string | null;
  couponCode: string | null;
  /** What the terms knew about the sale, with the coupon. */
  facts: unknown;
};

/** The texts in the sales of the customers that may name them. */
export function listSaleTexts(db: Queryable, customerIds: number[]): Promise<SaleTexts[]> {
  return db.query<SaleTexts>(
    `select id, processor_event_id as "transactionId", line_items as "lineItems", product_id as "productId",
       subscription_id as "subscriptionId", coupon_code as "couponCode", terms_facts as facts
     from sales where customer_id = any ($1::bigint[])`,
    [customerIds],
  );
}

/** Replaces texts in sales. A new transaction id replaces the old one everywhere in the ledger. */
export async function updateSaleTexts(db: Queryable, sales: SaleTexts[]): Promise<void> {
  for (const { id, transactionId, lineItems, productId, subscriptionId, couponCode, facts } of sales) {
    await db.query(
      `with renamed as (
         update transactions t set processor_event_id = $2 from sales s
         where s.id = $1 and t.sale_id = s.id and t.processor_event_id = s.processor_event_id)
       update sales set processor_event_id = $2, line_items = $3::jsonb, product_id = $4, subscription_id = $5,
         coupon_code = $6, terms_facts = $7::jsonb where id = $1`,
      [id, transactionId, jsonOrNull(lineItems), productId, subscriptionId, couponCode, jsonOrNull(facts)],
    );
  }
}

const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value));
