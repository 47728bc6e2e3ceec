import { type Condition, prefixBounds } from '../../db/list-query.ts';

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
  const customers = (condition: string) =>
    `select b.id from customers c join sales b on b.customer_id = c.id where c.program_id = ? and ${condition}`;
  const withoutEmails = search.withoutEmailKeys ? ` and position('@' in c.customer_key) = 0` : '';
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
    [customers(`c.customer_key >= ? and c.customer_key < ?${withoutEmails}`), programId, ...bounds],
    ...(search.emailHash ? [[customers('c.email_hash = ?'), programId, search.emailHash] as Condition] : []),
  ];
  const sql = parts.map(([part]) => part).join(' union all ');
  return [`${saleId} = any (array(${sql}))`, ...parts.flatMap(([, ...values]) => values)];
}
