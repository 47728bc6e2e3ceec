import { currencyExponent, formatDecimal } from '@svc/contract';
import type { CheckedFile } from './payout-item.ts';
import { readCsv } from './read-csv.ts';

const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD']);

/** Reads a PayPal file back, and says what PayPal would refuse or pay otherwise than meant. */
export function checkPaypal(bytes: Uint8Array, decimal: '.' | ',' = '.'): CheckedFile {
  const problems: string[] = [];
  const payouts: CheckedFile['payouts'] = [];
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.startsWith('\uFEFF')) problems.push('The file begins with a byte order mark.');
  const rows = readCsv(text);
  if (rows.length === 0) problems.push('The file has no rows.');
  if (rows.length > 5_000) problems.push(`The file has ${rows.length} rows; PayPal takes 5,000.`);
  const firstCurrency = rows[0]?.[2];
  const seen = new Set<string>();
  rows.forEach((cells, index) => {
    const report = (problem: string) => problems.push(`Row ${index + 1}: ${problem}`);
    const [recipient = '', amount = '', currency = '', id = '', note = '', wallet = '', privacy = ''] = cells;
    if (cells.length !== 7) report(`has ${cells.length} columns instead of 7.`);
    if (cells.some((cell) => /^'[=+\-@\t\r\n]/.test(cell))) report('has the apostrophe that only spreadsheets need.');
    if (!/^[^\s@,;"]+@[^\s@,;"]+\.[^\s@,;"]+$/.test(recipient)) report(`"${recipient}" is not an email address.`);
    if (!/^[A-Z]{3}$/.test(currency)) report(`"${currency}" is not a currency.`);
    if (currency !== firstCurrency) report(`is in ${currency}, the rows before it are in ${firstCurrency}.`);
    if (id.length === 0 || id.length > 30 || /\s/.test(id)) {
      report('the customer ID must have 1 to 30 characters and no spaces.');
    }
    if (seen.has(id)) report(`the customer ID ${id} was used before.`);
    seen.add(id);
    if ([...note].length > 400) report('the note has more than 400 characters.');
    if (wallet !== 'PAYPAL') report(`the wallet is "${wallet}" instead of PAYPAL.`);
    if (privacy !== '') report('has a privacy setting, which is for Venmo only.');
    const cents = centsOf(amount, currency, decimal);
    if (cents === null)
      report(`"${amount}" is not a positive amount in ${currency} with "${decimal}" as decimal sign.`);
    else payouts.push({ endToEndId: id, amountCents: cents });
  });
  return { problems, payouts };
}

function centsOf(amount: string, currency: string, decimal: '.' | ','): number | null {
  const exponent = currencyExponent(currency);
  const places = WITHOUT_DECIMALS.has(currency) ? 0 : exponent;
  const [whole = '', fraction = '', ...more] = amount.split(decimal);
  if (!/^[0-9]+$/.test(whole) || fraction.length !== places || !/^[0-9]*$/.test(fraction) || more.length > 0)
    return null;
  const cents = Number(whole + fraction) * (places < exponent ? 10 ** exponent : 1);
  // Reading back what was read finds leading zeros and amounts that no number holds exactly.
  const again = formatDecimal(cents, exponent).replace('.', decimal);
  return cents > 0 && (places < exponent ? again.startsWith(whole) : again === amount) ? cents : null;
}
