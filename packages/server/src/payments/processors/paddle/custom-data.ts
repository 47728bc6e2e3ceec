import type { PayerEvidence } from '../../processor-fact.ts';
import { metadataHint } from '../metadata-hint.ts';
import { at, present, record } from '../payload.ts';
import { customText, emailText } from './fields.ts';

/** What an object of Paddle says about the customer. */
export function payerEvidence(object: Record<string, unknown>, ids: (string | null)[]): PayerEvidence {
  const custom = (name: string) => customText(at(object.custom_data, name));
  return {
    programId: custom('program_id'),
    clickId: custom('svc_click_id'),
    customerKey: custom('svc_customer_key'),
    clientReference: undefined,
    references: present(ids),
    email: emailText(object.email),
    hint: metadataHint([record(object.custom_data)], 'custom data'),
  };
}
