import { connectPaddle, deliverPaddle, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import { ledger, newId } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

// A company that gives its VAT number after the payment gets the tax back, and has still paid the net amount.
const service = useService();

type Settings = Parameters<typeof service.program>[0];
type Adjusted = { cents: number; tax?: number; action?: string };

/** What is left of a payment of 59.50, of which 9.50 are tax, after these adjustments in turn. */
async function after(settings: Settings, ...adjusted: Adjusted[]) {
  const made = await service.program({ commissionType: 'percent', commissionRate: '20', ...settings });
  await connectPaddle(service, made);
  await service.customer(made, 'user-1');
  const paddle = new PaddleEvents(service.time);
  const transaction = newId('txn');
  const paid = paddle.transaction({
    id: transaction,
    cents: 5_950,
    tax: 950,
    customData: { svc_customer_key: 'user-1' },
  });
  await deliverPaddle(service, made.program.id, paddle.event('transaction.completed', paid));
  for (const one of adjusted) {
    const adjustment = paddle.adjustment({ transaction, ...one });
    await deliverPaddle(service, made.program.id, paddle.event('adjustment.updated', adjustment));
  }
  const [row] = await ledger(service, made.program.id);
  return [row?.refunded, row?.commission, row?.deducted, row?.reversal];
}

const TAX_ALONE = { cents: 950, tax: 950 };

describe('a commission on the net amount', () => {
  it.each<[string, Adjusted[], unknown[]]>([
    ['keeps all of it when only tax is refunded', [TAX_ALONE], [950, 1_000, 0, 'partial']],
    ['loses half with half of the net amount', [{ cents: 2_975, tax: 475 }], [2_975, 1_000, 500, 'partial']],
    ['loses half with half of the net amount alone', [{ cents: 2_500, tax: 0 }], [2_500, 1_000, 500, 'partial']],
    ['loses a share of the whole where tax is not named', [{ cents: 2_975 }], [2_975, 1_000, 500, 'partial']],
    ['loses the rest after the tax', [TAX_ALONE, { cents: 2_500, tax: 0 }], [3_450, 1_000, 500, 'partial']],
    ['is reversed with everything', [TAX_ALONE, { cents: 5_000, tax: 0 }], [5_950, 1_000, 1_000, 'full']],
    [
      'is held back with a chargeback',
      [{ cents: 5_950, tax: 950, action: 'chargeback' }],
      [5_950, 1_000, 1_000, 'full'],
    ],
  ])('%s', async (_what, adjusted, expected) => {
    expect(await after({}, ...adjusted)).toEqual(expected);
  });
});

it('a commission on all that was paid loses its share of the tax too', async () => {
  // 20 % of 59.50 is 11.90; of that, 950 of 5,950 are taken back.
  expect(await after({ commissionBase: 'gross' }, TAX_ALONE)).toEqual([950, 1_190, 190, 'partial']);
});

it('a fixed commission of a program that pays on net amounts keeps all of it too', async () => {
  expect(await after({ commissionType: 'fixed', commissionRate: '10' }, TAX_ALONE)).toEqual([950, 1_000, 0, 'partial']);
});
