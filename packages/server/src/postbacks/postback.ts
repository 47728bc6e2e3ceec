import {
  type CommissionRow,
  currencyExponent,
  formatDecimal,
  MAX_IDENTIFIER_CHARS,
  POSTBACK_EVENTS,
  type PostbackEvent,
  type PostbackValues,
} from '@svc/contract';
import { formatClickId } from '../customers/click-id.ts';

/** What is known about the visit behind a commission, as far as it is the partner's. */
export type Visit = {
  /** The customer's click, while the customer is the partner's. */
  clickedAt: Date | null;
  /** The landing page of a click on one of the partner's links. */
  affiliateUrl: string | null;
  /** The sub-id of the same click. */
  sub: string | null;
  couponCode: string | null;
};

/** What happened to a commission, if partners are told about events of the type. */
export function postbackEventOf(type: string): PostbackEvent | null {
  return POSTBACK_EVENTS.find((event) => type === `commission.${event}`) ?? null;
}

/**
 * What a postback says about a commission: what the partner's own lists show. An override is about a customer of another partner,
 * of whom it says nothing. The sale's amount is left out if it is in another currency than the commission.
 */
export function postbackValues(
  event: PostbackEvent,
  commission: CommissionRow,
  happenedAt: string,
  { clickedAt, affiliateUrl, sub, couponCode }: Visit,
): PostbackValues {
  const { customer_id: customerId, sale_cents: saleCents, currency } = commission;
  const decimal = (cents: number) => formatDecimal(cents, currencyExponent(currency));
  const isOwnCustomer = commission.kind !== 'override';
  return {
    click_id: isOwnCustomer && customerId && clickedAt ? formatClickId({ customerId, clickedAt }) : '',
    sub: (isOwnCustomer && sub) || '',
    sub_id: isOwnCustomer && affiliateUrl ? subIdIn(affiliateUrl) : '',
    transaction_id: commission.transaction_id ?? '',
    amount: saleCents !== null && commission.sale_currency === currency ? decimal(saleCents) : '',
    commission: decimal(commission.commission_cents - commission.deducted_cents),
    currency,
    status: commission.status,
    event,
    coupon: (isOwnCustomer && couponCode) || '',
    happened_at: happenedAt,
  };
}

function subIdIn(url: string): string {
  const subId = URL.canParse(url) ? new URL(url).searchParams.get('sub_id') : null;
  return (subId ?? '').slice(0, MAX_IDENTIFIER_CHARS).toWellFormed();
}
