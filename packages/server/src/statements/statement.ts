import {
  type CommissionKind,
  currencyExponent,
  describeLineTerms,
  type PayoutLine,
  type PayoutRow,
} from '@svc/contract';
import type { LineSum } from '../payouts/payout-line-store.ts';
import { type Block, type Cell, CONTENT_WIDTH, type Row } from './page-layout.ts';

/** What a statement says about its payout as a whole. */
export type Statement = {
  payout: PayoutRow;
  programName: string;
  brandName: string;
  sums: LineSum[];
};

/** An amount with the decimals and the code of its currency, exact however large it is: `-1,234.50 USD`. */
export function amountText(cents: number | bigint, currency: string): string {
  const decimals = currencyExponent(currency);
  const sign = cents < 0 ? '-' : '';
  const digits = String(cents)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const units = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${sign}${units}${fraction} ${currency}`;
}

/** Whether the lines add up to what the payout pays. */
export function addsUp({ payout, sums }: Pick<Statement, 'payout' | 'sums'>): boolean {
  return sums.reduce((sum, { cents }) => sum + cents, 0n) === BigInt(payout.amount_cents);
}

const dateOf = (time: string) => time.slice(0, 10);

const SIZE = 8;
const DETAIL_SIZE = 7;
const AMOUNT_WIDTH = 140;
const TEXT_WIDTH = CONTENT_WIDTH - AMOUNT_WIDTH - 10;
const LABEL_WIDTH = 90;
const DATE_WIDTH = 56;

const STATUS_NOTES: Partial<Record<PayoutRow['status'], string>> = {
  open: 'This payout has not been paid yet.',
  sent: 'This payout is on its way.',
  failed: 'This payout failed. What it covers is due again, and is part of a later payout.',
  returned: 'This payout came back. What it covers is due again, and is part of a later payout.',
  cancelled: 'This payout was cancelled. What it covers is due again, and is part of a later payout.',
};

/** What stands above the lines: who pays whom, when, under which reference, and what the payout consists of. */
export function headBlocks({ payout, programName, brandName, sums }: Statement): Block[] {
  const facts: [string, string | null][] = [
    ['Program', programName],
    ['Brand', brandName],
    ['Partner', payout.partner_name],
    ['Email', payout.partner_email],
    ['Payout number', String(payout.id)],
    ['Status', payout.status.slice(0, 1).toUpperCase() + payout.status.slice(1)],
    ['Created', dateOf(payout.created_at)],
    ['Sent', payout.sent_at && dateOf(payout.sent_at)],
    ['Paid', payout.paid_at && dateOf(payout.paid_at)],
    ['Cancelled', payout.cancelled_at && dateOf(payout.cancelled_at)],
    ['Failed', payout.failed_at && dateOf(payout.failed_at)],
    ['Returned', payout.returned_at && dateOf(payout.returned_at)],
    ['Reason', payout.failure_reason],
    ['Reference', payout.reference],
    ['Currency', payout.currency],
  ];
  const note = STATUS_NOTES[payout.status];
  return [
    { gap: 0, rows: [wide(`Statement of payout ${payout.id}`, 16)] },
    { gap: 2, rows: [{ ...wide('Dates are in UTC.', DETAIL_SIZE), isQuiet: true }] },
    { gap: 10, rows: facts.flatMap(([label, value]) => (value === null ? [] : [factRow(label, value)])) },
    ...(note === undefined ? [] : [{ gap: 10, rows: [wide(note, SIZE)] }]),
    { gap: 16, hasRule: true, rows: sumRows(payout, sums) },
    { gap: 4, rows: [amountRow('Total', amountText(payout.amount_cents, payout.currency), 10)] },
  ];
}

const wide = (text: string, size: number): Row => ({ size, cells: [{ text, x: 0, width: CONTENT_WIDTH }] });

const factRow = (label: string, value: string): Row => ({
  size: SIZE,
  cells: [
    { text: label, x: 0, width: LABEL_WIDTH },
    { text: value, x: LABEL_WIDTH + 10, width: CONTENT_WIDTH - LABEL_WIDTH - 10 },
  ],
});

const amountCell = (text: string): Cell => {
  return { text, x: CONTENT_WIDTH - AMOUNT_WIDTH, width: AMOUNT_WIDTH, isRightAligned: true };
};

const amountRow = (text: string, amount: string, size = SIZE): Row => ({
  size,
  cells: [{ text, x: 0, width: TEXT_WIDTH }, amountCell(amount)],
});

const SUM_NAMES: [string, (sum: LineSum) => boolean][] = [
  ['Commissions on sales', ({ kind, isTakenBack }) => kind === 'sale' && !isTakenBack],
  ['Commissions on leads', ({ kind, isTakenBack }) => kind === 'lead' && !isTakenBack],
  ['Overrides on what recruited partners sold', ({ kind, isTakenBack }) => kind === 'override' && !isTakenBack],
  ['Bonuses', ({ kind }) => kind === 'bonus'],
  ['Adjustments', ({ kind }) => kind === 'adjustment'],
  ['Refunds of sales in earlier payouts', ({ kind, isTakenBack }) => isTakenBack && !isManual(kind)],
];

const isManual = (kind: CommissionKind) => kind === 'bonus' || kind === 'adjustment';

function sumRows({ currency }: PayoutRow, sums: LineSum[]): Row[] {
  return SUM_NAMES.flatMap(([name, belongs]) => {
    const own = sums.filter(belongs);
    if (own.length === 0) return [];
    const lines = own.reduce((count, sum) => count + sum.lines, 0);
    const cents = own.reduce((total, sum) => total + sum.cents, 0n);
    return [amountRow(`${name} (${lines} ${lines === 1 ? 'line' : 'lines'})`, amountText(cents, currency))];
  });
}

/** A line: what it pays for and how much, and below it where the amount comes from. */
export function lineBlock(line: PayoutLine, currency: string): Block {
  const textCell = (text: string): Cell => ({ text, x: DATE_WIDTH, width: TEXT_WIDTH - DATE_WIDTH });
  const details = [saleDetails(line), describeLineTerms(line), amountDetails(line, currency)];
  return {
    gap: 8,
    hasRule: true,
    rows: [
      {
        size: SIZE,
        cells: [
          { text: dateOf(line.created_at), x: 0, width: DATE_WIDTH },
          textCell(titleOf(line)),
          amountCell(amountText(line.amount_cents, currency)),
        ],
      },
      ...details.flatMap((text): Row[] => {
        return text ? [{ size: DETAIL_SIZE, isQuiet: true, cells: [textCell(capitalize(text))] }] : [];
      }),
    ],
  };
}

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const NAMES: Record<CommissionKind, string> = {
  sale: 'Sale',
  lead: 'Lead',
  override: 'Override',
  bonus: 'Bonus',
  adjustment: 'Adjustment',
};

function titleOf({ kind, reason, transaction_id: transactionId, amount_cents: cents }: PayoutLine): string {
  if (transactionId === null) return reason === null ? NAMES[kind] : `${NAMES[kind]}: ${reason}`;
  const name = kind === 'override' ? `Override on sale ${transactionId}` : `Sale ${transactionId}`;
  return cents < 0 ? `Refund: ${name}` : name;
}

/** The sale, and what the commission on it was computed from. */
function saleDetails(line: PayoutLine): string {
  const { sale_cents: saleCents, sale_currency: saleCurrency, sale_at: soldAt, base_cents: baseCents } = line;
  const parts = [line.customer_key && `customer ${line.customer_key}`];
  if (saleCents !== null && saleCurrency !== null) {
    parts.push(`sold for ${amountText(saleCents, saleCurrency)}${soldAt ? ` on ${dateOf(soldAt)}` : ''}`);
    if (baseCents !== null) parts.push(`base ${amountText(baseCents, saleCurrency)}`);
  }
  return parts.filter(Boolean).join(', ');
}

/** How the amount of the line comes about, where it is not the whole commission. */
function amountDetails(line: PayoutLine, currency: string): string | null {
  const { commission_cents: cents, deducted_cents: deducted, earlier_cents: earlier } = line;
  if (deducted === 0 && earlier === 0) return null;
  const parts = [`commission ${amountText(cents, currency)}`];
  if (deducted !== 0) {
    const when = line.refunded_at ? ` until ${dateOf(line.refunded_at)}` : '';
    parts.push(`less ${amountText(deducted, currency)} for refunds${when}`);
  }
  if (earlier !== 0) parts.push(`less ${amountText(earlier, currency)} in earlier payouts`);
  return parts.join(', ');
}

/** What stands below the lines: the total again, with the number of lines, and what the letters of some names were replaced by. */
export function endBlocks({ payout, sums }: Statement, hasCodePoints: boolean): Block[] {
  const lines = sums.reduce((count, sum) => count + sum.lines, 0);
  const total = `Total of ${lines} ${lines === 1 ? 'line' : 'lines'}`;
  const note =
    'This document cannot show some characters of the texts in it. It has their code points instead, such as [U+5F20].';
  return [
    {
      gap: 14,
      hasRule: true,
      rows: [amountRow(total, amountText(payout.amount_cents, payout.currency), 10)],
    },
    ...(hasCodePoints ? [{ gap: 10, rows: [{ ...wide(note, DETAIL_SIZE), isQuiet: true as const }] }] : []),
  ];
}
