// The columns that the API can sort by. The contract has these names too, but importing them would put its schemas into the first
// page’s bundle.
export const COMMISSION_SORTS = ['created_at', 'commission_cents', 'sale_cents', 'partner_name'] as const;
export const SALE_SORTS = ['created_at', 'amount_cents', 'refunded_cents', 'partner_name'] as const;
export const CUSTOMER_SORTS = ['created_at', 'partner_name'] as const;
export const PAYOUT_SORTS = ['created_at', 'amount_cents', 'partner_name'] as const;
export const BALANCE_SORTS = ['partner_name', 'payable_cents', 'pending_cents'] as const;

const NUMBERS = ['clicks', 'leads', 'sales', 'revenue_cents', 'commission_cents'] as const;
export const PARTNER_SORTS = ['created_at', 'name', ...NUMBERS, 'payable_cents'] as const;
export const LINK_SORTS = ['created_at', 'short_link', 'partner_name', ...NUMBERS] as const;
