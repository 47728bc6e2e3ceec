import { maskEmail } from '@svc/contract';
import { formatClickId } from '../customers/click-id.ts';
import { hashEmail } from '../customers/email.ts';
import type { CustomerIdentity } from '../customers/erased-customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { listIdentityReferences } from '../payments/events/erased-event-store.ts';
import type { Identifiers } from './redact.ts';

/** Everything by which a customer is known. */
export type Person = Identifiers & {
  customerIds: number[];
  keys: string[];
  clickIds: string[];
  emailHashes: string[];
  /** Their addresses as events and lists show them. */
  maskedAddresses: string[];
  /** When the service heard of the person for the first time. */
  knownSince: Date;
  /** The processor's ids of the person, their subscriptions and their payments. */
  references: string[];
};

/** A customer at a payment processor. The other references are order numbers, which stay. */
const PROCESSOR_CUSTOMER =
  /^(?:(?:paddle:|lemonsqueezy:)?(?=(?:cus|ctm|ls_customer)_)|(?:polar|custom):customer:)(.+)$/;

export async function identifyPerson(
  db: Queryable,
  identities: CustomerIdentity[],
  emailSecret: string,
): Promise<Person> {
  const customerIds = identities.map(({ id }) => id);
  const keys = present(identities.flatMap(({ customerKey, claimedCustomerKey }) => [customerKey, claimedCustomerKey]));
  const clickIds = identities.flatMap(({ id, clickedAt }) =>
    clickedAt ? [formatClickId({ customerId: id, clickedAt })] : [],
  );
  const references = await listIdentityReferences(db, customerIds);
  const processorIds = present(references.map((reference) => PROCESSOR_CUSTOMER.exec(reference)?.[1] ?? null));
  const hashOf = (address: string) => hashEmail(address, emailSecret);
  // Some shops use the address as the key.
  const addresses = keys.filter((key) => key.includes('@'));
  const emailHashes = present([...identities.map(({ emailHash }) => emailHash), ...addresses.map(hashOf)]);
  return {
    customerIds,
    knownSince: identities[0]?.createdAt ?? new Date(0),
    keys,
    clickIds,
    emailHashes,
    maskedAddresses: present([...identities.map(({ emailMasked }) => emailMasked), ...addresses.map(maskEmail)]),
    references,
    words: [...keys, ...clickIds, ...processorIds],
    ownsAddress: (address) => emailHashes.includes(hashOf(address)),
  };
}

function present(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}
