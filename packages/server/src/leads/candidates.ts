import type { Customer } from '../customers/customer.ts';

/** A customer key is unique only within its program, and separately for test customers. */
export type ScopedKey = { programId: number; customerKey: string; isTest: boolean };

/** The customer who holds the key. */
export function holderOf(customers: Customer[], key: ScopedKey): Customer | null {
  const holder = customers.find((customer) => isInScope(customer, key) && customer.customerKey === key.customerKey);
  return holder ?? null;
}

/** The customer with the latest claim to the key, among those whose lead is still provisional. */
export function claimantOf(customers: Customer[], key: ScopedKey): Customer | null {
  const claimants = customers.filter(
    (customer) =>
      isInScope(customer, key) &&
      customer.claimedCustomerKey === key.customerKey &&
      customer.leadState === 'provisional',
  );
  return claimants.reduce<Customer | null>(
    (latest, candidate) => (latest && isClaimedLater(latest, candidate) ? latest : candidate),
    null,
  );
}

function isInScope(customer: Customer, key: ScopedKey): boolean {
  return customer.programId === key.programId && customer.isTest === key.isTest;
}

function isClaimedLater(a: Customer, b: Customer): boolean {
  const difference = (a.leadAt?.getTime() ?? 0) - (b.leadAt?.getTime() ?? 0);
  return difference === 0 ? a.id > b.id : difference > 0;
}
