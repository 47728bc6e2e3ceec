import type { PayoutLine, PayoutRow } from '@svc/contract';
import { hasPdfText, pdfText } from '@svc/testkit';
import { describe, expect, it } from 'vitest';
import type { Statement } from './statement.ts';
import { BATCH, writeStatement } from './write-statement.ts';

if (!hasPdfText()) console.warn('Not all read back: pdftotext is not on the PATH (Debian: poppler-utils).');

const PAYOUT: PayoutRow = {
  id: 12,
  partner_id: 3,
  partner_name: 'Jane',
  partner_email: 'jane@partner.test',
  payout_method_kind: null,
  payout_method: null,
  account_changed_at: null,
  currency: 'USD',
  amount_cents: 1,
  status: 'paid',
  reference: null,
  created_at: '2026-03-10T12:00:00.000Z',
  paid_at: '2026-03-11T12:00:00.000Z',
  cancelled_at: null,
  failed_at: null,
  failure_reason: null,
  failure_code: null,
  run_id: null,
  not_in_file: null,
  sent_at: null,
  returned_at: null,
};

/** A line that pays as many cents as its number. */
const lineOf = (number: number): PayoutLine => ({
  commission_id: number,
  kind: 'sale',
  reason: null,
  sale_id: number,
  transaction_id: `order_${number}`,
  customer_id: number,
  customer_key: `user_${number}`,
  sale_cents: 10 * number,
  sale_currency: 'USD',
  sale_at: '2026-03-01T12:00:00.000Z',
  base_cents: 10 * number,
  terms_version: 7,
  rule: 2,
  terms: '10% of each sale of product Pro, not of renewals',
  commission_cents: number,
  deducted_cents: 0,
  earlier_cents: 0,
  refunded_at: null,
  amount_cents: number,
  created_at: '2026-03-01T12:00:00.000Z',
});

/** A statement with so many lines, and how often they were read. */
function statementOf(lines: number, partnerName = 'Jane') {
  const cents = (lines * (lines + 1)) / 2;
  const statement: Statement = {
    payout: { ...PAYOUT, amount_cents: cents, partner_name: partnerName },
    programName: 'Acme',
    brandName: 'Acme',
    sums: [{ kind: 'sale', isTakenBack: false, lines, cents: BigInt(cents) }],
  };
  const reads = { count: 1 };
  const before = (id: number) => Array.from({ length: Math.min(BATCH, id - 1) }, (_, index) => lineOf(id - 1 - index));
  const next = async (id: number) => {
    reads.count += 1;
    return before(id);
  };
  return { reads, bytes: writeStatement(statement, before(lines + 1), next) };
}

async function all(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it.skipIf(!hasPdfText())('names letters that another document has embedded as a part of one', async () => {
  await all(statementOf(1, 'Ĳsbrand').bytes);
  expect(pdfText(await all(statementOf(1, 'I. J. Ångström').bytes))).toMatch(/Partner +I\. J\. Ångström\n/);
});

it('writes the same bytes, whatever was written before or at the same time', async () => {
  const plain = await all(statementOf(300, 'I. J. Ångström').bytes);
  await all(statementOf(5, 'Ĳsbrand Ǆ ﬁ Å').bytes);
  const together = await Promise.all(
    [statementOf(300, 'I. J. Ångström'), statementOf(300, 'Ĳsbrand')].map(({ bytes }) => all(bytes)),
  );
  expect(together[0]?.equals(plain)).toBe(true);
  expect((await all(statementOf(300, 'I. J. Ångström').bytes)).equals(plain)).toBe(true);
  expect(plain.includes('2026031012')).toBe(true);
});

describe('many lines', () => {
  it('are read in batches and written page by page, with a turn of the event loop after each page', async () => {
    const { bytes, reads } = statementOf(2_000);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const chunks: Buffer[] = [];
    const readAfter: number[] = [];
    for await (const chunk of bytes) {
      chunks.push(chunk);
      readAfter.push(reads.count);
    }
    isDone = true;
    const pages = chunks.length - 1;
    expect(pages).toBeGreaterThan(100);
    expect(turns).toBeGreaterThanOrEqual(pages);
    expect(reads.count).toBe(2_000 / BATCH + 1);
    // A page has about twenty lines, so half of the pages take half of the batches.
    expect(Math.abs((readAfter[Math.floor(pages / 2)] ?? 0) - reads.count / 2)).toBeLessThanOrEqual(2);
    expect(Math.max(...chunks.slice(0, -1).map(({ length }) => length))).toBeLessThan(10_000);
    if (!hasPdfText()) return;
    const text = pdfText(Buffer.concat(chunks));
    const amounts = [...text.matchAll(/Sale order_(\d+) +([\d,.]+) USD/g)].map(([, number, amount]) => [
      Number(number),
      Number(amount?.replaceAll(/[,.]/g, '')),
    ]);
    expect(amounts.length).toBe(2_000);
    expect(amounts.every(([number, cents]) => number === cents)).toBe(true);
    expect(text).toMatch(/Total of 2000 lines +20,010\.00 USD/);
  });

  it('are not read any further once the reader is gone', async () => {
    const { bytes, reads } = statementOf(2_000);
    const first = await bytes.next();
    expect(first.done).toBe(false);
    await bytes.return(undefined);
    expect(await bytes.next()).toEqual({ done: true, value: undefined });
    expect(reads.count).toBe(1);
  });
});
