import type { CommissionType } from '@svc/contract';
import {
  connectStripe,
  deliver,
  GENERATIONS,
  ledger,
  newId,
  OWN,
  outcomeOf,
  StripeEvents,
  settle,
  stripeEvents,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { refuseCommissions } from '@svc/testkit/service/sold.ts';
import { customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { repairCommissions } from '../../../jobs/repair-commissions.ts';
import { runJob } from '../../../jobs/run-jobs.ts';

const service = useService();

const events = stripeEvents(service);
const DAY = 86_400;
const RENEWAL = 'subscription_cycle';

describe('the amount of a sale', () => {
  it('is amount_total of a session, including tax, shipping and discounts', async () => {
    const { id } = await withBuyer(service, { commissionBase: 'gross' });
    const stripe = events();
    const total_details = { amount_discount: 1_000, amount_shipping: 500, amount_tax: 950 };
    const session = stripe.session({ ...OWN, cents: 5_450, extra: { amount_subtotal: 5_000, total_details } });
    await deliver(service, id, stripe.event('checkout.session.completed', session));
    expect(await ledger(service, id)).toMatchObject([{ cents: 5_450, commission: 1_090 }]);
  });

  it.each(GENERATIONS)('is amount_paid of an invoice, not its total, on API version %s', async (generation) => {
    const { id } = await withBuyer(service, { commissionBase: 'gross' });
    const stripe = events(generation);
    const extra = { total: 9_000, subtotal: 8_000, tax: 1_000, amount_due: 7_000, starting_balance: -2_000 };
    await deliver(service, id, stripe.event('invoice.paid', stripe.invoice({ ...OWN, cents: 7_000, extra })));
    expect(await ledger(service, id)).toMatchObject([{ cents: 7_000, commission: 1_400 }]);
  });

  it.each([
    ['jpy', 5_000, 5_000, 1_000],
    ['kwd', 5_120, 5_120, 1_024],
    ['eur', 999, 999, 200],
    ['isk', 500_000, 5_000, 1_000],
    ['ugx', 250_000, 2_500, 500],
    ['mga', 3_000, 300_000, 60_000],
  ])('in %s is converted from %i at Stripe to %i in the smallest unit', async (currency, cents, stored, commission) => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session({ ...OWN, cents, currency });
    await deliver(service, id, stripe.event('checkout.session.completed', session));
    expect(await ledger(service, id)).toMatchObject([{ cents: stored, currency: currency.toUpperCase(), commission }]);
  });

  it('is not recorded for the invoice of a trial, which confirms the lead', async () => {
    const made = await service.program({ leadAuth: 'server_required' });
    await connectStripe(service, made);
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'trial' });
    const stripe = events();
    const trial = stripe.invoice({ metadata: { svc_customer_key: 'trial' }, cents: 0 });
    expect(await deliver(service, made.program.id, stripe.event('invoice.paid', trial))).toBe('zero_amount');
    expect(await customerOf(service, clickId)).toMatchObject({
      lead_state: 'settled',
      status: 'lead',
      converted_at: null,
    });
    expect(await ledger(service, made.program.id)).toEqual([]);
  });

  it('is not recorded for a session that requires no payment', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session({ ...OWN, cents: 0, extra: { payment_status: 'no_payment_required' } });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('payer_known');
    expect(await ledger(service, id)).toEqual([]);
  });
});

describe('a subscription', () => {
  const kinds: [CommissionType, string, number | null, (number | null)[]][] = [
    ['percent', '20', null, [1_000, null, null, null]],
    ['fixed', '7.5', null, [750, null, null, null]],
    ['recurring_percent', '20', null, [1_000, 1_000, 1_000, 1_000]],
    ['recurring_fixed', '7.5', null, [750, 750, 750, 750]],
    ['recurring_percent', '20', 2, [1_000, 1_000, null, null]],
    ['recurring_fixed', '7.5', 1, [750, null, null, null]],
  ];

  it.each(kinds.flatMap((kind) => GENERATIONS.map((generation) => [...kind, generation] as const)))(
    'with terms %s %s for %j months earns %j, on API version %s',
    async (commissionType, commissionRate, recurringMonths, expected, generation) => {
      const { id } = await withBuyer(service, { commissionType, commissionRate, recurringMonths });
      const begin = service.time;
      const stripe = events(generation);
      const [customer, subscription] = [newId('cus'), newId('sub')];
      for (let month = 0; month < 4; month += 1) {
        const reason = month === 0 ? 'subscription_create' : RENEWAL;
        const invoice = stripe.invoice({ ...(month === 0 && OWN), customer, subscription, reason });
        expect(await deliver(service, id, stripe.event('invoice.payment_succeeded', invoice))).toBe('recorded');
        service.advance({ days: 31 });
        stripe.at += 31 * DAY;
      }
      service.time = begin;
      const rows = await service.sql(
        `select s.is_recurring, s.sale_type, s.subscription_id, c.commission_cents from sales s
         left join commissions c on c.sale_id = s.id where s.program_id = $1 order by s.id`,
        [id],
      );
      expect(rows).toEqual(
        expected.map((commission_cents, month) => ({
          is_recurring: month > 0,
          sale_type: 'subscription',
          subscription_id: subscription,
          commission_cents,
        })),
      );
    },
  );

  it.each(['subscription_create', 'subscription_update', 'subscription_threshold', 'manual'])(
    'is a first payment whatever its billing_reason: %s',
    async (reason) => {
      const { id } = await withBuyer(service);
      const stripe = events();
      await deliver(service, id, stripe.event('invoice.paid', stripe.invoice({ ...OWN, reason })));
      expect(await ledger(service, id)).toMatchObject([{ recurring: false, commission: 1_000 }]);
    },
  );

  it('whose renewal arrives before its first payment earns no commission beyond its months', async () => {
    const terms = { commissionType: 'recurring_percent', recurringMonths: 1 } as const;
    const { id } = await withBuyer(service, terms);
    const begin = service.time;
    const stripe = events();
    const subscription = newId('sub');
    const first = stripe.event('invoice.paid', stripe.invoice({ ...OWN, subscription }));
    stripe.at += 45 * DAY;
    const second = stripe.event('invoice.paid', stripe.invoice({ ...OWN, subscription, reason: RENEWAL }));
    service.advance({ days: 46 });
    await deliver(service, id, second, first);
    service.time = begin;
    const rows = await ledger(service, id);
    expect(rows.map(({ recurring, commission }) => [recurring, commission]).sort()).toEqual([
      [false, 1_000],
      [true, null],
    ]);
  });
});

describe('a payment counts once', () => {
  it.each([
    ['session', 0],
    ['invoice', 1],
  ])('as the invoice of a one-off session, if the %s arrives first', async (_object, first) => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const [customer, paymentIntent] = [newId('cus'), newId('pi')];
    const invoice = stripe.invoice({ customer, paymentIntent, reason: 'manual', extra: { parent: null } });
    const session = stripe.session({ ...OWN, customer, paymentIntent, extra: { invoice: invoice.id } });
    const both = [stripe.event('checkout.session.completed', session), stripe.event('invoice.paid', invoice)];
    await deliver(service, id, ...(first === 0 ? both : both.reverse()));
    await settle(service);
    expect((await ledger(service, id)).map((sale) => sale.id)).toEqual([invoice.id]);
    // The payment is known to belong to the invoice.
    const charge = stripe.charge({ paymentIntent, cents: 5_000, refunded: 5_000 });
    expect(await deliver(service, id, stripe.event('charge.refunded', charge))).toBe('refunded');
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('if it is reported over /track/sale %s Stripe reports it', async (_order, isFirst) => {
    const { id, apiKey } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session(OWN);
    const event = stripe.event('checkout.session.completed', session);
    const sale = { transaction_id: session.payment_intent, amount_cents: 5_000, customer_key: 'user-1' };
    if (isFirst) {
      expect((await service.sale(sale, { key: apiKey })).status).toBe(200);
      expect(await deliver(service, id, event)).toBe('duplicate');
    } else {
      expect(await deliver(service, id, event)).toBe('recorded');
      expect((await service.sale(sale, { key: apiKey })).status).toBe(409);
    }
    expect(await ledger(service, id)).toMatchObject([{ id: session.payment_intent, cents: 5_000, commission: 1_000 }]);
  });
});

describe('the attribution window', () => {
  async function clickedOnly() {
    const made = await service.program({ attributionWindowDays: 7 });
    await connectStripe(service, made);
    const clickId = await service.clickId(made.link);
    const stripe = events();
    const paidOn = (day: number) => {
      const at = new StripeEvents('2026', new Date(stripe.at * 1000 + day * DAY * 1000));
      return at.event('checkout.session.completed', at.session({ metadata: { svc_click_id: clickId } }));
    };
    return { made, id: made.program.id, clickId, paidOn };
  }

  it('excludes a payment after its end', async () => {
    const { made, id, clickId, paidOn } = await clickedOnly();
    service.advance({ days: 9 });
    expect(await deliver(service, id, paidOn(8))).toBe('outside_window');
    expect(await ledger(service, id)).toEqual([]);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click', converted_at: null });
    expect((await decisionsOf(service, made)).map(({ reason }) => reason)).toEqual(['attribution_window_expired']);
  });

  it.each([
    ['while it is still retried', []],
    ['after all retries were used', [10, 400, 86_400]],
  ])('includes a later payment once one within the window arrives, %s', async (_when, waits) => {
    const { id, paidOn } = await clickedOnly();
    service.advance({ days: 9 });
    const late = paidOn(8);
    await deliver(service, id, late);
    for (const seconds of waits) {
      service.advance({ seconds });
      await settle(service);
    }
    const [row] = await service.sql('select state from processor_events where event_id = $1', [late.id]);
    expect(row).toEqual({ state: waits.length === 0 ? 'waiting' : 'done' });
    const early = paidOn(6);
    expect(await deliver(service, id, early)).toBe('recorded');
    await settle(service);
    expect(await outcomeOf(service, id, late.id)).toBe('recorded');
    expect(await ledger(service, id)).toHaveLength(2);
  });

  it('is compared with the time of the payment, not of its event', async () => {
    const { id, paidOn } = await clickedOnly();
    service.advance({ days: 100 });
    expect(await deliver(service, id, paidOn(7))).toBe('recorded');
    const [sale] = await service.sql<{ created_at: Date }>('select created_at from sales where program_id = $1', [id]);
    expect(service.time.getTime() - Number(sale?.created_at)).toBe(93 * DAY * 1000);
  });

  it('excludes a payment that is older than the click', async () => {
    const { id, paidOn } = await clickedOnly();
    expect(await deliver(service, id, paidOn(-1))).toBe('click_after_payment');
    expect(await ledger(service, id)).toEqual([]);
  });
});

describe('a payment', () => {
  it.each(['blocked', 'removed'] as const)('is not recorded if the partner is %s', async (status) => {
    const { id } = await withBuyer(service);
    await service.sql('update memberships set status = $2 where program_id = $1', [id, status]);
    const stripe = events();
    const event = stripe.event('checkout.session.completed', stripe.session(OWN));
    expect(await deliver(service, id, event)).toBe(`partner_${status}`);
    expect(await ledger(service, id)).toEqual([]);
  });

  it('owes its commission while the partner’s record is missing', async () => {
    const { id, customerId, partnerId } = await withBuyer(service);
    await service.sql('update customers set partner_id = null where id = $1', [customerId]);
    const stripe = events();
    const event = stripe.event('checkout.session.completed', stripe.session(OWN));
    expect(await deliver(service, id, event)).toBe('commission_owed');
    expect(await ledger(service, id)).toMatchObject([{ cents: 5_000, commission: null }]);
    await service.sql('update customers set partner_id = $2 where id = $1', [customerId, partnerId]);
    await runJob(service.ctx, repairCommissions);
    expect(await ledger(service, id)).toMatchObject([{ cents: 5_000, commission: 1_000 }]);
  });

  it('owes a commission that cannot be stored, which is created later, minus refunds in the meantime', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session(OWN);
    const restore = await refuseCommissions(service);
    const event = stripe.event('checkout.session.completed', session);
    expect(await deliver(service, id, event).finally(restore)).toBe('commission_owed');
    const charge = stripe.charge({ paymentIntent: session.payment_intent, cents: 5_000, refunded: 1_000 });
    expect(await deliver(service, id, stripe.event('charge.refunded', charge))).toBe('refunded');
    await runJob(service.ctx, repairCommissions);
    expect(await ledger(service, id)).toMatchObject([{ refunded: 1_000, commission: 1_000, deducted: 200 }]);
  });
});
