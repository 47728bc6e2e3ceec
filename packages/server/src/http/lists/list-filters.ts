import type { manageCommissions, manageCustomers, managePayouts, manageSales } from '@svc/contract';
import type { z } from 'zod';
import { parseClickId } from '../../../clicks/click-id.ts';
import { hashEmail } from '../../../customers/email.ts';
import type { PayoutFilter } from '../../../payouts/payout-store.ts';
import type { CommissionFilter } from '../../../reporting/lists/commission-list-store.ts';
import type { CustomerFilter } from '../../../reporting/lists/customer-list-store.ts';
import type { SaleFilter } from '../../../reporting/lists/sale-list-store.ts';
import type { SaleSearch } from '../../../reporting/lists/sale-search-store.ts';
import type { ProgramAccess } from '../../callers/program-access.ts';

/** The filters of a list without its page, so that the list, its export and bulk actions share them. */
type QueryOf<Route extends { query: z.ZodType }> = Omit<
  z.infer<Route['query']>,
  'limit' | 'cursor' | 'sort' | 'totals'
>;

/** Partners always get their own rows; others can ask for those of one partner. */
const partnerIn = ({ partnerId }: ProgramAccess, query: { partner_id?: number }) =>
  partnerId ?? query.partner_id ?? null;

export function saleFilter(access: ProgramAccess, query: QueryOf<typeof manageSales>, emailSecret: string): SaleFilter {
  return {
    partnerId: partnerIn(access, query),
    customerKey: query.customer_key,
    transactionId: query.transaction_id,
    ...(query.q !== undefined && { search: searchByKey(access.role, query.q, emailSecret) }),
    from: query.from,
    to: query.to,
  };
}

export function commissionFilter(
  access: ProgramAccess,
  query: QueryOf<typeof manageCommissions>,
  emailSecret: string,
): CommissionFilter {
  return {
    kind: query.kind,
    status: query.status,
    stage: query.stage,
    partnerId: partnerIn(access, query),
    transactionId: query.transaction_id,
    ...(query.q !== undefined && { search: searchByKey(access.role, query.q, emailSecret) }),
    from: query.from,
    to: query.to,
  };
}

export function payoutFilter(access: ProgramAccess, query: QueryOf<typeof managePayouts>): PayoutFilter {
  return {
    status: query.status,
    partnerId: partnerIn(access, query),
    search: query.q,
    from: query.from,
    to: query.to,
  };
}

export function customerFilter(
  access: ProgramAccess,
  query: QueryOf<typeof manageCustomers>,
  emailSecret: string,
): CustomerFilter {
  return {
    status: query.status,
    partnerId: partnerIn(access, query),
    customerKey: query.customer_key,
    withoutEmailKeys: access.role === 'partner' && query.customer_key !== undefined,
    ...(query.q !== undefined && searchFor(access, query.q, emailSecret)),
    from: query.from,
    to: query.to,
  };
}

/**
 * A click id, an e-mail or the start of a key. Partners cannot search by e-mail, nor by keys that are one: they could test
 * who signed up.
 */
function searchFor({ role }: ProgramAccess, q: string, emailSecret: string): Partial<CustomerFilter> {
  const click = parseClickId(q);
  if (click) return { click };
  const { prefix: keyPrefix, ...search } = searchByKey(role, q, emailSecret);
  return { keyPrefix, ...search };
}

/** The start of a transaction id or of a key, or an e-mail, with the same limits. */
function searchByKey(role: ProgramAccess['role'], q: string, emailSecret: string): SaleSearch {
  const isPartner = role === 'partner';
  return {
    prefix: q,
    ...(isPartner && { withoutEmailKeys: true }),
    ...(!isPartner && q.includes('@') && { emailHash: hashEmail(q, emailSecret) }),
  };
}
