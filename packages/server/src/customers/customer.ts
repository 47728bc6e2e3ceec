import type { CustomerStatus } from '@svc/contract';

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
  claimedCustomerKey: string | null;
  convertedAt: Date | null;
};

/** The select list of a customer, from a table alias. */
export const customerColumns = (alias: string) => `${alias}.id, ${alias}.program_id as "programId",
  ${alias}.link_id as "linkId", ${alias}.partner_id as "partnerId", ${alias}.membership_id as "membershipId",
  ${alias}.clicked_at as "clickedAt", ${alias}.customer_key as "customerKey", ${alias}.status,
  ${alias}.lead_at as "leadAt", ${alias}.lead_state as "leadState",
  ${alias}.claimed_customer_key as "claimedCustomerKey", ${alias}.converted_at as "convertedAt"`;

/** Whether a partner's click stands behind the customer. */
export function isAttributed(customer: Pick<Customer, 'linkId' | 'partnerId' | 'membershipId'>): boolean {
  return customer.linkId !== null || customer.partnerId !== null || customer.membershipId !== null;
}

/** When the customer signed up, as far as it is certain: what only a web page claimed does not count. */
export function signedUpAt(customer: Pick<Customer, 'leadAt' | 'leadState'>): Date | null {
  return customer.leadState === 'settled' ? customer.leadAt : null;
}
