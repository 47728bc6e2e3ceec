import type { CustomerStatus } from '@svc/contract';

export type LeadSource = 'page' | 'server';

/** Someone who clicked a partner's link, or signed up without one. */
export type Customer = {
  id: number;
  programId: number;
  linkId: number | null;
  partnerId: number | null;
  membershipId: number | null;
  clickedAt: Date | null;
  customerKey: string | null;
  status: CustomerStatus;
  leadAt: Date | null;
  leadState: 'provisional' | 'settled' | null;
  /** Who vouches for the lead: the program's server (or its payment processor), or only a web page. */
  leadSource: LeadSource | null;
  claimedCustomerKey: string | null;
  convertedAt: Date | null;
  /** When the click was made that is credited, if that is not the one that the customer is known by. */
  creditedClickAt: Date | null;
  /** When a person or a coupon assigned the customer to the partner, who then needs no click. */
  assignedAt: Date | null;
  isTest: boolean;
};

/** Whether the customer belongs to a partner: through a link, a coupon or by hand. */
export function isAttributed(customer: Pick<Customer, 'linkId' | 'partnerId' | 'membershipId'>): boolean {
  return customer.linkId !== null || customer.partnerId !== null || customer.membershipId !== null;
}

/** Whether the customer is known only by a coupon, regardless of the current partner. */
export function isOfCoupon({ clickedAt, leadAt, assignedAt }: Customer): boolean {
  return clickedAt === null && leadAt === null && assignedAt !== null;
}

/** Clocks differ a little between systems: a click this much later may still have preceded the payment. */
export const CLOCK_SKEW_MS = 60_000;

/** Whether the customer clicked only after that time, regardless of the current partner. */
export function hasClickedAfter({ clickedAt }: Pick<Customer, 'clickedAt'>, at: Date): boolean {
  return clickedAt !== null && clickedAt.getTime() > at.getTime() + CLOCK_SKEW_MS;
}

/** When the customer signed up. A provisional signup, which only a web page claimed, does not count. */
export function signedUpAt(customer: Pick<Customer, 'leadAt' | 'leadState'>): Date | null {
  return customer.leadState === 'settled' ? customer.leadAt : null;
}

/** Whether it is still open which click of the customer is credited: they have neither signed up nor bought. */
export function isUndecided(customer: Customer): boolean {
  const { clickedAt, leadState, convertedAt, assignedAt, creditedClickAt, isTest } = customer;
  if (clickedAt === null || isTest || leadState === 'settled') return false;
  return convertedAt === null && assignedAt === null && creditedClickAt === null && isAttributed(customer);
}
