import type { PayerEvidence } from '../../processor-fact.ts';
import { customText, emailText } from '../fields.ts';
import { readOwnData } from '../own-data.ts';
import { at, present } from '../payload.ts';

type Ids = { customer: string | null; subscription: string | null };

/**
 * What an object of Polar says about the customer. A checkout link keeps its `reference_id` in the metadata, and the customer's
 * external id is what the shop calls them.
 */
export function payerEvidence(
  metadata: unknown[],
  customer: unknown,
  { customer: id, subscription }: Ids,
): PayerEvidence {
  const { programId, clickId, customerKey, hint } = readOwnData(metadata, 'metadata');
  const linkReference = metadata.map((source) => customText(at(source, 'reference_id'))).find(Boolean);
  return {
    programId,
    clickId,
    customerKey,
    clientReference: linkReference ?? customText(at(customer, 'external_id')),
    references: present([id && `customer:${id}`, subscription && `subscription:${subscription}`]),
    email: emailText(at(customer, 'email')),
    hint,
  };
}
