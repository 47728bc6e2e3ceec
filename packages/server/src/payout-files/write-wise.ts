import { currencyExponent, formatDecimal } from '@svc/contract';
import { bankCsvLine, bankText, isEmail } from './bank-csv.ts';
import type { ItemTo } from './payout-item.ts';

/** More rows than this need another file. */
export const WISE_MAX_ROWS = 1_000;

/**
 * The columns of Wise's template for payments by email. The partner gets the exact amount (`target`), from the payer's balance in the
 * same currency. Some countries cut references off after a few characters, so ours is the id alone.
 */
const COLUMNS: { name: string; cell: (item: ItemTo<'wise'>) => string }[] = [
  { name: 'name', cell: ({ holderName }) => bankText(holderName) },
  { name: 'recipientEmail', cell: ({ destination }) => destination.email },
  { name: 'paymentReference', cell: ({ endToEndId }) => endToEndId },
  { name: 'receiverType', cell: ({ holderKind }) => (holderKind === 'company' ? 'BUSINESS' : 'PRIVATE') },
  { name: 'amountCurrency', cell: () => 'target' },
  {
    name: 'amount',
    cell: ({ amountCents, currency }) => formatDecimal(amountCents, currencyExponent(currency)),
  },
  { name: 'sourceCurrency', cell: ({ currency }) => currency },
  { name: 'targetCurrency', cell: ({ currency }) => currency },
];

/** Why a payout cannot be in a Wise file, as a sentence; null if it can. */
export function wiseProblem({ destination, holderName }: ItemTo<'wise'>): string | null {
  if (!isEmail(destination.email)) return 'The Wise address is not an email address. The partner has to correct it.';
  if (!/[\p{L}\p{N}]/u.test(holderName))
    return 'The payout method has no account holder. The partner has to enter one.';
  return null;
}

/** The CSV file for Wise's batch payments by email, in one currency. */
export function writeWise(items: ItemTo<'wise'>[]): Uint8Array {
  const header = bankCsvLine(COLUMNS.map(({ name }) => name));
  const lines = items.map((item) => bankCsvLine(COLUMNS.map(({ cell }) => cell(item))));
  return new TextEncoder().encode(header + lines.join(''));
}
