/** The orders of a list: each field in ascending order and, after a minus, in descending order. */
function ordersOf<const Name extends string>(names: readonly Name[]): (Name | `-${Name}`)[] {
  return [...names, ...names.map((name) => `-${name}` as const)];
}

// The contract has these names too, but importing them would put its schemas into the first page’s bundle.
export const COMMISSION_ORDERS = ordersOf(['created_at', 'commission_cents', 'sale_cents', 'partner_name']);
export const SALE_ORDERS = ordersOf(['created_at', 'amount_cents', 'refunded_cents', 'partner_name']);
export const CUSTOMER_ORDERS = ordersOf(['created_at', 'partner_name']);
export const PAYOUT_ORDERS = ordersOf(['created_at', 'amount_cents', 'partner_name']);
export const BALANCE_ORDERS = ordersOf(['partner_name', 'payable_cents', 'pending_cents']);
