import { describe, expect, it } from 'vitest';
import { type BatchItem, judgeItems, splitBatch } from './batch.ts';
import { SvcError } from './svc-error.ts';

const sale = (id: number, more = {}): BatchItem => ({
  type: 'sale',
  transaction_id: `order_${id}`,
  amount_cents: 1,
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, id) => sale(id));

describe('splitBatch', () => {
  it('sends up to 1,000 items at a time, in order', () => {
    const items = many(2_500);
    const parts = splitBatch(items);
    expect(parts.map(({ count }) => count)).toEqual([1_000, 1_000, 500]);
    expect(parts.flatMap(({ body }) => JSON.parse(body).items)).toEqual(items);
  });

  it('sends at most 1 MiB at a time, counted in bytes', () => {
    const items = Array.from({ length: 5 }, (_, id) => sale(id, { product_id: 'ü'.repeat(200_000) }));
    const parts = splitBatch(items);
    expect(parts.map(({ count }) => count)).toEqual([2, 2, 1]);
    for (const { body } of parts) expect(Buffer.byteLength(body)).toBeLessThan(1024 * 1024);
  });
});

describe('judgeItems', () => {
  const parts = (...counts: number[]) => counts.map((count) => ({ count, body: '' }));
  const recorded = (...results: { index: number; status: number; body: unknown }[]) => ({
    ok: true as const,
    outcome: 'recorded' as const,
    reply: { data: { results } },
  });

  it('judges each item like a call of its own', () => {
    const items: BatchItem[] = [
      { type: 'lead', customer_key: 'user_1' },
      sale(1),
      { type: 'refund', transaction_id: 'order_9' },
    ];
    const reply = recorded(
      { index: 0, status: 200, body: { success: true } },
      { index: 1, status: 409, body: { error: { message: 'Duplicate transaction_id. This sale …' } } },
      { index: 2, status: 404, body: { error: { message: 'Sale not found for transaction_id' } } },
    );
    expect(judgeItems(items, parts(3), [reply], true).map(({ outcome }) => outcome)).toEqual([
      'recorded',
      'already_recorded',
      'unattributed',
    ]);
  });

  it('gives the items of a request that failed, and of those after it, its error', () => {
    const error = new SvcError('Invalid API token', { code: 'unauthorized', isRetryable: false });
    const first = recorded({ index: 0, status: 200, body: { success: true } });
    const outcomes = judgeItems(many(3), parts(1, 1, 1), [first, { ok: false, outcome: 'failed', error }], true);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['recorded', 'failed', 'failed']);
  });

  it('does not take a missing result for success', () => {
    const [outcome] = judgeItems(many(1), parts(1), [recorded()], true);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unexpected_response', isRetryable: true } });
  });
});
