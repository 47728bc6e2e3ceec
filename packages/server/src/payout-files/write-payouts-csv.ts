import { type Cell, CSV_START, csvLine, currencyExponent, formatDecimal } from '@svc/contract';
import type { Destination, PayoutItem } from './payout-item.ts';

const TITLES = [
  'payment_id',
  'partner_id',
  'partner_name',
  'amount',
  'amount_cents',
  'currency',
  'method',
  'account',
  'bank_code',
  'account_type',
  'holder_name',
  'holder_kind',
  'country',
  'note',
];

/** All payouts of a run as a CSV file for people, whatever they are paid by. Text cannot become a formula in a spreadsheet. */
export function writePayoutsCsv(items: PayoutItem[]): Uint8Array {
  const lines = items.map((item) => csvLine(cellsOf(item)));
  return new TextEncoder().encode(CSV_START + csvLine(TITLES) + lines.join(''));
}

function cellsOf(item: PayoutItem): Cell[] {
  return [
    item.endToEndId,
    item.partnerId,
    item.partnerName,
    { amount: formatDecimal(item.amountCents, currencyExponent(item.currency)) },
    item.amountCents,
    item.currency,
    item.destination.kind,
    ...accountCells(item.destination),
    item.holderName,
    item.holderKind,
    item.country,
    item.note,
  ];
}

/** The account, the BIC or routing number of its bank, and what kind of account it is. */
function accountCells(destination: Destination): [Cell, Cell, Cell] {
  switch (destination.kind) {
    case 'paypal':
    case 'wise':
      return [destination.email, null, null];
    case 'iban':
      return [destination.iban, destination.bic ?? null, null];
    case 'us_bank':
      return [destination.account_number, destination.routing_number, destination.account_type];
    case 'other':
      return [destination.text, null, null];
  }
}
