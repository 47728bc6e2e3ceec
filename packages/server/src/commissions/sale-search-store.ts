import { type Condition, prefixBounds } from '../db/lists/list-query.ts';

/** What to find sales by: the start of one of their ids or of their customer's key, or the customer's e-mail. */
export type SaleSearch = {
  prefix: string;
  emailHash?: string;
  /** Leaves out customers whose key is an e-mail address. */
  withoutEmailKeys?: boolean;
};

/**
 * The condition on a column with the id of a sale. A payment can be known by several ids, and rows of earlier releases by
 * one that only the sale has. Each part has its own index, which one condition with `or` would not use.
 */
export function saleSearchCondition(saleId: string, programId: number, search: SaleSearch | undefined): Condition {
  if (!search) return ['', undefined];
  const bounds = prefixBounds(search.prefix);
  const parts: Condition[] = [
    [
      'select b.id from sales b where b.program_id = ? and b.processor_event_id >= ? and b.processor_event_id < ?',
      programId,
      ...bounds,
    ],
    [
      'select t.sale_id from transactions t where t.program_id = ? and t.processor_event_id >= ? and t.processor_event_id < ?',
      programId,
      ...bounds,
    ],
    ...customersFound('b.id from customers c join sales b on b.customer_id = c.id', programId, search),
  ];
  return anyOf(saleId, parts);
}

/** The condition on a column with the id of a sale that the payment with this id is it, whichever of its ids that is. */
export function saleOfTransaction(saleId: string, programId: number, transactionId: string | undefined): Condition {
  const parts: Condition[] = [
    ['select b.id from sales b where b.program_id = ? and b.processor_event_id = ?', programId, transactionId],
    [
      'select t.sale_id from transactions t where t.program_id = ? and t.processor_event_id = ?',
      programId,
      transactionId,
    ],
  ];
  return anyOf(saleId, parts);
}

/** Finds a commission `m`. Those for leads have no sale and are found by their customer. */
export function commissionSearchCondition(programId: number, search: SaleSearch | undefined): Condition {
  if (!search) return ['', undefined];
  const [bySale, ...saleValues] = saleSearchCondition('m.sale_id', programId, search);
  const [byLead, ...leadValues] = anyOf('m.customer_id', customersFound('c.id from customers c', programId, search));
  return [`(${bySale} or ${byLead})`, ...saleValues, ...leadValues];
}

/** Selects something about the customers with such a key or e-mail. */
function customersFound(what: string, programId: number, search: SaleSearch): Condition[] {
  const withoutEmails = search.withoutEmailKeys ? ` and position('@' in c.customer_key) = 0` : '';
  const where = (condition: string) => `select ${what} where c.program_id = ? and ${condition}`;
  return [
    [where(`c.customer_key >= ? and c.customer_key < ?${withoutEmails}`), programId, ...prefixBounds(search.prefix)],
    ...(search.emailHash ? [[where('c.email_hash = ?'), programId, search.emailHash] as Condition] : []),
  ];
}

function anyOf(column: string, parts: Condition[]): Condition {
  const sql = parts.map(([part]) => part).join(' union all ');
  return [`${column} = any (array(${sql}))`, ...parts.flatMap(([, ...values]) => values)];
}
