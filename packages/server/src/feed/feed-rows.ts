import { FEED_ROWS, type FeedSubject } from '@svc/contract';
import { ALERT_ROWS } from '../alerts/alert-store.ts';
import { COMMISSION_ROWS } from '../commissions/commission-list-store.ts';
import { CREDIT_ROWS } from '../customers/credit-store.ts';
import { CUSTOMER_ROWS } from '../customers/customer-list-store.ts';
import type { FeedRows } from '../outbox/outbox-store.ts';
import { LINK_ROWS } from '../partners/links/link-list-store.ts';
import { PARTNER_ROWS } from '../partners/partner-list-store.ts';
import { PAYOUT_ROWS } from '../payouts/payout-list-store.ts';
import { TERMS_ROWS } from '../programs/program-terms-store.ts';
import { SALE_ROWS } from '../sales/sale-list-store.ts';

const ROWS: Record<FeedSubject, FeedRows> = {
  customer: CUSTOMER_ROWS,
  sale: SALE_ROWS,
  commission: COMMISSION_ROWS,
  payout: PAYOUT_ROWS,
  partner: PARTNER_ROWS,
  link: LINK_ROWS,
  credit: CREDIT_ROWS,
  terms: TERMS_ROWS,
  alert: ALERT_ROWS,
};

type RowOf = (facts: Record<string, unknown>) => object;

/** How the row of each subject is made from what was read when its event was written. */
export const FEED_ROW_OF = Object.fromEntries(
  Object.values(ROWS).map(({ subject, source }) => [
    subject,
    (facts) => shown(subject, source.rowOfJson(facts) as object),
  ]),
) as Record<FeedSubject, RowOf>;

/** Lists can have fields that do not leave the service. */
function shown(subject: FeedSubject, row: object): object {
  const { shape } = FEED_ROWS[subject];
  return Object.fromEntries(Object.entries(row).filter(([field]) => field in shape));
}
