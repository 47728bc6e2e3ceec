import type { Queryable } from '../db/db.ts';
import { columnValues, rowsOfColumns } from '../db/row-columns.ts';

export type TransactionClaim = { transactionId: string; programId: number; isTest: boolean };

/** The id in its scope: those of real sales are unique across all programs, those of test sales within their program. */
export function claimKey({ transactionId, programId, isTest }: TransactionClaim): string {
  return `${isTest ? programId : 0} ${transactionId}`;
}

const CLAIMS = { processor_event_id: 'text', program_id: 'bigint', test_program_id: 'bigint' } as const;

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
     from (select ${rowsOfColumns(CLAIMS)}) claimed order by processor_event_id collate "C", test_program_id
     on conflict do nothing
     returning processor_event_id as "transactionId", program_id as "programId", test_program_id <> 0 as "isTest",
       sale_id as "saleId"`,
    columnValues(CLAIMS, input),
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

/** Frees the ids of a real sale that was taken back: its own, and those of its payments or invoices. */
export async function deleteTransactions(
  db: Queryable,
  programId: number,
  transactionId: string,
  saleId: number,
): Promise<void> {
  await db.query(
    `delete from transactions where sale_id = $3 and test_program_id = 0 and processor_event_id = any (array(
       select $2::text
       union select reference from processor_payment_links where program_id = $1 and transaction_id = $2
       union select transaction_id from processor_payment_links where program_id = $1 and reference = $2))`,
    [programId, transactionId, saleId],
  );
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

/** Lets an id stand for another sale. False if it no longer stands for `fromSaleId`. */
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
