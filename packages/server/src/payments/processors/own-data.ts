import type { PayerEvidence } from '../processor-fact.ts';
import { customText } from './fields.ts';
import { metadataHint } from './metadata-hint.ts';
import { at, record } from './payload.ts';

type OwnData = Pick<PayerEvidence, 'programId' | 'clickId' | 'customerKey' | 'hint'> & {
  couponCode: string | undefined;
};

/** What the shop itself put on a checkout, in the first of the sources that has it. */
export function readOwnData(sources: unknown[], processorsWord: string): OwnData {
  const first = (name: string) => sources.map((source) => customText(at(source, name))).find(Boolean);
  return {
    programId: first('program_id'),
    clickId: first('svc_click_id'),
    customerKey: first('svc_customer_key'),
    couponCode: first('svc_coupon_code'),
    hint: metadataHint(sources.map(record), processorsWord),
  };
}
