import type { CommissionBase } from '@svc/contract';
import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import {
  deliver,
  GENERATIONS,
  type Generation,
  ledger,
  newId,
  StripeEvents,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { explain } from '../reporting/explain.ts';

// The same purchase earns the same, whether the backend reports it to /track/sale or Stripe does.
const service = useService();

type Purchase = { cents: number; tax?: number; shipping?: number };
type Program = { id: number; apiKey: string };
/** Reports a purchase of `user-1` and returns its transaction id. */
type Door = (program: Program, purchase: Purchase) => Promise<string>;

const metadata = { svc_customer_key: 'user-1' };

const overApi: Door = async ({ apiKey }, { cents, tax, shipping }) => {
  const transaction_id = newId('order');
  const body = {
    transaction_id,
    customer_key: 'user-1',
    amount_cents: cents,
    tax_cents: tax,
    shipping_cents: shipping,
  };
  await service.sale(body, { key: apiKey });
  return transaction_id;
};

const overCheckout =
  (generation: Generation): Door =>
  async ({ id }, purchase) => {
    const stripe = new StripeEvents(generation, service.time);
    const session = stripe.session({ metadata, ...purchase });
    await deliver(service, id, stripe.event('checkout.session.completed', session));
    return session.payment_intent;
  };

const overInvoice =
  (generation: Generation): Door =>
  async ({ id }, purchase) => {
    const stripe = new StripeEvents(generation, service.time);
    const invoice = stripe.invoice({ metadata, ...purchase });
    await deliver(service, id, stripe.event('invoice.paid', invoice));
    return invoice.id;
  };

const doors: [string, Door][] = [
  ['/track/sale', overApi],
  ...GENERATIONS.flatMap((generation): [string, Door][] => [
    [`a checkout of the ${generation} API`, overCheckout(generation)],
    [`an invoice of the ${generation} API`, overInvoice(generation)],
  ]),
];

const cases: [CommissionBase, Purchase, commission: number][] = [
  ['net', { cents: 11_900, tax: 1_900 }, 2_000],
  ['gross', { cents: 11_900, tax: 1_900 }, 2_380],
  ['net', { cents: 12_490, tax: 1_995, shipping: 495 }, 2_000],
  ['gross', { cents: 12_490, tax: 1_995, shipping: 495 }, 2_498],
  ['net', { cents: 10_000 }, 2_000],
  // 20% of 8,403 is 1,680.6, and of 8,402 it is 1,680.4.
  ['net', { cents: 10_000, tax: 1_597 }, 1_681],
  ['net', { cents: 10_000, tax: 1_598 }, 1_680],
  ['net', { cents: 100, tax: 100 }, 0],
];

describe.each(doors)('a purchase reported by %s', (_name, report) => {
  it.each(cases)('under %s terms, of %o, earns %i', async (commissionBase, purchase, commission) => {
    const program = await withBuyer(service, { commissionBase });
    await report(program, purchase);
    expect(await ledger(service, program.id)).toMatchObject([{ cents: purchase.cents, commission }]);
  });
});

describe('tax and shipping of a sale', () => {
  const purchase = { cents: 12_490, tax: 1_995, shipping: 495 };
  const shown = {
    amount_cents: 12_490,
    tax_cents: 1_995,
    shipping_cents: 495,
    commission_base: 'net',
    base_cents: 10_000,
  };

  it.each(doors.slice(0, 2))('reported by %s are shown with it, exported and explained', async (_name, report) => {
    const buyer = await withBuyer(service, { commissionBase: 'net' });
    const { token: key } = await memberOf(service, buyer.workspaceId);
    const transactionId = await report(buyer, purchase);
    const { body: sales } = await service.call('GET', manage(buyer, '/sales'), { key });
    expect(sales.data).toMatchObject([{ ...shown, terms_version: 1 }]);
    const { body: commissions } = await service.call('GET', manage(buyer, '/commissions'), { key });
    expect(commissions.data).toMatchObject([{ commission_cents: 2_000, base_cents: 10_000, terms_version: 1 }]);
    const { text } = await service.call('GET', manage(buyer, '/export/sales.csv'), { key });
    const [header = '', row = ''] = text.split('\r\n');
    const cells = Object.fromEntries(header.split(',').map((name, index) => [name, row.split(',')[index]]));
    expect(cells).toMatchObject({
      tax_cents: '1995',
      shipping_cents: '495',
      commission_base: 'net',
      base_cents: '10000',
    });
    const [decision] = await explain(service.ctx, buyer.id, { transactionId });
    expect(decision?.facts).toMatchObject(shown);
  });

  it('are shown with a fixed commission too, which is not computed from them', async () => {
    const buyer = await withBuyer(service, { commissionType: 'fixed', commissionRate: '5' });
    const { token: key } = await memberOf(service, buyer.workspaceId);
    await overApi(buyer, purchase);
    const { body: sales } = await service.call('GET', manage(buyer, '/sales'), { key });
    expect(sales.data).toMatchObject([{ ...shown, base_cents: null }]);
    expect(await ledger(service, buyer.id)).toMatchObject([{ commission: 500 }]);
  });

  it('are stored with a test sale as well', async () => {
    const buyer = await withBuyer(service);
    const additional_data = { test_mode: true };
    const { body } = await service.sale({ tax_cents: 19, shipping_cents: 0, additional_data }, { key: buyer.apiKey });
    const [row] = await service.sql('select amount_cents, tax_cents, shipping_cents from sales where id = $1', [
      body.data.sale_id,
    ]);
    expect(row).toEqual({ amount_cents: 100, tax_cents: 19, shipping_cents: 0 });
  });
});

describe('refunds under net terms', () => {
  it.each(doors.slice(0, 2))(
    'of a sale reported by %s deduct exactly the commission, in any parts',
    async (_name, report) => {
      const buyer = await withBuyer(service, { commissionBase: 'net', commissionRate: '3.3333' });
      const transaction_id = await report(buyer, { cents: 9_999, tax: 1_597, shipping: 333 });
      const [before] = await ledger(service, buyer.id);
      expect(before).toMatchObject({ commission: 269, deducted: 0 });
      for (const refund_amount_cents of [1, 3_333, 33, 0]) {
        expect((await service.refund({ transaction_id, refund_amount_cents }, { key: buyer.apiKey })).status).toBe(200);
        const [now] = await ledger(service, buyer.id);
        const share = (269 * Number(now?.refunded)) / 9_999;
        expect(Math.abs(Number(now?.deducted) - share)).toBeLessThanOrEqual(0.5);
      }
      expect(await ledger(service, buyer.id)).toMatchObject([{ refunded: 9_999, deducted: 269, reversal: 'full' }]);
    },
  );
});
