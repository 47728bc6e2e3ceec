import type { ReplyOf, trackLead } from '@svc/contract';

type CustomerCredit = Pick<ReplyOf<typeof trackLead>, 'customer_credit'>;

/** The field that tells the shop about a credit for its customer. Without one, the reply does not have it. */
export function creditField(credit: { cents: number; currency: string } | null): CustomerCredit {
  return credit ? { customer_credit: { amount_cents: credit.cents, currency: credit.currency } } : {};
}
