import { PAYOUT_KINDS, reaches } from '@svc/contract';
import { checkNacha } from './check-nacha.ts';
import { checkPayoutsCsv } from './check-payouts-csv.ts';
import { checkPaypal } from './check-paypal.ts';
import { checkSepa } from './check-sepa.ts';
import { checkWise } from './check-wise.ts';
import type { CheckedFile, Destination, FileRun, ItemTo, Payer, PayoutItem } from './payout-item.ts';
import { listSpellings, type Spelling } from './spellings.ts';
import { NACHA_MAX_ROWS, nachaPayerProblem, nachaProblem, writeNacha } from './write-nacha.ts';
import { writePayoutsCsv } from './write-payouts-csv.ts';
import { PAYPAL_MAX_ROWS, paypalProblem, writePaypal } from './write-paypal.ts';
import { SEPA_MAX_ROWS, sepaCountry, sepaPayerProblem, sepaProblem, writeSepa } from './write-sepa.ts';
import { WISE_MAX_ROWS, wiseProblem, writeWise } from './write-wise.ts';

export type PaymentFileName = 'paypal.csv' | 'wise.csv' | 'sepa.xml' | 'nacha.txt' | 'payouts.csv';

/** A file of a run. `payouts.csv` holds all currencies, which are never added up, so its currency and total are null. */
export type PaymentFile = {
  name: PaymentFileName;
  currency: string | null;
  /** From 1. A format that holds fewer rows than the run has needs several files. */
  part: number;
  bytes: Uint8Array;
  rows: number;
  totalCents: number | null;
};

/** A payout that no file can carry, and what to do about it, as a sentence. */
export type NotCarried = { endToEndId: string; reason: string };

export type MadeFiles = { files: PaymentFile[]; notCarried: NotCarried[]; spellings: Spelling[] };

type BankKind = Exclude<Destination['kind'], 'other'>;

/** How payouts of a kind become a file. A new kind does not compile until it is here. */
type Format<Kind extends BankKind> = {
  name: PaymentFileName;
  maxRows: number;
  country: (item: ItemTo<Kind>) => string;
  payerProblem: (payer: Payer) => string | null;
  problem: (item: ItemTo<Kind>) => string | null;
  write: (items: ItemTo<Kind>[], payer: Payer, run: FileRun, part: number) => Uint8Array;
  check: (bytes: Uint8Array, payer: Payer) => CheckedFile;
};

const noneNeeded = () => null;
const holdersCountry = ({ country }: PayoutItem) => country;

const FORMATS: { [Kind in BankKind]: Format<Kind> } = {
  paypal: {
    name: 'paypal.csv',
    maxRows: PAYPAL_MAX_ROWS,
    country: holdersCountry,
    payerProblem: noneNeeded,
    problem: paypalProblem,
    write: writePaypal,
    check: (bytes, payer) => checkPaypal(bytes, payer.paypal_decimal),
  },
  wise: {
    name: 'wise.csv',
    maxRows: WISE_MAX_ROWS,
    country: holdersCountry,
    payerProblem: noneNeeded,
    problem: wiseProblem,
    write: writeWise,
    check: checkWise,
  },
  iban: {
    name: 'sepa.xml',
    maxRows: SEPA_MAX_ROWS,
    country: sepaCountry,
    payerProblem: sepaPayerProblem,
    problem: sepaProblem,
    write: writeSepa,
    check: checkSepa,
  },
  us_bank: {
    name: 'nacha.txt',
    maxRows: NACHA_MAX_ROWS,
    country: holdersCountry,
    payerProblem: nachaPayerProblem,
    problem: nachaProblem,
    write: writeNacha,
    check: checkNacha,
  },
};

const BANK_KINDS = PAYOUT_KINDS.filter((kind) => kind !== 'other');

/** An amount that a file can total exactly, whatever the other amounts are. */
const MAX_AMOUNT_CENTS = 99_999_999_999;

/** What the files of a run will not carry or will spell differently. Writes no file, so that drafts can show it at any time. */
export function previewFiles(items: PayoutItem[], payer: Payer, run: FileRun): Omit<MadeFiles, 'files'> {
  const notCarried = whyNotCarried(items, payer);
  return { notCarried, spellings: listSpellings(without(items, notCarried), payer, run) };
}

/**
 * Makes the files of a run. Every payout by PayPal, Wise, IBAN or US account is in exactly one of them or in `notCarried`, and
 * `payouts.csv` has them all. The same arguments give the same bytes. Throws if a file does not pass its own check, because no file is
 * better than a wrong one.
 */
export function makeFiles(items: PayoutItem[], payer: Payer, run: FileRun): MadeFiles {
  const { notCarried, spellings } = previewFiles(items, payer, run);
  const carried = without(items, notCarried);
  const forBanks = BANK_KINDS.flatMap((kind) => makeFilesOf(kind, itemsTo(kind, carried), payer, run));
  return { files: items.length > 0 ? [...forBanks, payoutsCsv(items)] : [], notCarried, spellings };
}

function whyNotCarried(items: PayoutItem[], payer: Payer): NotCarried[] {
  return BANK_KINDS.flatMap((kind) => {
    const payerProblem = FORMATS[kind].payerProblem(payer);
    return itemsTo(kind, items).flatMap((item) => {
      const reason = problemOf(kind, item, payerProblem);
      return reason ? [{ endToEndId: item.endToEndId, reason }] : [];
    });
  });
}

function itemsTo<Kind extends BankKind>(kind: Kind, items: PayoutItem[]): ItemTo<Kind>[] {
  return items.filter((item): item is ItemTo<Kind> => item.destination.kind === kind);
}

function without(items: PayoutItem[], notCarried: NotCarried[]): PayoutItem[] {
  const ids = new Set(notCarried.map(({ endToEndId }) => endToEndId));
  return items.filter(({ endToEndId }) => !ids.has(endToEndId));
}

function makeFilesOf<Kind extends BankKind>(
  kind: Kind,
  items: ItemTo<Kind>[],
  payer: Payer,
  run: FileRun,
): PaymentFile[] {
  const { name, maxRows, write, check } = FORMATS[kind];
  const currencies = [...new Set(items.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) => {
    const ofCurrency = items.filter((item) => item.currency === currency);
    return inParts(ofCurrency, maxRows).map((rows, index) => {
      const part = index + 1;
      const bytes = write(rows, payer, run, part);
      refuseWrong(name, check(bytes, payer), rows);
      const totalCents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
      return { name, currency, part, bytes, rows: rows.length, totalCents };
    });
  });
}

function problemOf<Kind extends BankKind>(kind: Kind, item: ItemTo<Kind>, payerProblem: string | null): string | null {
  const format = FORMATS[kind];
  const country = format.country(item);
  const unreached = reaches(kind, item.currency, country);
  if (unreached === 'currency_not_payable') {
    return `${item.currency} cannot be paid this way. Pay it another way, or ask the partner for another payout method.`;
  }
  if (payerProblem) return payerProblem;
  const problem = format.problem(item);
  if (problem) return problem;
  if (unreached === 'country_not_payable') {
    return `Accounts in ${country} cannot be paid this way. Ask the partner for another payout method.`;
  }
  if (!Number.isSafeInteger(item.amountCents) || item.amountCents <= 0) return 'The amount is not positive.';
  if (item.amountCents > MAX_AMOUNT_CENTS) return 'The amount is too large for one payment. Pay it another way.';
  return null;
}

function payoutsCsv(items: PayoutItem[]): PaymentFile {
  const bytes = writePayoutsCsv(items);
  refuseWrong('payouts.csv', checkPayoutsCsv(bytes), items);
  return { name: 'payouts.csv', currency: null, part: 1, bytes, rows: items.length, totalCents: null };
}

/** Whatever went in has to come out of the bytes again, payout by payout. */
function refuseWrong(name: PaymentFileName, { problems, payouts }: CheckedFile, items: PayoutItem[]): void {
  const read = new Map(payouts.map(({ endToEndId, amountCents }) => [endToEndId, amountCents]));
  const missing = items.filter(({ endToEndId, amountCents }) => read.get(endToEndId) !== amountCents);
  const all = [
    ...problems,
    ...missing.map(({ endToEndId }) => `${endToEndId} is missing, or has another amount.`),
    ...(payouts.length === items.length ? [] : [`The file has ${payouts.length} payouts instead of ${items.length}.`]),
  ];
  if (all.length > 0) throw new Error(`${name} does not pass its check: ${all.slice(0, 5).join(' ')}`);
}

function inParts<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
