import type { PayerEvidence } from '../../processor-fact.ts';
import { emailText } from '../fields.ts';
import { readOwnData } from '../own-data.ts';
import { at, present, record } from '../payload.ts';
import { nameOf } from './ids.ts';

/** An object of Lemon Squeezy with the custom data of the checkout that it comes from. */
export type LemonObject = { id: unknown; attributes: Record<string, unknown>; customData: unknown };

export function objectOf(payload: unknown): LemonObject | null {
  const data = at(payload, 'data');
  const attributes = record(at(data, 'attributes'));
  if (attributes === null) return null;
  return { id: at(data, 'id'), attributes, customData: at(at(payload, 'meta'), 'custom_data') };
}

export function payerEvidence({ attributes, customData }: LemonObject, subscription: string | null): PayerEvidence {
  const { programId, clickId, customerKey, hint } = readOwnData([customData], 'custom data');
  return {
    programId,
    clickId,
    customerKey,
    clientReference: undefined,
    references: present([nameOf('customer', attributes.customer_id), subscription]),
    email: emailText(attributes.user_email),
    hint,
  };
}

/** The shop's own word for the coupon. Discounts are not named in events. */
export function couponsOf({ customData }: LemonObject): { couponCodes?: string[] } {
  const { couponCode } = readOwnData([customData], 'custom data');
  return couponCode === undefined ? {} : { couponCodes: [couponCode] };
}
