import { centsOf, type Unit } from './money.ts';

/** What another tool says about a program, in one shape for all of them. Ids are those of the other tool. */
export type Reading = {
  partners: ReadPartner[];
  links: ReadLink[];
  coupons: ReadCoupon[];
  customers: ReadCustomer[];
  earnings: Earning[];
  leftOut: LeftOut[];
};

type ReadPartner = { id: string; email: string; name: string };

export type ReadLink = {
  partnerId: string;
  /** The parameter that names the partner in the address, such as `via`. */
  parameter: string;
  code: string;
  /** The address that partners have published, if the tool says so. */
  address?: string | undefined;
  /** Where it leads, if the address does not. */
  destination?: string | undefined;
};

type ReadCoupon = { partnerId: string; code: string };

export type ReadCustomer = {
  partnerId: string | null;
  id: string;
  processorId?: string | undefined;
  email?: string | undefined;
  firstSeenAt?: string | undefined;
};

export type EarningState = 'pending' | 'approved' | 'paid';

export type Earning = { partnerId: string | null; id: string; state: EarningState; currency: string; cents: number };

/** Something that is not taken over, and why. */
export type LeftOut = {
  kind: 'partner' | 'link' | 'coupon' | 'customer' | 'commission' | 'row';
  id: string;
  reason: string;
};

export const emptyReading = (): Reading => ({
  partners: [],
  links: [],
  coupons: [],
  customers: [],
  earnings: [],
  leftOut: [],
});

/** The id of a customer at Stripe, if this is one. */
export const stripeId = (id: string | null | undefined) => (id && /^cus_\w+$/.test(id) ? id : undefined);

type Commission = { id: string; partnerId: string | null; amount: number | string; currency: string; status: string };

/** Adds a commission as what it is worth in its state. One without a state is no money, and one with a bad amount is refused. */
export function addEarning(
  { earnings, leftOut }: Reading,
  { id, partnerId, amount, currency: code, status }: Commission,
  state: EarningState | undefined,
  unit: Unit = 'smallest',
): void {
  const currency = code.toUpperCase();
  const { cents, problem } = centsOf(amount, currency, unit);
  if (!state) leftOut.push({ kind: 'commission', id, reason: `it is ${status}, which is not money` });
  else if (problem !== null) leftOut.push({ kind: 'commission', id, reason: problem });
  else earnings.push({ partnerId, id, state, currency, cents });
}
