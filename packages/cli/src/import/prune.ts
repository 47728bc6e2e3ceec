import { importedPartner } from '@svc/contract';
import type { LeftOut } from './reading.ts';
import type { Row } from './row.ts';

/** What the service refuses of a row it refuses with the whole row. This leaves out the parts that do not fit, and says so. */
export function prune(row: Row, leftOut: LeftOut[]): Row[] {
  const { email } = row.partner;
  const issues = importedPartner.safeParse(row).error?.issues ?? [];
  const drop = { links: new Map(), coupons: new Map(), customers: new Map(), balances: new Map() } as Record<
    Part,
    Map<number, string>
  >;
  for (const { path, message } of issues) {
    const [part, index, field] = path as [keyof Row, number?, string?];
    if (part === 'partner' || index === undefined) {
      leftOut.push({ kind: 'partner', id: email, reason: message });
      return [];
    }
    const customer = part === 'customers' ? row.customers[index] : undefined;
    // A payment can be matched without them.
    if (customer && field && OPTIONAL.includes(field)) delete customer[field as 'email'];
    else drop[part].set(index, message);
  }
  for (const [index, reason] of drop.links) leftOut.push({ kind: 'link', id: row.links[index]?.code ?? '', reason });
  for (const [index, reason] of drop.coupons) leftOut.push({ kind: 'coupon', id: row.coupons[index] ?? '', reason });
  for (const [index, reason] of drop.customers) {
    leftOut.push({ kind: 'customer', id: row.customers[index]?.external_id ?? '', reason });
  }
  for (const [, reason] of drop.balances) leftOut.push({ kind: 'commission', id: email, reason });
  const kept = <Item>(part: Part, items: Item[]) => items.filter((_, index) => !drop[part].has(index));
  return [
    {
      partner: row.partner,
      links: kept('links', row.links),
      coupons: kept('coupons', row.coupons),
      customers: kept('customers', row.customers),
      balances: kept('balances', row.balances),
    },
  ];
}

type Part = Exclude<keyof Row, 'partner'>;

const OPTIONAL = ['email', 'first_seen_at'];
