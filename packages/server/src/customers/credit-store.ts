import { type CreditRow, creditRow } from '@svc/contract';
import { bookCredits } from '../books/book-entry-store.ts';
import type { Queryable } from '../db/db.ts';
import { listSource } from '../db/lists/sorted-list.ts';
import type { FeedRows } from '../outbox/outbox-store.ts';

/** What the brand grants to a customer. The service only records it. */
export type NewCredit = {
  programId: number;
  customerId: number;
  /** The sale that it was granted with; null for a lead. */
  saleId: number | null;
  cents: number;
  currency: string;
  termsVersion: number;
  rule: number;
  createdAt: Date;
};

export type CustomerCredit = { amountCents: number; reversedCents: number; currency: string; createdAt: Date };

/** The rows of events about credits. */
export const CREDIT_ROWS: FeedRows = {
  subject: 'credit',
  source: listSource<CreditRow, never>({
    row: creditRow,
    table: 'customer_credits',
    as: 'k',
    joins: 'left join customers c on c.id = k.customer_id',
    columns: { customer_key: 'c.customer_key' },
    computed: {},
    sorts: {},
  }),
  key: 'k.id = i.id',
  about: { customer: 'customer_id' },
};

export async function findCredit(db: Queryable, customerId: number): Promise<CustomerCredit | null> {
  const [credit] = await db.query<CustomerCredit>(
    `select amount_cents as "amountCents", reversed_cents as "reversedCents", currency, created_at as "createdAt"
     from customer_credits where customer_id = $1`,
    [customerId],
  );
  return credit ?? null;
}

/** Takes the refunded share of these sales back from the credits that came with them, rounded half up. */
export async function updateReversedCredits(db: Queryable, saleIds: number[], now: Date): Promise<void> {
  if (saleIds.length === 0) return;
  await db.query(
    `with before as materialized (
       select * from customer_credits where sale_id = any ($1::bigint[]) order by id for update
     ), written as (
       update customer_credits c
       set reversed_cents = div(2 * c.amount_cents::numeric * s.refunded_cents + s.amount_cents, 2 * s.amount_cents)
       from before join sales s on s.id = before.sale_id where c.id = before.id
       returning c.*, before.reversed_cents - c.reversed_cents as restored_cents
     ), ${bookCredits('credit_reversed', '$2', 'k.restored_cents', 'written k')}
     select 1`,
    [saleIds, now],
  );
}

/** Takes back the credit that came with a sale. */
export async function deleteCredit(db: Queryable, saleId: number, now: Date): Promise<void> {
  await db.query(
    `with gone as (delete from customer_credits where sale_id = $1 returning *),
     ${bookCredits('credit_revoked', '$2', '(k.reversed_cents - k.amount_cents)', 'gone k')}
     select 1`,
    [saleId, now],
  );
}

/** Lets a credit stand with another sale: the one that is kept of two for the same payment. */
export async function updateCreditSale(db: Queryable, fromSaleId: number, toSaleId: number): Promise<void> {
  await db.query('update customer_credits set sale_id = $2 where sale_id = $1', [fromSaleId, toSaleId]);
}

const INSERT_CREDITS = `
  with written as (
    insert into customer_credits
      (program_id, customer_id, sale_id, amount_cents, currency, terms_version, rule, created_at)
    select program_id, customer_id, sale_id, amount_cents, currency, terms_version, rule, created_at
    from json_populate_recordset(null::customer_credits, $1::json)
    on conflict do nothing returning *
  ), ${bookCredits('credit_granted', '$2', 'k.amount_cents', 'written k')}
  select id, customer_id as "customerId", sale_id as "saleId" from written`;

/** Grants credits to customers who have none yet. Returns their ids by the sale that they came with, or the customer for leads. */
export async function insertCredits(db: Queryable, credits: NewCredit[], now: Date): Promise<Map<number, number>> {
  if (credits.length === 0) return new Map();
  const rows = credits.map((credit) => ({
    program_id: credit.programId,
    customer_id: credit.customerId,
    sale_id: credit.saleId,
    amount_cents: credit.cents,
    currency: credit.currency,
    terms_version: credit.termsVersion,
    rule: credit.rule,
    created_at: credit.createdAt,
  }));
  type Granted = { id: number; customerId: number; saleId: number | null };
  const granted = await db.query<Granted>(INSERT_CREDITS, [JSON.stringify(rows), now]);
  return new Map(granted.map(({ id, customerId, saleId }) => [saleId ?? customerId, id]));
}
