import { type Customer, hasClickedAfter, signedUpAt } from '../customers/customer.ts';

const DAY_MS = 86_400_000;

export type WindowFacts = { clickedAt: Date; signedUpAt: Date | null; paidAt: Date; windowDays: number };

/** A click counts if it is at most `windowDays` older than the signup, or than the payment if there was no signup by then. */
export function isWithinWindow(facts: WindowFacts): boolean {
  return clickAgeMs(facts) <= facts.windowDays * DAY_MS;
}

/** The click age compared with the window, rounded up to hundredths so that an expired one never looks valid. */
export function clickAgeDays(facts: WindowFacts): number {
  return Math.ceil((clickAgeMs(facts) / DAY_MS) * 100) / 100;
}

function clickAgeMs({ clickedAt, signedUpAt, paidAt }: WindowFacts): number {
  const endsAt = signedUpAt && signedUpAt < paidAt ? signedUpAt : paidAt;
  return endsAt.getTime() - clickedAt.getTime();
}

/** A customer who was assigned to their partner needs no click. */
const hasToClick = ({ assignedAt }: Customer) => assignedAt === null;

/** Whether the customer clicked only after the payment. */
export function isClickAfter(customer: Customer, paidAt: Date): boolean {
  return hasToClick(customer) && hasClickedAfter(customer, paidAt);
}

/** What the window is measured on: the click that is credited. Null for customers without a click. */
export function windowOf(customer: Customer, windowDays: number, paidAt: Date): WindowFacts | null {
  const clickedAt = customer.creditedClickAt ?? customer.clickedAt;
  return clickedAt && { clickedAt, signedUpAt: signedUpAt(customer), paidAt, windowDays };
}

/** Whether the click is too old to count. The window no longer applies to what a customer pays after their first purchase. */
export function isWindowExpired(
  customer: Customer,
  windowDays: number,
  sale: { paidAt?: Date },
  paidAt: Date,
): boolean {
  const window = windowOf(customer, windowDays, paidAt);
  return window !== null && !hadBought(customer, sale) && hasToClick(customer) && !isWithinWindow(window);
}

/** Whether the customer had bought by then. A purchase that was made later, but reported first, says nothing about an earlier one. */
function hadBought({ convertedAt }: Customer, { paidAt }: { paidAt?: Date }): boolean {
  return convertedAt !== null && (paidAt === undefined || convertedAt <= paidAt);
}

/** Whether the customer's partner had a claim to the payment when it was made. */
export function hasLiveClaim(
  customer: Customer,
  { attributionWindowDays }: { attributionWindowDays: number },
  sale: { paidAt?: Date },
  paidAt: Date,
): boolean {
  const { assignedAt } = customer;
  if (sale.paidAt && (isClickAfter(customer, sale.paidAt) || (assignedAt && assignedAt > sale.paidAt))) return false;
  return !isWindowExpired(customer, attributionWindowDays, sale, paidAt);
}
