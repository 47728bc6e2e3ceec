import type { manageCommissions, manageCustomers, managePayouts, manageSales } from '@svc/contract';
import type { z } from 'zod';
import { parseClickId } from '../../clicks/click-id.ts';
import { hashEmail } from '../../customers/email.ts';
import type { PayoutFilter } from '../../payouts/payout-store.ts';
import type { CommissionFilter } from '../../reporting/commission-list-store.ts';
import type { CustomerFilter } from '../../reporting/customer-list-store.ts';
import type { SaleFilter } from '../../reporting/sale-list-store.ts';
import type { ProgramAccess } from '../callers/program-access.ts';

/** The filters of a list, without its page: a list and its export take the same. */
type FiltersOf<Filter> = Omit<Filter, 'before' | 'beforeId' | 'limit'>;
type Asked<Route extends { query: z.ZodType }> = Omit<z.infer<Route['query']>, 'limit' | 'cursor'>;

/** Whose rows are meant: a partner's own whatever they ask for, otherwise those of the one who was named. */
const partnerIn = ({ partnerId }: ProgramAccess, asked: { partner_id?: number }) =>
  partnerId ?? asked.partner_id ?? null;

export function saleFilter(access: ProgramAccess, asked: Asked<typeof manageSales>): FiltersOf<SaleFilter> {
  return {
    partnerId: partnerIn(access, asked),
    customerKey: asked.customer_key,
    transactionId: asked.transaction_id,
    transactionPrefix: asked.q,
    from: asked.from,
    to: asked.to,
  };
}

export function commissionFilter(
  access: ProgramAccess,
  asked: Asked<typeof manageCommissions>,
): FiltersOf<CommissionFilter> {
  return {
    status: asked.status,
    stage: asked.stage,
    partnerId: partnerIn(access, asked),
    transactionId: asked.transaction_id,
    transactionPrefix: asked.q,
    from: asked.from,
    to: asked.to,
  };
}

export function payoutFilter(access: ProgramAccess, asked: Asked<typeof managePayouts>): FiltersOf<PayoutFilter> {
  return { status: asked.status, partnerId: partnerIn(access, asked) };
}

export function customerFilter(
  access: ProgramAccess,
  asked: Asked<typeof manageCustomers>,
  emailSecret: string,
): FiltersOf<CustomerFilter> {
  return {
    status: asked.status,
    partnerId: partnerIn(access, asked),
    customerKey: asked.customer_key,
    ...(asked.q !== undefined && searchFor(access, asked.q, emailSecret)),
    from: asked.from,
    to: asked.to,
  };
}

/** A click id, an e-mail or the beginning of a key. Partners cannot try out whose e-mails signed up. */
function searchFor({ role }: ProgramAccess, q: string, emailSecret: string): Partial<CustomerFilter> {
  const click = parseClickId(q);
  if (click) return { click };
  const isEmail = q.includes('@') && role !== 'partner';
  return { keyPrefix: q, ...(isEmail && { emailHash: hashEmail(q, emailSecret) }) };
}
