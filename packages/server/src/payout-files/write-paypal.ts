import { currencyExponent, formatDecimal } from '@svc/contract';
import { bankCsvLine, bankText, isEmail } from './bank-csv.ts';
import type { FileRun, ItemTo, Payer } from './payout-item.ts';

/** More rows than this need another file. */
export const PAYPAL_MAX_ROWS = 5_000;

const MAX_NOTE_CHARS = 400;
/** Currencies of which PayPal takes whole units only, although they have cents. JPY has none in the first place. */
const WHOLE_UNITS = new Set(['HUF', 'TWD']);

/** Why a payout cannot be in a PayPal file, as a sentence; null if it can. */
export function paypalProblem({ destination, amountCents, currency }: ItemTo<'paypal'>): string | null {
  if (!isEmail(destination.email)) return 'The PayPal address is not an email address. The partner has to correct it.';
  if (WHOLE_UNITS.has(currency) && amountCents % 100 !== 0) {
    return `PayPal pays ${currency} in whole units only. Add an adjustment that rounds the amount, or pay it another way.`;
  }
  return null;
}

/**
 * The CSV file of PayPal Payouts: no header, one currency. Amounts have the decimal sign of the payer's PayPal account, because
 * PayPal reads them in the language of the sender.
 */
export function writePaypal(items: ItemTo<'paypal'>[], payer: Payer, { programName }: FileRun): Uint8Array {
  const lines = items.map(({ destination, amountCents, currency, endToEndId, note }) =>
    bankCsvLine([
      destination.email,
      paypalAmount(amountCents, currency, payer.paypal_decimal ?? '.'),
      currency,
      endToEndId,
      [...bankText(note || programName)].slice(0, MAX_NOTE_CHARS).join(''),
      'PAYPAL',
      '',
    ]),
  );
  return new TextEncoder().encode(lines.join(''));
}

function paypalAmount(cents: number, currency: string, decimal: '.' | ','): string {
  if (WHOLE_UNITS.has(currency)) return String(cents / 100);
  return formatDecimal(cents, currencyExponent(currency)).replace('.', decimal);
}
