import { describe, expect, it } from 'vitest';
import type { KeyProblem } from '../errors/errors.ts';
import { keyRefusal } from '../routing/route.ts';
import { trackRefund } from './refund.ts';
import { trackSale } from './sale.ts';

const REFUND_AMOUNT = 'refund_amount_cents must be a whole number of cents, 0 or more';
const MALFORMED = 'Missing or malformed Authorization header. Expected: Bearer <token>';
const refund = { transaction_id: 'order-1' };
const firstMessage = (value: unknown) => trackRefund.body.safeParse(value).error?.issues[0]?.message;

describe('the body of a refund', () => {
  it.each([
    ['transaction_id alone', refund],
    ['an amount of 0', { ...refund, refund_amount_cents: 0 }],
    ['a partial amount', { ...refund, refund_amount_cents: 1200, refund_id: 'r-1', refund_reason: 'late' }],
    ['the largest amount', { ...refund, refund_amount_cents: 9_007_199_254_740_991 }],
    ['additional_data', { ...refund, additional_data: { note: 'x' } }],
  ])('accepts %s', (_case, sent) => {
    expect(trackRefund.body.parse({ ...sent, unknown: 1 })).toEqual(sent);
  });

  it.each([
    ['transaction_id is required', 'field absent', {}],
    ['transaction_id is required', 'not a string', { transaction_id: 7 }],
    ['transaction_id is required', 'empty', { transaction_id: '' }],
    ['transaction_id is required', 'too long', { transaction_id: 'x'.repeat(256) }],
    ['transaction_id is required', 'before the amount', { refund_amount_cents: -1 }],
    [REFUND_AMOUNT, 'negative', { ...refund, refund_amount_cents: -1 }],
    [REFUND_AMOUNT, 'a fraction', { ...refund, refund_amount_cents: 0.5 }],
    [REFUND_AMOUNT, 'wrong type', { ...refund, refund_amount_cents: '100' }],
    ['refund_reason must be a string', 'wrong type', { ...refund, refund_reason: 7 }],
    ['refund_reason must be at most 1024 characters', 'too long', { ...refund, refund_reason: 'x'.repeat(1025) }],
    ['refund_id must be a string', 'wrong type', { ...refund, refund_id: 7 }],
    ['refund_id must be at most 255 characters', 'too long', { ...refund, refund_id: 'x'.repeat(256) }],
    ['additional_data must be an object', 'wrong type', { ...refund, additional_data: [] }],
  ])('%s: %s', (message, _condition, sent) => {
    expect(firstMessage(sent)).toBe(message);
  });
});

describe('keyRefusal', () => {
  const problems: [KeyProblem, string, string][] = [
    ['malformed', MALFORMED, MALFORMED],
    ['empty', 'Missing API token', 'Invalid API token'],
    ['unknown', 'Invalid API token', 'Invalid API token'],
  ];

  it.each(problems)('for a key that is %s is %j for a sale and %j for a refund', (problem, onSale, onRefund) => {
    expect(keyRefusal(trackSale, problem)).toMatchObject({ status: 401, message: onSale });
    expect(keyRefusal(trackRefund, problem)).toMatchObject({ status: 401, message: onRefund });
  });
});
