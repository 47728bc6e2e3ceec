import { accountNumberProblem, routingNumberProblem } from '@svc/contract';
import type { FileRun, ItemTo, Payer } from './payout-item.ts';
import { toAchText } from './transliterate.ts';

/** The totals of a file have twelve digits, which so many of the largest entries do not fill. */
export const NACHA_MAX_ROWS = 5_000;

/** Banks take less than a million dollars per entry, although the field has room for more. */
const MAX_AMOUNT_CENTS = 99_999_999;
const MAX_NAME_CHARS = 22;
/** PAYROLL is reserved for wages. */
const DESCRIPTION = 'COMMISSION';

/** Why the payer's settings do not suffice for ACH, as a sentence; null if they do. */
export function nachaPayerProblem({ ach }: Payer): string | null {
  if (!ach) return 'The payout settings have no ACH data of the payer. Add it, then make the run again.';
  const { company_id, company_name, odfi_routing, destination_name } = ach;
  if (!/^[A-Za-z0-9]{9,10}$/.test(company_id)) {
    return 'The ACH company ID in the payout settings must have 9 or 10 letters and digits. Your bank assigns it.';
  }
  if (routingNumberProblem(odfi_routing)) {
    return 'The routing number of your bank in the payout settings is wrong. Correct it, then make the run again.';
  }
  const names = [company_name, destination_name].map((name) => toAchText(name, 23));
  if (names.some(({ text, unreadable }) => unreadable.length > 0 || !/[A-Z0-9]/.test(text))) {
    return 'The ACH names in the payout settings must be in Latin letters.';
  }
  return null;
}

/** Why a payout cannot be in an ACH file, as a sentence; null if it can. */
export function nachaProblem({ destination, holderName, amountCents }: ItemTo<'us_bank'>): string | null {
  const { routing_number, account_number } = destination;
  if (routingNumberProblem(routing_number)) {
    return 'The routing number does not pass its check digit. The partner has to correct it.';
  }
  if (accountNumberProblem(account_number)) return 'The account number is wrong. The partner has to correct it.';
  if (amountCents > MAX_AMOUNT_CENTS) return 'An ACH payment can be at most 999,999.99 USD. Pay it another way.';
  const { text, unreadable } = toAchText(holderName, MAX_NAME_CHARS);
  if (unreadable.length > 0 || !/[A-Z0-9]/.test(text)) {
    const letters = unreadable.slice(0, 5).join(' ');
    const why = letters
      ? `The account holder has letters that banks cannot read: ${letters}`
      : 'There is no account holder';
    return `${why}. The partner has to enter the name in Latin letters.`;
  }
  return null;
}

/** The payer's name as partners find it on their statements. */
export function nachaPayerName({ ach }: Payer): string {
  return toAchText(ach?.company_name ?? '', 16).text;
}

/** The name of the account holder as the bank gets it. It does not begin with a sign that no name begins with. */
export function nachaName({ holderName }: ItemTo<'us_bank'>): string {
  return toAchText(holderName, MAX_NAME_CHARS).text.replace(/^[^A-Z0-9(.'&]+/, '');
}

/**
 * A NACHA file: a batch for persons (PPD), a batch for companies (CCD), lines of 94 characters, and lines of nines until the file
 * consists of whole blocks of ten. `part` tells the files of a run apart.
 */
export function writeNacha(items: ItemTo<'us_bank'>[], payer: Payer, run: FileRun, part: number): Uint8Array {
  const { ach } = payer;
  if (!ach) throw new Error('an ACH file needs the data of its payer');
  const odfi = ach.odfi_routing.slice(0, 8);
  const companyId = ach.company_id.toUpperCase();
  const header =
    `101${` ${ach.odfi_routing}`}${companyId.padStart(10)}${stamp(run.at)}${clock(run.at)}${modifier(part)}094101` +
    `${achName(ach.destination_name, 23)}${achName(ach.company_name, 23)}${`R${run.runNumber}`.slice(0, 8).padEnd(8)}`;

  // Traces are numbered through the file, not within a batch.
  const groups = [
    { code: 'PPD', entries: items.filter(({ holderKind }) => holderKind === 'person') },
    { code: 'CCD', entries: items.filter(({ holderKind }) => holderKind === 'company') },
  ].filter(({ entries }) => entries.length > 0);
  let traced = 0;
  const batches = groups.flatMap(({ code, entries }, index) => {
    const number = digits(index + 1, 7);
    const { count, hash, credit } = totals(entries);
    return [
      `5220${nachaPayerName(payer).padEnd(16)}${' '.repeat(20)}${companyId.padEnd(10)}${code}${DESCRIPTION}${' '.repeat(6)}` +
        `${stamp(nextWorkday(run.at))}   1${odfi}${number}`,
      ...entries.map((entry) => entryLine(entry, `${odfi}${digits(++traced, 7)}`)),
      `8220${digits(count, 6)}${hash}${digits(0, 12)}${digits(credit, 12)}${companyId.padEnd(10)}${' '.repeat(25)}${odfi}${number}`,
    ];
  });

  const { count, hash, credit } = totals(items);
  const lineCount = batches.length + 2;
  const blocks = Math.ceil(lineCount / 10);
  const control =
    `9${digits(groups.length, 6)}${digits(blocks, 6)}${digits(count, 8)}${hash}${digits(0, 12)}${digits(credit, 12)}` +
    ' '.repeat(39);
  const padding = Array.from({ length: blocks * 10 - lineCount }, () => '9'.repeat(94));
  return new TextEncoder().encode([header, ...batches, control, ...padding].map((line) => `${line}\r\n`).join(''));
}

function entryLine(item: ItemTo<'us_bank'>, trace: string): string {
  const { routing_number, account_number, account_type } = item.destination;
  const code = account_type === 'savings' ? '32' : '22';
  return (
    `6${code}${routing_number}${account_number.padEnd(17)}${digits(item.amountCents, 10)}${item.endToEndId.padEnd(15)}` +
    `${nachaName(item).padEnd(MAX_NAME_CHARS)}  0${trace}`
  );
}

/** The hash is the sum of the routing numbers without their check digits, of which the last ten digits count. */
function totals(entries: ItemTo<'us_bank'>[]): { count: number; hash: string; credit: number } {
  const hash = entries.reduce((sum, { destination }) => sum + Number(destination.routing_number.slice(0, 8)), 0);
  const credit = entries.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { count: entries.length, hash: digits(hash % 10 ** 10, 10), credit };
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');
const achName = (name: string, width: number): string => toAchText(name, width).text.padEnd(width);
const stamp = (at: Date): string => at.toISOString().slice(2, 10).replaceAll('-', '');
const clock = (at: Date): string => at.toISOString().slice(11, 16).replace(':', '');
const modifier = (part: number): string => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.charAt((part - 1) % 36);

/** The first day after this one that is not on a weekend. On a holiday, banks take the next one by themselves. */
function nextWorkday(at: Date): Date {
  const days = { 5: 3, 6: 2 }[at.getUTCDay()] ?? 1;
  return new Date(at.getTime() + days * 24 * 60 * 60 * 1000);
}
