import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import {
  type Buyer,
  deliver,
  ledger,
  type StripeEvent,
  StripeEvents,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, refuseCommissions } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { explain } from '../reporting/explain.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';
import { requeueEvent } from './events/event-store.ts';
import { processDueEvents } from './events/process-due-events.ts';

// A payment earns what was agreed when it was made, whenever it is reported.
const service = useService();

type Settings = Parameters<typeof withBuyer>[1];

/** A buyer, and a way for the brand to change what the program pays. */
async function withTerms(settings: Settings = {}) {
  const buyer = await withBuyer(service, settings);
  const { token } = await memberOf(service, buyer.workspaceId);
  const post = async (path: string, body: object) =>
    (await service.call('POST', manage(buyer, `/terms${path}`), { key: token, body })).body.data;
  const change = async (body: object) => {
    service.advance({ days: 1 });
    const { status } = await service.call('PATCH', manage(buyer), { key: token, body });
    if (status !== 200) throw new Error(`The settings were answered with ${status}`);
    service.advance({ days: 1 });
  };
  return { buyer, change, post };
}

const metadata = { svc_customer_key: 'user-1' };
/** A payment that Stripe reports now. It was made when this is called. */
const paidNow = (cents = 10_000) => {
  const stripe = new StripeEvents('2026', service.time);
  return stripe.event('checkout.session.completed', stripe.session({ metadata, cents }));
};
const commissions = async ({ id }: Buyer) => (await ledger(service, id)).map(({ commission }) => commission);

describe('a payment from before the terms changed', () => {
  it('earns the old rate when Stripe reports it late', async () => {
    const { buyer, change } = await withTerms();
    const paid = paidNow();
    await change({ commission_rate: 50 });
    expect(await deliver(service, buyer.id, paid)).toBe('recorded');
    expect(await commissions(buyer)).toEqual([2_000]);
  });

  it.each<[string, object, object]>([
    ['type', { commission_type: 'fixed', commission_rate: 5 }, { commission_type: 'percent', commission_cents: 2_000 }],
    ['hold', { hold_days: 100 }, { hold_ends_after_days: 30 }],
    ['base', { commission_base: 'gross' }, { commission_base: 'net' }],
  ])('keeps the %s of that time', async (_what, changed, expected) => {
    const { buyer, change } = await withTerms();
    const paid = paidNow();
    await change(changed);
    await deliver(service, buyer.id, paid);
    const [row] = await service.sql(
      `select c.commission_type, c.commission_cents, s.commission_base, s.terms_version,
         extract(day from c.approve_after - c.created_at)::int as hold_ends_after_days
       from commissions c join sales s on s.id = c.sale_id where c.program_id = $1`,
      [buyer.id],
    );
    expect(row).toMatchObject({ ...expected, terms_version: 1 });
  });

  it('keeps its terms when the event fails first and is processed again later', async () => {
    const { buyer, change } = await withTerms();
    const paid = paidNow();
    await service.sql('update customers set customer_key = $2 where id = $1', [buyer.customerId, 'somebody']);
    expect(await deliver(service, buyer.id, paid)).toBe('no_customer');
    await change({ commission_rate: 50 });
    await service.sql('update customers set customer_key = $2 where id = $1', [buyer.customerId, 'user-1']);
    const [event] = await service.sql<{ id: number }>('select id from processor_events where event_id = $1', [paid.id]);
    await requeueEvent(service.ctx.db, buyer.id, event?.id as number, service.time);
    await processDueEvents(service.ctx);
    expect(await commissions(buyer)).toEqual([2_000]);
  });

  it('changes nothing when it is replayed after the change', async () => {
    const { buyer, change } = await withTerms();
    const paid = paidNow();
    await deliver(service, buyer.id, paid);
    await change({ commission_rate: 50 });
    const [event] = await service.sql<{ id: number }>('select id from processor_events where event_id = $1', [paid.id]);
    await requeueEvent(service.ctx.db, buyer.id, event?.id as number, service.time);
    await processDueEvents(service.ctx);
    expect(await commissions(buyer)).toEqual([2_000]);
  });

  it('is judged by the first version if it is older than the program', async () => {
    const { buyer, change } = await withTerms();
    const stripe = new StripeEvents('2026', new Date(service.time.getTime() - 30_000));
    const paid = stripe.event('checkout.session.completed', stripe.session({ metadata, cents: 10_000 }));
    await change({ commission_rate: 50 });
    await deliver(service, buyer.id, paid);
    expect(await commissions(buyer)).toEqual([2_000]);
  });

  it('gets its owed commission on those terms, whichever are in force at the repair', async () => {
    const { buyer, change } = await withTerms({ commissionBase: 'net' });
    const transactionId = newId('order');
    const restore = await refuseCommissions(service);
    await service
      .sale(
        { transaction_id: transactionId, customer_key: 'user-1', amount_cents: 11_900, tax_cents: 1_900 },
        { key: buyer.apiKey },
      )
      .finally(restore);
    await change({ commission_rate: 50, commission_base: 'gross' });
    const [sale] = await service.sql<{ id: number }>('select id from sales where processor_event_id = $1', [
      transactionId,
    ]);
    expect(await repairCommission(service.ctx, sale?.id as number)).toMatchObject({ is: 'repaired' });
    expect(await commissions(buyer)).toEqual([2_000]);
    const decision = (await explain(service.ctx, buyer.id, { transactionId })).at(-1);
    expect(decision).toMatchObject({
      reason: 'commission_repaired',
      terms: expect.stringMatching(
        /^Version 1 of the commission rules: 20% of each sale, not of renewals, in force since \w+ \d+, 2026\.$/,
      ),
      facts: { terms_version: 1, commission_base: 'net', base_cents: 10_000 },
    });
  });
});

describe('a payment after the terms changed', () => {
  it('earns the new rate, over both doors, and Explain names the version', async () => {
    const { buyer, change } = await withTerms();
    await change({ commission_rate: 25 });
    const paid = paidNow();
    await deliver(service, buyer.id, paid);
    const transactionId = newId('order');
    await service.sale(
      { transaction_id: transactionId, customer_key: 'user-1', amount_cents: 10_000 },
      { key: buyer.apiKey },
    );
    expect(await commissions(buyer)).toEqual([2_500, 2_500]);
    for (const id of [paid.data.object.payment_intent as string, transactionId]) {
      const [decision] = await explain(service.ctx, buyer.id, { transactionId: id });
      expect(decision).toMatchObject({
        facts: { terms_version: 2, commission: '25% of each sale, not of renewals', commission_base: 'net' },
      });
      expect(decision?.terms).toMatch(
        /^Version 2 of the commission rules: 25% of each sale, not of renewals, in force since \w+ \d+, 2026\.$/,
      );
    }
  });
});

describe('a subscription under changing terms', () => {
  const subscription = () => ({ subscription: newId('sub'), customer: newId('cus'), metadata });
  const invoiceNow = (about: ReturnType<typeof subscription>, reason: string, cents = 10_000) => {
    const stripe = new StripeEvents('2026', service.time);
    return stripe.event('invoice.paid', stripe.invoice({ ...about, reason, cents }));
  };

  it('earns each period what was agreed when it was paid', async () => {
    const { buyer, change } = await withTerms({ commissionType: 'recurring_percent' });
    const about = subscription();
    const start = invoiceNow(about, 'subscription_create');
    await change({ commission_rate: 30 });
    const second = invoiceNow(about, 'subscription_cycle');
    await change({ commission_type: 'percent' });
    const third = invoiceNow(about, 'subscription_cycle');
    await deliver(service, buyer.id, third, second, start);
    const rows = await ledger(service, buyer.id);
    const commissionOf = (event: StripeEvent) => rows.find(({ id }) => id === event.data.object.id)?.commission;
    expect([start, second, third].map(commissionOf)).toEqual([2_000, 3_000, null]);
  });

  it('keeps the months of the terms that a renewal was paid under, when an earlier first sale turns up', async () => {
    const { buyer, change } = await withTerms({ commissionType: 'recurring_percent', recurringMonths: 1 });
    const about = subscription();
    const start = invoiceNow(about, 'subscription_create');
    service.advance({ days: 20 });
    const limited = invoiceNow(about, 'subscription_cycle');
    service.advance({ days: 20 });
    const tooLate = invoiceNow(about, 'subscription_cycle');
    await change({ recurring_months: null });
    const unlimited = invoiceNow(about, 'subscription_cycle');
    await deliver(service, buyer.id, unlimited, tooLate, limited, start);
    const rows = await ledger(service, buyer.id);
    const commissionOf = (event: StripeEvent) => rows.find(({ id }) => id === event.data.object.id)?.commission;
    expect([start, limited, tooLate, unlimited].map(commissionOf)).toEqual([2_000, 2_000, null, 2_000]);
    const decision = (await explain(service.ctx, buyer.id, { transactionId: tooLate.data.object.id })).at(-1);
    expect(decision).toMatchObject({ reason: 'renewal_without_commission', facts: { terms_version: 1 } });
  });

  it.each(['in order', 'the first sale last'])('follows rules with months, reported %s', async (order) => {
    const { buyer, post } = await withTerms({ commissionType: 'recurring_percent' });
    await post('', {
      rules: [
        { on: 'sale', pays: { type: 'percent', rate: 30, renewals: true, months: 1 } },
        { on: 'sale', when: { min_amount_cents: 10_001 }, pays: { type: 'percent', rate: 0, renewals: true } },
        { on: 'sale', pays: { type: 'percent', rate: 10, renewals: true } },
      ],
    });
    const about = subscription();
    const start = invoiceNow(about, 'subscription_create');
    service.advance({ days: 20 });
    const within = invoiceNow(about, 'subscription_cycle');
    service.advance({ days: 20 });
    const after = invoiceNow(about, 'subscription_cycle');
    const excluded = invoiceNow(about, 'subscription_cycle', 10_100);
    const events = [start, within, after, excluded];
    await deliver(service, buyer.id, ...(order === 'in order' ? events : events.toReversed()));
    for (const { id } of await service.sql<{ id: number }>(
      `select id from sales where program_id = $1 and commission_state = 'owed'`,
      [buyer.id],
    )) {
      await repairCommission(service.ctx, id);
    }
    const rows = await ledger(service, buyer.id);
    const commissionOf = (event: StripeEvent) => rows.find(({ id }) => id === event.data.object.id)?.commission;
    expect(events.map(commissionOf)).toEqual([3_000, 3_000, 1_000, null]);
    const period = { from: '2020-01-01', to: '2100-01-01' };
    expect(await post('/simulate', { rules: [], ...period })).toMatchObject({ matches_actual: true, sales: 4 });
  });
});
