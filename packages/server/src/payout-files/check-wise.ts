import { currencyExponent, formatDecimal } from '@svc/contract';
import type { CheckedFile } from './payout-item.ts';
import { readCsv } from './read-csv.ts';

const HEADER = 'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency';

/** Reads a file for Wise back, and says what Wise would refuse or pay otherwise than meant. */
export function checkWise(bytes: Uint8Array): CheckedFile {
  const problems: string[] = [];
  const payouts: CheckedFile['payouts'] = [];
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const [header = [], ...rows] = readCsv(text);
  if (text.startsWith('\uFEFF')) problems.push('The file begins with a byte order mark.');
  if (header.join(',') !== HEADER) problems.push(`The header must be ${HEADER}.`);
  if (rows.length === 0) problems.push('The file has no rows.');
  if (rows.length > 1_000) problems.push(`The file has ${rows.length} rows; Wise takes 1,000.`);
  const firstCurrency = rows[0]?.[7];
  const seen = new Set<string>();
  rows.forEach((cells, index) => {
    const report = (problem: string) => problems.push(`Row ${index + 2}: ${problem}`);
    const [name = '', email = '', id = '', receiver = '', side = '', amount = '', source = '', target = ''] = cells;
    if (cells.length !== 8) report(`has ${cells.length} columns instead of 8.`);
    if (cells.some((cell) => /^'[=+\-@\t\r\n]/.test(cell))) report('has the apostrophe that only spreadsheets need.');
    if (name.trim() === '') report('has no name.');
    if (!/^[^\s@,;"]+@[^\s@,;"]+\.[^\s@,;"]+$/.test(email)) report(`"${email}" is not an email address.`);
    if (!/^[A-Za-z0-9]{1,35}$/.test(id)) report('the reference must have 1 to 35 letters and digits.');
    if (seen.has(id)) report(`the reference ${id} was used before.`);
    seen.add(id);
    if (receiver !== 'PRIVATE' && receiver !== 'BUSINESS') report(`"${receiver}" is not a type of receiver.`);
    if (side !== 'target') report('the amount must be what the receiver gets.');
    if (!/^[A-Z]{3}$/.test(target)) report(`"${target}" is not a currency.`);
    if (target !== firstCurrency) report(`is in ${target}, the rows before it are in ${firstCurrency}.`);
    if (source !== target) report(`pays ${target} from ${source}.`);
    const cents = Number(amount.replace('.', ''));
    const isExact = /^[0-9.]+$/.test(amount) && formatDecimal(cents, currencyExponent(target)) === amount;
    if (!isExact || cents <= 0) report(`"${amount}" is not a positive amount in ${target}.`);
    else payouts.push({ endToEndId: id, amountCents: cents });
  });
  return { problems, payouts };
}
