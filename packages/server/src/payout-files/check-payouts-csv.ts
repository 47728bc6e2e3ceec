import { currencyExponent } from '@svc/contract';
import type { CheckedFile } from './payout-item.ts';
import { readCsv } from './read-csv.ts';

/** Reads the CSV file for people back: every payout once, with the same amount in both columns, and no formulas. */
export function checkPayoutsCsv(bytes: Uint8Array): CheckedFile {
  const problems: string[] = [];
  const payouts: CheckedFile['payouts'] = [];
  const [header = [], ...rows] = readCsv(new TextDecoder('utf-8').decode(bytes));
  const column = (title: string) => header.indexOf(title);
  const [idAt, amountAt, centsAt, currencyAt] = ['payment_id', 'amount', 'amount_cents', 'currency'].map(column) as [
    number,
    number,
    number,
    number,
  ];
  if (Math.min(idAt, amountAt, centsAt, currencyAt) < 0) problems.push('The header lacks a column.');
  const seen = new Set<string>();
  rows.forEach((cells, index) => {
    const report = (problem: string) => problems.push(`Row ${index + 2}: ${problem}`);
    const [id = '', amount = '', cents = '', currency = ''] = [idAt, amountAt, centsAt, currencyAt].map(
      (at) => cells[at],
    );
    if (cells.length !== header.length) report(`has ${cells.length} columns instead of ${header.length}.`);
    if (id === '' || seen.has(id)) report(`the ID "${id}" is missing or was used before.`);
    seen.add(id);
    const isText = (at: number) => at !== amountAt && at !== centsAt;
    if (cells.some((cell, at) => isText(at) && /^[=+\-@]/.test(cell)))
      report('has a cell that a spreadsheet would run.');
    const places = currencyExponent(currency);
    const wanted = places === 0 ? /^-?[0-9]+$/ : new RegExp(`^-?[0-9]+\\.[0-9]{${places}}$`);
    const isSame = wanted.test(amount) && Number(amount.replace('.', '')) === Number(cents);
    if (!isSame) report(`the amount ${amount} ${currency} is not ${cents} in its smallest unit.`);
    payouts.push({ endToEndId: id, amountCents: Number(cents) });
  });
  return { problems, payouts };
}
