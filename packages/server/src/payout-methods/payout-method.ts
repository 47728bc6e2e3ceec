import { isDeepStrictEqual } from 'node:util';
import { type HolderKind, maskEmail, PAYOUT_METHOD_WAIT_HOURS } from '@svc/contract';
import type { Encryption } from '../encryption.ts';
import { HOUR_MS } from '../time.ts';
import type { StoredMethod } from './payout-method-store.ts';

/** Where the money goes, as it is sealed. */
export type PayoutDetails =
  | { kind: 'paypal' | 'wise'; email: string }
  | { kind: 'iban'; iban: string; bic: string | null }
  | { kind: 'us_bank'; routingNumber: string; accountNumber: string; accountType: 'checking' | 'savings' }
  | { kind: 'other'; text: string };

/** A method as a person enters it. Only texts from before methods existed have no country. */
export type NewPayoutMethod = {
  details: PayoutDetails;
  holderName: string;
  holderKind: HolderKind;
  country: string | null;
};

export function sealDetails(encryption: Encryption, details: PayoutDetails): string {
  return encryption.seal(JSON.stringify(details));
}

export function openDetails(encryption: Encryption, sealed: string): PayoutDetails {
  return JSON.parse(encryption.open(sealed));
}

/** Enough of a method for its owner to recognize it, and too little to pay to. */
export function maskedDetails(details: PayoutDetails): string {
  switch (details.kind) {
    case 'paypal':
    case 'wise':
      return maskEmail(details.email);
    case 'iban':
      return `${details.iban.slice(0, 2)}${maskEnd(details.iban)}`;
    case 'us_bank':
      return maskEnd(details.accountNumber, 8);
    case 'other':
      return maskEnd(details.text);
  }
}

/** Of short texts, the end would be too much. */
function maskEnd(text: string, minChars = 13): string {
  return `****${text.length >= minChars ? text.slice(-4) : ''}`;
}

/** Whether both pay the same person in the same place. */
export function isSameMethod(one: NewPayoutMethod, other: NewPayoutMethod): boolean {
  return isDeepStrictEqual(one, other);
}

/**
 * From when on payouts may use a method. A thief who gets into an account changes where the money goes: its owner has until then
 * to notice. Where there was nothing to change, nobody waits.
 */
export function usableFrom(isFirst: boolean, now: Date): Date {
  return isFirst ? now : new Date(now.getTime() + PAYOUT_METHOD_WAIT_HOURS * HOUR_MS);
}

/** Where the money goes, which is not always where its holder lives. An IBAN shows its country even when it is masked. */
export function countryOfAccount({ kind, masked, country }: Pick<StoredMethod, 'kind' | 'masked' | 'country'>): string {
  return kind === 'iban' ? masked.slice(0, 2) : (country ?? '');
}
