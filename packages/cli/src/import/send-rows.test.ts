import { MAX_IMPORT_PARTS, MAX_IMPORT_ROWS, MAX_LARGE_BODY_BYTES } from '@svc/contract';
import { expect, it } from 'vitest';
import type { Row } from './row.ts';
import { batchesOf } from './send-rows.ts';

const row = (index: number, customers: number): Row => ({
  partner: { email: `p${index}@example.com`, name: `Partner ${index}`, external_id: String(index) },
  links: [],
  coupons: [],
  customers: Array.from({ length: customers }, (_, each) => ({
    external_id: `${index}-${each}`,
    email: `c${each}@exämple.com`,
  })),
  balances: [],
});

it('requests have as many rows, parts and bytes as the service takes, and every row in its order', () => {
  const rows = Array.from({ length: 1_300 }, (_, index) => row(index, index > 1_200 ? 500 : 0));
  const batches = batchesOf(rows);
  expect(batches.flat()).toEqual(rows);
  expect(batches.slice(0, 2).map((batch) => batch.length)).toEqual([MAX_IMPORT_ROWS, MAX_IMPORT_ROWS]);
  expect(batches.length).toBeGreaterThan(4);
  for (const batch of batches) {
    const body = { source: 'partnerstack', rows: batch, dry_run: false, pay_approved: false };
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(MAX_LARGE_BODY_BYTES);
    expect(batch.reduce((count, { customers }) => count + customers.length, 0)).toBeLessThanOrEqual(MAX_IMPORT_PARTS);
  }
});

it('no rows are no request', () => expect(batchesOf([])).toEqual([]));
