import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import {
  type Buyer,
  deliver,
  GENERATIONS,
  type Generation,
  ledger,
  newId,
  OWN,
  StripeEvents,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** A payment of 5,000 that Stripe reports by its payment intent, by its invoice, and by the link between the two. */
class Payment {
  readonly stripe: StripeEvents;
  readonly made: Buyer;
  readonly paymentIntent = newId('pi');
  readonly invoice: ReturnType<StripeEvents['invoice']>;

  constructor(made: Buyer, generation: Generation) {
    this.made = made;
    this.stripe = new StripeEvents(generation, service.time);
    this.invoice = this.stripe.invoice({ ...OWN, paymentIntent: this.paymentIntent });
  }

  #deliver = (type: string, object: object) => deliver(service, this.made.id, this.stripe.event(type, object));

  session = () =>
    this.#deliver('checkout.session.completed', this.stripe.session({ ...OWN, paymentIntent: this.paymentIntent }));
  intent = () =>
    this.#deliver('payment_intent.succeeded', this.stripe.paymentIntent({ ...OWN, id: this.paymentIntent }));
  paid = () => this.#deliver('invoice.paid', this.invoice);
  link = () =>
    this.#deliver(
      'invoice_payment.paid',
      this.stripe.invoicePayment(this.invoice.id, this.paymentIntent, { cents: 5_000 }),
    );
  refund = () =>
    this.#deliver(
      'charge.refunded',
      this.stripe.charge({ paymentIntent: this.paymentIntent, cents: 5_000, refunded: 2_000 }),
    );
  reportIntent = () => this.report(this.paymentIntent);
  reportInvoice = () => this.report(this.invoice.id);

  async report(transactionId: string): Promise<string> {
    const sale = { transaction_id: transactionId, amount_cents: 5_000, customer_key: 'user-1' };
    return String((await service.sale(sale, { key: this.made.apiKey })).status);
  }
}

type Step = 'session' | 'intent' | 'paid' | 'link' | 'refund' | 'reportIntent' | 'reportInvoice';

function orders<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** Orders in which each step comes first once and last once. Of the older version, which only reads otherwise, one. The long form tries all. */
function triedOrders(steps: Step[], generation: Generation): Step[][] {
  if (process.env.SVC_TEST_LONG) return orders(steps);
  const turned = steps.map((_, index) => [...steps.slice(index), ...steps.slice(0, index)]);
  return generation === '2026' ? turned : turned.slice(-1);
}

describe.each(GENERATIONS)('one payment under two ids, on API version %s', (generation) => {
  it.each<[string, Step[]]>([
    ['a checkout and its invoice', ['session', 'paid', 'link']],
    ['a payment intent and its invoice', ['intent', 'paid', 'link']],
    ['a payment intent that the shop reports, and its invoice', ['reportIntent', 'paid', 'link']],
    ['an invoice that the shop reports, and its payment intent', ['reportInvoice', 'intent', 'link']],
  ])('%s are one sale in any order', async (_name, steps) => {
    for (const [index, order] of triedOrders(steps, generation).entries()) {
      const made = await withBuyer(service);
      const payment = new Payment(made, generation);
      for (const step of order.toSpliced(index % 4, 0, 'refund')) await payment[step]();
      const money = { cents: 5_000, commission: 1_000, refunded: 2_000, deducted: 400 };
      // What the shop reports is not recorded again, so it may stay under the id of the payment.
      const id = steps.includes('paid') ? payment.invoice.id : expect.any(String);
      expect([order, await ledger(service, made.id)]).toMatchObject([order, [{ id, ...money }]]);
      const [counted] = await service.sql(
        `select coalesce(sum(sales), 0)::int as sales, coalesce(sum(revenue_cents), 0)::int as revenue,
           coalesce(sum(commission_cents), 0)::int as commission from count_deltas where program_id = $1`,
        [made.id],
      );
      expect(counted).toEqual({ sales: 1, revenue: 5_000, commission: 600 });
    }
  });

  it('the shop’s report of either id is a duplicate afterwards, and the refund of either is one of the sale', async () => {
    const made = await withBuyer(service);
    const payment = new Payment(made, generation);
    await payment.paid();
    await payment.link();
    expect([await payment.reportIntent(), await payment.reportInvoice()]).toEqual(['409', '409']);
    const refund = { transaction_id: payment.paymentIntent, refund_amount_cents: 1_000 };
    const { status, body } = await service.refund(refund, { key: made.apiKey });
    expect([status, body.data]).toMatchObject([200, { refunded_cents: 1_000, deduction_cents: 200 }]);
    expect(await ledger(service, made.id)).toMatchObject([{ id: payment.invoice.id, refunded: 1_000, deducted: 200 }]);
  });

  it('what the shop reported as refunded of the one stays refunded of the other', async () => {
    const made = await withBuyer(service);
    const payment = new Payment(made, generation);
    await payment.intent();
    const refund = { transaction_id: payment.paymentIntent, refund_amount_cents: 1_500, refund_id: 'r-1' };
    await service.refund(refund, { key: made.apiKey });
    await payment.paid();
    await payment.link();
    const once = [{ id: payment.invoice.id, refunded: 1_500, deducted: 300, reversal: 'partial' }];
    expect(await ledger(service, made.id)).toMatchObject(once);
    await service.refund(refund, { key: made.apiKey });
    await payment.refund();
    expect(await ledger(service, made.id)).toMatchObject([{ refunded: 2_000, deducted: 400 }]);
  });

  it('a commission that was paid is deducted from the partner’s balance, and the invoice earns its own', async () => {
    const made = await withBuyer(service, { holdDays: 0 });
    const payment = new Payment(made, generation);
    await payment.intent();
    const owned = { ...made, owner: await memberOf(service, made.workspaceId) };
    const [commission] = await service.sql('select id from commissions where program_id = $1', [made.id]);
    await asOwner(service, owned, 'POST', `/commissions/${commission?.id}/approve`);
    expect(await paidOut(service, owned)).toMatchObject([{ amount_cents: 1_000 }]);
    await payment.paid();
    await payment.link();
    const rows = (await ledger(service, made.id)).sort((one, other) => String(one.id).localeCompare(String(other.id)));
    expect(rows).toMatchObject([
      { id: payment.invoice.id, refunded: 0, commission: 1_000, deducted: 0, stage: 'pending' },
      { id: payment.paymentIntent, refunded: 5_000, commission: 1_000, deducted: 1_000, reversal: 'full' },
    ]);
  });

  it('explain tells the story of both ids under each', async () => {
    const made = await withBuyer(service);
    const owner = await memberOf(service, made.workspaceId);
    const payment = new Payment(made, generation);
    await payment.intent();
    await payment.paid();
    await payment.link();
    await payment.reportIntent();
    const explained = async (id: string) => {
      const { body } = await service.call('GET', manage(made, `/explain?transaction_id=${id}`), { key: owner.token });
      return body.data.map((row: Record<string, unknown>) => [row.transaction_id, row.reason, row.facts]);
    };
    const recordedAs = expect.objectContaining({ recorded_as: payment.invoice.id });
    const story = await explained(payment.paymentIntent);
    expect(story).toEqual([
      [payment.paymentIntent, 'sale_attributed', expect.anything()],
      [payment.invoice.id, 'sale_attributed', expect.anything()],
      [payment.paymentIntent, 'payment_counted_once', recordedAs],
      [payment.paymentIntent, 'duplicate_transaction', recordedAs],
    ]);
    expect(await explained(payment.invoice.id)).toEqual(story);
    if (generation === '2024') expect(story[1][2]).toMatchObject({ paid_by: [payment.paymentIntent] });
  });

  it('a payment intent counts by itself while nobody knows who paid its invoice', async () => {
    const made = await withBuyer(service);
    const payment = new Payment(made, generation);
    const stranger = { ...payment.invoice, parent: null, subscription_details: null };
    await payment.intent();
    await deliver(service, made.id, payment.stripe.event('invoice.paid', stranger));
    await payment.link();
    expect(await ledger(service, made.id)).toMatchObject([{ id: payment.paymentIntent, commission: 1_000 }]);
  });
});

describe('one payment for two invoices', () => {
  const paidInvoices = async (cents: [number, number]) => {
    const made = await withBuyer(service, { commissionRate: '10' });
    const stripe = new StripeEvents('2026', service.time);
    const paymentIntent = newId('pi');
    const invoices = cents.map((amount) => stripe.invoice({ ...OWN, cents: amount, subscription: newId('sub') }));
    const paid = invoices.map((invoice) => stripe.event('invoice.paid', invoice));
    const links = invoices.map((invoice) =>
      stripe.event(
        'invoice_payment.paid',
        stripe.invoicePayment(invoice.id, paymentIntent, { cents: invoice.amount_paid }),
      ),
    );
    return { made, stripe, paymentIntent, invoices, events: [...paid, ...links] };
  };

  it.each<[string, [number, number], number, [number, number]]>([
    ['in proportion', [3_000, 1_000], 2_000, [1_500, 500]],
    ['exact to the cent', [1_000, 2_000], 1_000, [333, 667]],
    ['in full', [1_999, 3_001], 5_000, [1_999, 3_001]],
  ])('a refund reaches both %s, in any order', async (_name, cents, refunded, shares) => {
    for (const turn of [0, 1, 2, 3, 4]) {
      const { made, stripe, paymentIntent, invoices, events } = await paidInvoices(cents);
      const [whole] = [cents[0] + cents[1]];
      const refund = stripe.event('charge.refunded', stripe.charge({ paymentIntent, cents: whole, refunded }));
      await deliver(service, made.id, ...events.toSpliced(turn, 0, refund));
      const rows = new Map((await ledger(service, made.id)).map((row) => [row.id, row.refunded]));
      expect([turn, invoices.map(({ id }) => rows.get(id))]).toEqual([turn, shares]);
    }
  });

  it('a dispute holds back both, and winning it restores both', async () => {
    const { made, stripe, paymentIntent, events } = await paidInvoices([3_000, 1_000]);
    const of = { id: 'dp_1', charge: newId('ch'), paymentIntent, cents: 4_000 };
    await deliver(service, made.id, ...events, stripe.event('charge.dispute.created', stripe.dispute(of)));
    const refunded = async () => (await ledger(service, made.id)).map((row) => row.refunded).sort();
    expect(await refunded()).toEqual([1_000, 3_000]);
    await deliver(service, made.id, stripe.event('charge.dispute.closed', stripe.dispute({ ...of, status: 'won' })));
    expect(await refunded()).toEqual([0, 0]);
  });
});
