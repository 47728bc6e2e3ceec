import { randomUUID } from 'node:crypto';
import { type PolarEvent, PolarEvents, polarSigned } from '@svc/testkit/service/payments/polar.ts';
import { SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { ledger, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

// Polar refunds the tax of companies that prove where they are at home. They have still paid the net amount.
const service = useService();

type Settings = Parameters<typeof service.program>[0];
type Refunded = { cents: number; tax: number; status?: string };

async function send(programId: number, event: PolarEvent): Promise<void> {
  const body = JSON.stringify(event);
  const headers = polarSigned(body, service.time);
  const { status } = await service.call('POST', `/api/v1/webhooks/polar/${programId}`, { body, headers });
  expect(status).toBe(200);
  await settle(service);
}

/** What is left of an order of 59.50, of which 9.50 are tax, after these refunds, told by every event that Polar has for them. */
async function after(settings: Settings, refunds: Refunded[], arrange = (events: PolarEvent[]) => events) {
  const made = await service.program({ commissionType: 'percent', commissionRate: '20', ...settings });
  await SHOPS.polar(service).connect(made);
  await service.customer(made, 'user-1');
  const polar = new PolarEvents(service.time);
  const [id, metadata] = [randomUUID(), { svc_customer_key: 'user-1' }];
  const order = polar.order({ id, cents: 5_950, tax: 950, metadata });
  const events = [polar.event('order.paid', order)];
  const total = { refunded_amount: 0, refunded_tax_amount: 0 };
  for (const { cents, tax, status = 'succeeded' } of refunds) {
    const refund = polar.refund({ order: id, cents, tax, status: 'pending' });
    events.push(polar.event('refund.created', refund), polar.event('refund.updated', { ...refund, status }));
    if (status !== 'succeeded') continue;
    total.refunded_amount += cents - tax;
    total.refunded_tax_amount += tax;
    events.push(polar.event('order.refunded', { ...order, ...total }));
  }
  for (const event of arrange(events)) await send(made.program.id, event);
  const [row] = await ledger(service, made.program.id);
  return [row?.refunded, row?.commission, row?.deducted, row?.reversal];
}

const TAX_ALONE = { cents: 950, tax: 950 };
const HALF = { cents: 2_975, tax: 475 };
const HALF_NET = { cents: 2_500, tax: 0 };

describe('a commission on the net amount', () => {
  it.each<[string, Refunded[], unknown[]]>([
    ['keeps all of it when only tax is refunded', [TAX_ALONE], [950, 1_000, 0, 'partial']],
    ['loses half with half of the order', [HALF], [2_975, 1_000, 500, 'partial']],
    ['loses half with half of the net amount alone', [HALF_NET], [2_500, 1_000, 500, 'partial']],
    ['loses the rest after the tax', [TAX_ALONE, HALF_NET], [3_450, 1_000, 500, 'partial']],
    ['is reversed with everything', [TAX_ALONE, { cents: 5_000, tax: 0 }], [5_950, 1_000, 1_000, 'full']],
    ['loses nothing by a refund that failed', [{ ...HALF, status: 'failed' }, TAX_ALONE], [950, 1_000, 0, 'partial']],
  ])('%s, in any order', async (_what, refunds, expected) => {
    expect(await after({}, refunds)).toEqual(expected);
    expect(await after({}, refunds, (events) => events.toReversed())).toEqual(expected);
  });
});

it('a commission on all that was paid loses its share of the tax too', async () => {
  // 20 % of 59.50 is 11.90; of that, 950 of 5,950 are taken back.
  expect(await after({ commissionBase: 'gross' }, [TAX_ALONE])).toEqual([950, 1_190, 190, 'partial']);
});
