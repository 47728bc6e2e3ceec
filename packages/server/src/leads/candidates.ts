import type { Customer } from '../customers/customer.ts';

/** A customer key means something only inside its program, and test customers have keys of their own. */
export type ScopedKey = { programId: number; customerKey: string; isTest: boolean };

/** Who of the customers holds the key. */
export function holderOf(customers: Customer[], key: ScopedKey): Customer | null {
  const holder = customers.find((customer) => isOf(customer, key) && customer.customerKey === key.customerKey);
  return holder ?? null;
}

/** Whose page was the last to claim the key, of those whose lead is still provisional. */
export function claimantOf(customers: Customer[], key: ScopedKey): Customer | null {
  const claimants = customers.filter(
    (customer) =>
      isOf(customer, key) && customer.claimedCustomerKey === key.customerKey && customer.leadState === 'provisional',
  );
  return claimants.reduce<Customer | null>((last, one) => (last && isClaimedLater(last, one) ? last : one), null);
}

function isOf(customer: Customer, key: ScopedKey): boolean {
  return customer.programId === key.programId && customer.isTest === key.isTest;
}

function isClaimedLater(one: Customer, other: Customer): boolean {
  const difference = (one.leadAt?.getTime() ?? 0) - (other.leadAt?.getTime() ?? 0);
  return difference === 0 ? one.id > other.id : difference > 0;
}
