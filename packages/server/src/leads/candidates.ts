import type { Customer } from '../customers/customer.ts';

/** A customer key is unique only within its program, and separately for test customers. */
export type ScopedKey = { programId: number; customerKey: string; isTest: boolean };

/** The customer who holds the key. */
export function holderOf(customers: Customer[], key: ScopedKey): Customer | null {
  const holder = customers.find((customer) => isInScope(customer, key) && customer.customerKey === key.customerKey);
  return holder ?? null;
}

/** The customers whose lead is still provisional and claims the key. */
export function claimantsOf(customers: Customer[], key: ScopedKey): Customer[] {
  return customers.filter(
    (customer) =>
      isInScope(customer, key) &&
      customer.claimedCustomerKey === key.customerKey &&
      customer.leadState === 'provisional',
  );
}

function isInScope(customer: Customer, key: ScopedKey): boolean {
  return customer.programId === key.programId && customer.isTest === key.isTest;
}
