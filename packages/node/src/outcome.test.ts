import { describe, expect, it } from 'vitest';
import { type Event, judgeAnswer } from './outcome.ts';

const refusal = (status: number, message: string, more = {}) => ({ status, body: { error: { message, ...more } } });

describe('judgeAnswer', () => {
  it.each<[Event, number, string, object]>([
    ['sale', 400, 'Customer not found. Provide customer_key or click_id.', { reason: 'customer_not_found' }],
    ['sale', 400, 'No affiliate attribution found for this customer in this program', { reason: 'no_attribution' }],
    ['sale', 400, 'No partner-program relationship found for this customer', { reason: 'no_relationship' }],
    ['refund', 404, 'Sale not found for transaction_id', { reason: 'sale_not_found' }],
    ['lead', 400, 'Customer not found. Provide a valid click_id or customer_key.', { reason: 'customer_not_found' }],
  ])('%s %i %s: the event concerns no partner, which is not an error', (event, status, message, expected) => {
    const outcome = judgeAnswer(event, refusal(status, message), true);
    expect(outcome).toEqual({ ok: true, outcome: 'unattributed', ...expected });
  });

  it('a sale outside the attribution window concerns no partner either', () => {
    const body = { success: true, data: { attributed: false, reason: 'attribution_window_expired', sale_id: null } };
    expect(judgeAnswer('sale', { status: 200, body }, true)).toEqual({
      ok: true,
      outcome: 'unattributed',
      reason: 'attribution_window_expired',
    });
  });

  it.each<[Event, number, string]>([
    ['sale', 409, 'Duplicate transaction_id. This sale has already been recorded.'],
    ['lead', 400, 'Customer status cannot be updated to lead. Current status: lead'],
  ])('%s %i: recorded before, which is success unless the caller wants to know', (event, status, message) => {
    expect(judgeAnswer(event, refusal(status, message), true)).toEqual({ ok: true, outcome: 'already_recorded' });
    expect(judgeAnswer(event, refusal(status, message), false)).toMatchObject({
      ok: false,
      outcome: 'failed',
      error: { status, message, isRetryable: false },
    });
  });

  it('a sale whose commission could not be created is recorded, and not sent again', () => {
    expect(judgeAnswer('sale', refusal(500, 'Failed to create commission'), false)).toEqual({
      ok: true,
      outcome: 'commission_pending',
    });
  });

  it.each<[number, object, string, boolean]>([
    [400, {}, 'invalid_request', false],
    [401, {}, 'unauthorized', false],
    [401, { code: 'api_key_rotation_required', hint: 'Regenerate it' }, 'api_key_rotation_required', false],
    [403, {}, 'forbidden', false],
    [404, {}, 'not_found', false],
    [409, {}, 'conflict', false],
    [413, {}, 'unexpected_response', false],
    [429, { code: 'rate_limited', retry_after_seconds: 7 }, 'rate_limited', true],
    [500, {}, 'service_failed', true],
    [503, {}, 'service_failed', true],
  ])('%i %j is the error %s', (status, more, code, isRetryable) => {
    const outcome = judgeAnswer('sale', { ...refusal(status, 'Why', more), requestId: 'req_1' }, true);
    expect(outcome).toMatchObject({ ok: false, outcome: 'failed' });
    const error = outcome.outcome === 'failed' ? outcome.error : undefined;
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'SvcError', code, status, message: 'Why', requestId: 'req_1', isRetryable });
    if ('retry_after_seconds' in more) expect(error?.retryAfterSeconds).toBe(7);
    if ('hint' in more) expect(error?.hint).toBe('Regenerate it');
  });

  it('a call whose idempotency key is in use is retried', () => {
    const answer = { ...refusal(409, 'A request with this Idempotency-Key is in progress'), retryAfterSeconds: 1 };
    expect(judgeAnswer('sale', answer, true)).toMatchObject({ outcome: 'failed', error: { isRetryable: true } });
  });

  it.each([undefined, null, 'ok', [], {}, { ok: true }, { success: false }, { success: 'true' }])(
    'a success that does not say so comes from something in between: %j',
    (body) => {
      for (const event of ['click', 'lead', 'sale', 'refund', 'batch'] as const) {
        expect(judgeAnswer(event, { status: 200, body }, true)).toMatchObject({
          ok: false,
          error: { code: 'unexpected_response', isRetryable: true },
        });
      }
    },
  );
});
