import type { Queryable } from '../db/db.ts';
import type { Reward } from '../terms/reward.ts';
import type { StoredFacts } from '../terms/stored-facts.ts';
import { SALE_DETAIL_COLUMNS, type SaleDetailColumns } from './sale-details.ts';

export type TransactionClaim = { transactionId: string; programId: number; isTest: boolean };

/** The id in its scope: those of real sales are unique across all programs, those of test sales within their program. */
export function claimKey({ transactionId, programId, isTest }: TransactionClaim): string {
  return `${isTest ? programId : 0} ${transactionId}`;
}

/**
 * Claims transaction ids and assigns each a sale id. Returns only those that were free, by `claimKey`. Nodes that claim the
 * same ids lock them in the same order.
 */
export async function claimTransactions(db: Queryable, claims: TransactionClaim[]): Promise<Map<string, number>> {
  if (claims.length === 0) return new Map();
  const input = claims.map(({ transactionId, programId, isTest }) => ({
    processor_event_id: transactionId,
    program_id: programId,
    test_program_id: isTest ? programId : 0,
  }));
  const rows = await db.query<TransactionClaim & { saleId: number }>(
    `insert into transactions (processor_event_id, program_id, test_program_id, sale_id)
     select processor_event_id, program_id, test_program_id, nextval('sales_id_seq')
     from json_populate_recordset(null::transactions, $1::json) order by processor_event_id, test_program_id
     on conflict do nothing
     returning processor_event_id as "transactionId", program_id as "programId", test_program_id <> 0 as "isTest",
       sale_id as "saleId"`,
    [JSON.stringify(input)],
  );
  return new Map(rows.map(({ saleId, ...claim }) => [claimKey(claim), saleId]));
}

export type TransactionOwner = { programId: number; recordedAs: string };

/** Which program has the real sale of each transaction id, and under which id it was recorded. */
export async function findTransactionOwners(
  db: Queryable,
  transactionIds: string[],
): Promise<Map<string, TransactionOwner>> {
  const rows = await db.query<TransactionOwner & { transactionId: string }>(
    `select t.processor_event_id as "transactionId", t.program_id as "programId",
       coalesce(s.processor_event_id, t.processor_event_id) as "recordedAs"
     from transactions t left join sales s on s.id = t.sale_id
     where t.processor_event_id = any ($1::text[]) and t.test_program_id = 0`,
    [transactionIds],
  );
  return new Map(rows.map(({ transactionId, ...owner }) => [transactionId, owner]));
}

/**
 * Claims further ids for real sales, by which their payments are known as well. Waits for a sale that is just being written
 * under one of them. Returns how many were free.
 */
export async function claimAliases(
  db: Queryable,
  programId: number,
  aliases: { transactionId: string; saleId: number }[],
): Promise<number> {
  const rows = await db.query(
    `insert into transactions (processor_event_id, program_id, sale_id)
     select alias, $1, sale_id from unnest($2::text[], $3::bigint[]) as claimed (alias, sale_id) order by alias collate "C"
     on conflict do nothing returning 1`,
    [programId, aliases.map(({ transactionId }) => transactionId), aliases.map(({ saleId }) => saleId)],
  );
  return rows.length;
}

/**
 * Frees the id of an invoice that stands for the sale of its payment, so that the invoice can be recorded itself. Returns
 * whether it did.
 */
export async function deleteInvoiceAlias(db: Queryable, programId: number, invoice: string): Promise<boolean> {
  const rows = await db.query(
    `delete from transactions t using sales s
     where t.processor_event_id = $2 and t.test_program_id = 0 and t.program_id = $1
       and s.id = t.sale_id and s.processor_event_id <> t.processor_event_id
       and exists (select 1 from processor_payment_links l where l.program_id = $1 and l.transaction_id = $2)
     returning 1`,
    [programId, invoice],
  );
  return rows.length > 0;
}

/** Frees ids that stand for a sale recorded under another one. */
export async function deleteAliases(db: Queryable, saleId: number, aliases: string[]): Promise<void> {
  await db.query(
    'delete from transactions where processor_event_id = any ($2::text[]) and test_program_id = 0 and sale_id = $1',
    [saleId, aliases],
  );
}

export type NamedSale = { name: string; saleId: number; transactionId: string; isTest: boolean };

/** The sales that the program has under these ids, and the id under which each was recorded. */
export function listSalesUnder(db: Queryable, programId: number, names: string[]): Promise<NamedSale[]> {
  return db.query<NamedSale>(
    `select t.processor_event_id as name, s.id as "saleId", s.processor_event_id as "transactionId", s.is_test as "isTest"
     from transactions t join sales s on s.id = t.sale_id
     where t.processor_event_id = any ($2::text[]) and t.program_id = $1 order by s.id, 1`,
    [programId, names],
  );
}

/** Lets an id stand for another sale. False if it does not stand for `fromSaleId` anymore. */
export async function updateTransactionSale(
  db: Queryable,
  transactionId: string,
  fromSaleId: number,
  toSaleId: number,
): Promise<boolean> {
  const rows = await db.query(
    `update transactions set sale_id = $3
     where processor_event_id = $1 and test_program_id = 0 and sale_id = $2 returning 1`,
    [transactionId, fromSaleId, toSaleId],
  );
  return rows.length > 0;
}

/** Deletes a sale that has no commission and no refunds. Its id stays taken. */
export async function deleteSale(db: Queryable, saleId: number): Promise<void> {
  await db.query('delete from sales where id = $1', [saleId]);
}

/** Sets how much of a locked sale is disputed. */
export async function updateDisputed(db: Queryable, saleId: number, disputedCents: number): Promise<void> {
  await db.query('update sales set disputed_cents = $2 where id = $1', [saleId, disputedCents]);
}

/** The columns that a new sale sets besides its details. A row without one of them does not compile. */
const SALE_COLUMNS = [
  'id',
  'processor_event_id',
  'program_id',
  'customer_id',
  'partner_id',
  'link_id',
  'amount_cents',
  'tax_cents',
  'shipping_cents',
  'currency',
  'sale_type',
  'is_recurring',
  'coupon_code',
  'subscription_stage',
  'terms_version',
  'terms_facts',
  'rule',
  'commission_type',
  'commission_rate',
  'commission_base',
  'program_currency',
  'commission_state',
  'hold_days',
  'hold_reason',
  'is_test',
  'request_id',
  'created_at',
] as const;

export type SaleRow = Record<(typeof SALE_COLUMNS)[number], unknown> & SaleDetailColumns & { id: number };

const COLUMNS = [...SALE_COLUMNS, ...SALE_DETAIL_COLUMNS].join(', ');
const INSERT_SALES = `
  insert into sales (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::sales, $1::json)`;

export async function insertSales(db: Queryable, rows: SaleRow[]): Promise<void> {
  if (rows.length > 0) await db.query(INSERT_SALES, [JSON.stringify(rows)]);
}

/** Adds refunds to sales that the transaction has locked; a negative amount restores. */
export async function updateRefunded(db: Queryable, refundedCents: Map<number, number>): Promise<void> {
  if (refundedCents.size === 0) return;
  const rows = [...refundedCents].map(([id, cents]) => ({ id, refunded_cents: cents }));
  await db.query(
    `update sales s set refunded_cents = s.refunded_cents + i.refunded_cents
     from json_to_recordset($1::json) as i(id bigint, refunded_cents bigint) where s.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** Marks a sale as a renewal, after an earlier payment of its subscription became known. */
export async function updateRecurring(db: Queryable, saleId: number): Promise<void> {
  await db.query('update sales set is_recurring = true where id = $1', [saleId]);
}

/** Marks the commission that a sale owed as created, by the rule that pays it. */
export async function updateCommissionCreated(
  db: Queryable,
  saleId: number,
  partnerId: number,
  paid: Pick<Reward, 'rule' | 'type' | 'rate' | 'base'> & { facts: StoredFacts },
): Promise<void> {
  await db.query(
    `update sales set commission_state = 'created', partner_id = $2, rule = $3, commission_type = $4, commission_rate = $5,
       commission_base = $6, terms_facts = $7::jsonb
     where id = $1`,
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
