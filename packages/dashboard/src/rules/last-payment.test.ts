import { describe, expect, it } from 'vitest';
import { isLastPaymentMatched } from './last-payment.ts';

const event = (outcome: string | null, customer: number | null = null, transaction: string | null = null) => ({
  outcome,
  customer_id: customer,
  transaction_id: transaction,
});
const MATCHED = event('recorded', 7, 'pi_1');
const IGNORED = event('not_used');

describe('whether the last payment was matched to a customer', () => {
  it.each([
    ['no events', [], undefined],
    ['events that are no payments', [IGNORED, event('payer_known', 7), event('refunded', null, 'pi_1')], undefined],
    ['an event that is not processed yet', [event(null)], undefined],
    ['a payment of a customer', [IGNORED, MATCHED], true],
    ['a payment of nobody', [event('no_customer', null, 'pi_2')], false],
    ['a test payment of nobody', [event('test_no_customer', null, 'pi_2'), MATCHED], false],
    [
      'a test payment of a customer, after one of nobody',
      [event('test_recorded', 7, 'pi_3'), event('no_customer')],
      true,
    ],
  ])('%s', (_case, events, expected) => {
    expect(isLastPaymentMatched(events)).toBe(expected);
  });
});
