import {
  manageCommissions,
  manageCoupons,
  manageCustomers,
  manageLinks,
  manageOpeningBalances,
  managePartners,
  managePayouts,
  manageSales,
} from '@svc/contract';

/** Counts that the service derives from the other files. */
const DERIVED = ['numbers', 'last_30_days'];

/** The lists that an export writes, in this order, and what to ask for; some take more than one question. */
export const EXPORTED = {
  partners: { route: managePartners, queries: [{}] },
  links: { route: manageLinks, queries: [{}, { deleted: 'true' }] },
  coupons: { route: manageCoupons, queries: [{}] },
  customers: { route: manageCustomers, queries: [{}] },
  sales: { route: manageSales, queries: [{}] },
  commissions: { route: manageCommissions, queries: [{}] },
  payouts: { route: managePayouts, queries: [{}] },
  'opening-balances': { route: manageOpeningBalances, queries: [{}] },
} as const;

export type ExportedName = keyof typeof EXPORTED;
export const EXPORTED_NAMES = Object.keys(EXPORTED) as ExportedName[];

/** The columns of a list’s file: the fields of its rows, as the contract has them. */
export function fieldsOf(name: ExportedName): string[] {
  const { data } = EXPORTED[name].route.reply.shape;
  return Object.keys(data.element.shape).filter((field) => !DERIVED.includes(field));
}
