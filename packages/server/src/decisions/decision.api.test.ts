import { expectReadable } from '@svc/testkit/service/decision-readers.ts';
import { type Scenario, scenariosOn } from '@svc/testkit/service/decision-scenarios.ts';
import { customerIdOf, decisionsDuring } from '@svc/testkit/service/decisions.ts';
import { connectStripe, deliver, StripeEvents, settle } from '@svc/testkit/service/payments/stripe.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, refuseCommissions, sold, soldOwing } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { changeAttribution } from '../customers/change-attribution.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';
import { revokeCommissionsPastTerm } from '../sales/revoke-commissions-past-term.ts';
import type { Reason, RetiredReason } from './reasons.ts';

const service = useService();
const a = scenariosOn(service);

const setMembership = (status: string) => async (on: TestProgram) => {
  await service.sql('update memberships set status = $2 where program_id = $1', [on.program.id, status]);
  return { expected: { partner_id: on.partnerId, facts: { membership_status: status } } };
};

const byProcessor = { source: 'processor', request_id: null, is_test: false };
const nobody = { customer_id: null, partner_id: null };

/** A sale of 10,000, known to Stripe by its payment intent, of which Stripe takes something back. */
async function takenBack() {
  const { on, stripe } = await a.connected();
  const { transactionId, saleId } = await sold(service, on);
  const of = { id: newId('dp'), charge: newId('ch'), paymentIntent: transactionId, cents: 10_000 };
  const send = (type: string, object: (of: StripeEvents) => object) =>
    deliver(service, on.program.id, stripe.event(type, object(stripe)));
  return {
    of,
    deliver: send,
    refunded: (cents: number) => ({ refunded_cents: cents, deduction_cents: cents / 5 }),
    attempt: (type: string, object: (of: StripeEvents) => object, facts: object): Scenario => ({
      on,
      attempt: () => send(type, object),
      expected: {
        ...byProcessor,
        kind: 'refund',
        outcome: 'recorded',
        transaction_id: transactionId,
        sale_id: saleId,
        facts,
      },
    }),
  };
}

const scenarios: Record<Exclude<Reason, RetiredReason>, () => Promise<Scenario>> = {
  lead_recorded: () =>
    a.lead('recorded', async (on) => {
      const clickId = await service.clickId(on.link);
      return {
        body: { click_id: clickId, customer_key: 'user_1', additional_data: { plan: 'pro' } },
        expected: {
          click_id: clickId,
          customer_key: 'user_1',
          customer_id: customerIdOf(clickId),
          partner_id: on.partnerId,
          additional_data: { plan: 'pro' },
          facts: {
            mode: 'server',
            lead_auth: 'browser_allowed',
            customer_status: 'click',
            clicked_at: service.time.toISOString(),
          },
        },
      };
    }),
  lead_recorded_unattributed: () =>
    a.lead('recorded', async () => ({
      body: { customer_key: 'user_1' },
      expected: { customer_key: 'user_1', customer_id: expect.any(Number), partner_id: null },
    })),
  lead_provisional: () =>
    a.lead(
      'recorded',
      async (on) => {
        const clickId = await service.clickId(on.link);
        return {
          body: { click_id: clickId, customer_key: 'user_1' },
          options: { headers: { origin: 'https://www.acme.test' } },
          expected: {
            customer_id: customerIdOf(clickId),
            facts: { mode: 'browser', lead_auth: 'server_required', origin: 'https://www.acme.test' },
          },
        };
      },
      { leadAuth: 'server_required' },
    ),
  lead_settled: () =>
    a.lead(
      'recorded',
      async (on) => {
        const clickId = await service.clickId(on.link);
        await service.lead({ click_id: clickId, customer_key: 'user_1' });
        return {
          body: { click_id: clickId, customer_key: 'user_1' },
          expected: { customer_id: customerIdOf(clickId), partner_id: on.partnerId, facts: { mode: 'server' } },
        };
      },
      { leadAuth: 'server_required' },
    ),
  lead_claimed_by_several: () =>
    a.lead(
      'recorded',
      async (on) => {
        for (let page = 0; page < 2; page += 1) {
          await service.lead({ click_id: await service.clickId(on.link), customer_key: 'user_1' });
        }
        return { body: { customer_key: 'user_1' }, expected: { customer_id: expect.any(Number), partner_id: null } };
      },
      { leadAuth: 'server_required' },
    ),
  lead_took_over_key: () =>
    a.lead('recorded', async (on) => {
      const page = await service.clickId(on.link);
      await service.lead({ click_id: page, customer_key: 'user_1' });
      const clickId = await service.clickId(on.link);
      return {
        body: { click_id: clickId, customer_key: 'user_1' },
        expected: { customer_id: customerIdOf(clickId), facts: { mode: 'server', key_taken_from: customerIdOf(page) } },
      };
    }),
  lead_status_refused: () =>
    a.lead('refused', async (on) => {
      const clickId = await service.customer(on, 'user_1');
      return {
        body: { click_id: clickId },
        expected: { customer_id: customerIdOf(clickId), facts: { customer_status: 'lead' } },
      };
    }),
  customer_not_found: () =>
    a.lead('refused', async () => ({
      body: { click_id: 'cust_999999999_1', customer_key: 'user_1' },
      expected: { click_id: 'cust_999999999_1', customer_key: 'user_1', ...nobody },
    })),
  other_program: () =>
    a.lead('refused', async () => {
      const clickId = await service.clickId((await service.program()).link);
      return { body: { click_id: clickId }, expected: { click_id: clickId, ...nobody } };
    }),
  program_mismatch: () =>
    a.sale('refused', async () => {
      const other = await service.program();
      return {
        body: { additional_data: { test_mode: true, program_id: other.program.id } },
        expected: {
          is_test: expect.any(Boolean),
          facts: { message: 'program_id does not match the API key' },
          ...nobody,
        },
      };
    }),
  key_retired: async () => {
    const on = await service.program();
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', [
      on.program.id,
      service.time,
    ]);
    service.advance({ seconds: 60 });
    return {
      on,
      attempt: (options) => service.lead({ customer_key: 'user_1' }, { key: on.apiKey, ...options }),
      expected: { kind: 'lead', outcome: 'refused', source: 'api', ...nobody },
    };
  },
  invalid_request: () =>
    a.sale('refused', async () => ({
      body: { amount_cents: 0 },
      expected: { facts: { message: 'amount_cents is required and must be a positive integer' }, ...nobody },
    })),
  customer_assigned: async () => {
    const on = await service.program();
    const clickId = await service.customer(on, 'user_1');
    const { partnerId } = await service.partner(on.program);
    const customerId = customerIdOf(clickId);
    return {
      on,
      attempt: ({ headers }) => {
        const actor = { userId: null, requestId: String(headers?.['x-request-id']) };
        return changeAttribution(service.ctx, on.program, customerId, { partnerId, reason: 'Met at the fair', actor });
      },
      expected: {
        kind: 'assignment',
        outcome: 'recorded',
        source: 'person',
        customer_id: customerId,
        customer_key: 'user_1',
        partner_id: partnerId,
        facts: { partner_before_id: on.partnerId, assignment_reason: 'Met at the fair' },
      },
    };
  },
  sale_attributed: () =>
    a.sale('recorded', async (on, clickId) => ({
      expected: {
        customer_id: customerIdOf(clickId),
        partner_id: on.partnerId,
        sale_id: expect.any(Number),
        facts: {
          amount_cents: 10_000,
          currency: 'USD',
          is_recurring: false,
          commission_type: 'percent',
          commission_rate: expect.stringMatching(/^20(\.0+)?$/),
          window_days: 60,
          customer_status: 'lead',
          clicked_at: new Date(service.time.getTime() - 1000).toISOString(),
          signed_up_at: service.time.toISOString(),
          click_age_days: 0.01,
          membership_status: 'active',
        },
      },
    })),
  self_referral: () =>
    a.sale('recorded', async (on, clickId) => {
      const [partner] = await service.sql<{ email: string }>('select email from partners where id = $1', [
        on.partnerId,
      ]);
      const customer_key = newId('user');
      const click_id = await service.clickId(on.link);
      await service.lead({ click_id, customer_key, email: partner?.email }, { key: on.apiKey });
      expect(click_id).not.toBe(clickId);
      return {
        body: { customer_key },
        expected: {
          customer_id: customerIdOf(click_id),
          partner_id: on.partnerId,
          facts: { hold_reason: 'self_referral' },
        },
      };
    }),
  commission_too_large: () =>
    a.sale('recorded', async (on) => {
      await service.sql('update programs set commission_rate = 200 where id = $1', [on.program.id]);
      service.advance({ seconds: 60 });
      return { body: { amount_cents: Number.MAX_SAFE_INTEGER }, expected: { partner_id: on.partnerId } };
    }),
  renewal_without_commission: () =>
    a.sale('recorded', async (on) => ({
      body: { is_recurring: true },
      expected: { partner_id: on.partnerId, facts: { is_recurring: true, commission_type: 'percent' } },
    })),
  rule_without_commission: () =>
    a.sale('recorded', async (on) => {
      await publish(service, on, [{ on: 'sale', pays: { type: 'percent', rate: 0 } }]);
      return {
        expected: {
          partner_id: on.partnerId,
          facts: { terms_version: 2, rule: 1, commission: '0% of each sale, not of renewals' },
        },
      };
    }),
  months_over: async () => {
    const on = await service.program();
    await publish(service, on, [{ on: 'sale', pays: { type: 'percent', rate: 10, months: 1 } }]);
    const { saleId, transactionId } = await sold(service, on);
    const [customer] = await service.sql<{ id: number }>(
      `update customers set converted_at = converted_at - interval '2 months'
       where id = (select customer_id from sales where id = $1) returning id`,
      [saleId],
    );
    return {
      on,
      attempt: () => revokeCommissionsPastTerm(service.ctx, on.program, customer!.id),
      expected: {
        ...byProcessor,
        kind: 'commission',
        outcome: 'not_attributed',
        partner_id: on.partnerId,
        transaction_id: transactionId,
        sale_id: saleId,
        facts: { terms_version: 2 },
      },
    };
  },
  cap_reached: () =>
    a.sale('recorded', async (on) => {
      await publish(service, on, [
        { on: 'sale', pays: { type: 'percent', rate: 10 }, caps: { per_partner_month_cents: 0 } },
      ]);
      return { expected: { partner_id: on.partnerId, facts: { terms_version: 2, rule: 1, capped: true } } };
    }),
  change_without_commission: async () => {
    const { on, stripe } = await a.connected({ commissionType: 'fixed', commissionRate: '5' });
    const clickId = await service.customer(on, 'user_1');
    const of = { metadata: { svc_customer_key: 'user_1' }, subscription: newId('sub') };
    await deliver(service, on.program.id, stripe.event('invoice.paid', stripe.invoice(of)));
    stripe.at += 1;
    service.advance({ seconds: 1 });
    const change = stripe.invoice({ ...of, reason: 'subscription_update', cents: 150 });
    return {
      on,
      attempt: () => deliver(service, on.program.id, stripe.event('invoice.paid', change)),
      expected: { ...byProcessor, kind: 'sale', outcome: 'recorded', customer_id: customerIdOf(clickId) },
    };
  },
  attributed_elsewhere: () =>
    a.sale('refused', async () => {
      const clickId = await service.clickId((await service.program()).link);
      return { body: { customer_key: newId('user'), click_id: clickId }, expected: { click_id: clickId, ...nobody } };
    }),
  customer_unattributed: () =>
    a.sale('refused', async (on) => {
      const customerKey = newId('user');
      await service.lead({ customer_key: customerKey }, { key: on.apiKey });
      return {
        body: { customer_key: customerKey },
        expected: { customer_id: expect.any(Number), partner_id: null },
      };
    }),
  membership_missing: () =>
    a.sale('refused', async (on, clickId) => {
      await service.sql('delete from memberships where program_id = $1', [on.program.id]);
      return { expected: { customer_id: customerIdOf(clickId), facts: { membership_status: null } } };
    }),
  partner_blocked: () => a.sale('refused', setMembership('blocked')),
  partner_removed: () => a.sale('refused', setMembership('removed')),
  partner_missing: () =>
    a.sale('failed', async (_on, clickId) => {
      await service.sql('update customers set partner_id = null where id = $1', [customerIdOf(clickId)]);
      return { expected: { customer_id: customerIdOf(clickId), sale_id: expect.any(Number) } };
    }),
  attribution_window_expired: async () => {
    const on = await service.program({ attributionWindowDays: 7 });
    const clickId = await service.clickId(on.link);
    service.advance({ days: 8 });
    const sent = { transaction_id: newId('order'), amount_cents: 100, click_id: clickId };
    return {
      on,
      attempt: (options) => service.sale(sent, { key: on.apiKey, ...options }),
      expected: {
        kind: 'sale',
        outcome: 'not_attributed',
        transaction_id: sent.transaction_id,
        click_id: clickId,
        customer_id: customerIdOf(clickId),
        partner_id: on.partnerId,
        sale_id: null,
        facts: { click_age_days: 8.01, window_days: 7, customer_status: 'click' },
      },
    };
  },
  duplicate_transaction: () =>
    a.sale('refused', async (on) => {
      const { transactionId } = await sold(service, on);
      return { body: { transaction_id: transactionId }, expected: { partner_id: on.partnerId, sale_id: null } };
    }),
  transaction_of_other_program: () =>
    a.sale('refused', async (on) => {
      const { transactionId } = await sold(service, await service.program());
      return { body: { transaction_id: transactionId }, expected: { partner_id: on.partnerId, sale_id: null } };
    }),
  commission_failed: async () => {
    const scenario = await a.sale('failed', async () => ({
      expected: { sale_id: expect.any(Number) },
    }));
    return {
      ...scenario,
      async attempt(options) {
        const restore = await refuseCommissions(service);
        await scenario.attempt(options).finally(restore);
      },
    };
  },
  commission_repaired: async () => {
    const on = await service.program();
    const { saleId, transactionId } = await soldOwing(service, on);
    return {
      on,
      attempt: () => repairCommission(service.ctx, saleId),
      expected: {
        kind: 'commission',
        outcome: 'recorded',
        source: 'repair',
        transaction_id: transactionId,
        sale_id: saleId,
        partner_id: on.partnerId,
        request_id: null,
        facts: { commission_type: 'percent', commission_cents: 2_000, deducted_cents: 0 },
      },
    };
  },
  commission_reversed: () =>
    a.refund(
      'recorded',
      { refund_reason: 'unhappy' },
      {
        sale_cents: 10_000,
        refunded_before_cents: 0,
        refunded_cents: 10_000,
        deduction_cents: 2_000,
        refund_reason: 'unhappy',
      },
    ),
  commission_partially_reversed: () =>
    a.refund(
      'recorded',
      { refund_amount_cents: 2_500, refund_id: 're_1' },
      { requested_cents: 2_500, refund_id: 're_1', refunded_cents: 2_500, deduction_cents: 500 },
    ),
  refund_without_commission: () =>
    a.refund('recorded', {}, { refunded_cents: 10_000, deduction_cents: 0 }, (on) =>
      service.sql(`update commissions set stage = 'rejected' where program_id = $1`, [on.program.id]),
    ),
  already_refunded: () =>
    a.refund('unchanged', {}, { refunded_before_cents: 10_000 }, (on, transactionId) =>
      service.refund({ transaction_id: transactionId }, { key: on.apiKey }),
    ),
  refund_repeated: () =>
    a.refund(
      'unchanged',
      { refund_amount_cents: 100, refund_id: 're_1' },
      { refund_id: 're_1', refunded_before_cents: 100 },
      (on, transactionId) =>
        service.refund(
          { transaction_id: transactionId, refund_amount_cents: 100, refund_id: 're_1' },
          { key: on.apiKey },
        ),
    ),
  refund_known: () =>
    a.refund(
      'unchanged',
      { refund_amount_cents: 2_500 },
      { requested_cents: 2_500, refunded_before_cents: 2_500, refunded_cents: 0, deduction_cents: 0 },
      async (on, transactionId) => {
        await connectStripe(service, on);
        const stripe = new StripeEvents('2026', service.time);
        const charge = stripe.charge({ paymentIntent: transactionId, cents: 10_000, refunded: 2_500 });
        await deliver(service, on.program.id, stripe.event('charge.refunded', charge));
      },
    ),
  refund_too_large: () =>
    a.refund('refused', { refund_amount_cents: 10_001 }, { requested_cents: 10_001, left_cents: 10_000 }),
  sale_not_found: async () => {
    const on = await service.program();
    const transactionId = newId('order');
    return {
      on,
      attempt: (options) => service.refund({ transaction_id: transactionId }, { key: on.apiKey, ...options }),
      expected: { kind: 'refund', outcome: 'refused', transaction_id: transactionId, sale_id: null, ...nobody },
    };
  },
  lead_settled_by_payment: async () => {
    const { on, stripe } = await a.connected({ leadAuth: 'server_required' });
    const clickId = await service.clickId(on.link);
    await service.lead({ click_id: clickId, customer_key: 'user_1' });
    const trial = stripe.invoice({ metadata: { svc_click_id: clickId }, cents: 0 });
    return {
      on,
      attempt: () => deliver(service, on.program.id, stripe.event('invoice.paid', trial)),
      expected: {
        ...byProcessor,
        kind: 'lead',
        outcome: 'recorded',
        click_id: clickId,
        customer_id: customerIdOf(clickId),
        partner_id: on.partnerId,
        facts: { lead_auth: 'server_required', customer_status: 'lead' },
      },
      // The payment itself is decided on as well.
      also: ['nothing_paid'],
    };
  },
  nothing_paid: async () => {
    const { on, stripe } = await a.connected();
    const clickId = await service.customer(on, 'user_1');
    const trial = stripe.invoice({ metadata: { svc_customer_key: 'user_1' }, cents: 0, currency: 'eur' });
    return {
      on,
      attempt: () => deliver(service, on.program.id, stripe.event('invoice.paid', trial)),
      expected: {
        ...byProcessor,
        kind: 'sale',
        outcome: 'unchanged',
        transaction_id: trial.id,
        customer_key: 'user_1',
        customer_id: customerIdOf(clickId),
        partner_id: on.partnerId,
        sale_id: null,
        facts: { amount_cents: 0, currency: 'EUR' },
      },
    };
  },
  key_claimed_by_several: async () => {
    const { on, stripe } = await a.connected({ leadAuth: 'server_required' });
    for (let page = 0; page < 2; page += 1) {
      await service.lead({ click_id: await service.clickId(on.link), customer_key: 'user_1' });
    }
    const session = stripe.session({ metadata: { svc_customer_key: 'user_1' } });
    return {
      on,
      attempt: () => deliver(service, on.program.id, stripe.event('checkout.session.completed', session)),
      expected: { ...byProcessor, ...nobody, kind: 'sale', outcome: 'refused', customer_key: 'user_1' },
    };
  },
  click_after_payment: async () => {
    const { on, stripe } = await a.connected();
    stripe.at -= 3_600;
    const clickId = await service.clickId(on.link);
    const session = stripe.session({ metadata: { svc_click_id: clickId } });
    return {
      on,
      attempt: () => deliver(service, on.program.id, stripe.event('checkout.session.completed', session)),
      expected: {
        ...byProcessor,
        kind: 'sale',
        outcome: 'refused',
        transaction_id: session.payment_intent,
        customer_id: customerIdOf(clickId),
        facts: { clicked_at: service.time.toISOString(), paid_at: new Date(stripe.at * 1000).toISOString() },
      },
    };
  },
  refund_restored: async () => {
    const { of, refunded, ...scenario } = await takenBack();
    await scenario.deliver('refund.created', (stripe) => stripe.refund({ ...of, status: 'pending' }));
    return scenario.attempt(
      'refund.updated',
      (stripe) => stripe.refund({ ...of, status: 'failed' }),
      refunded(-10_000),
    );
  },
  payment_disputed: async () => {
    const { of, refunded, ...scenario } = await takenBack();
    return scenario.attempt('charge.dispute.created', (stripe) => stripe.dispute(of), refunded(10_000));
  },
  dispute_won: async () => {
    const { of, refunded, ...scenario } = await takenBack();
    await scenario.deliver('charge.dispute.created', (stripe) => stripe.dispute(of));
    const won = (stripe: StripeEvents) => stripe.dispute({ ...of, status: 'won' });
    return scenario.attempt('charge.dispute.closed', won, refunded(-10_000));
  },
  dispute_lost: async () => {
    const { of, refunded, ...scenario } = await takenBack();
    await scenario.deliver('charge.dispute.created', (stripe) => stripe.dispute(of));
    const lost = (stripe: StripeEvents) => stripe.dispute({ ...of, status: 'lost' });
    return scenario.attempt('charge.dispute.closed', lost, refunded(0));
  },
  payment_counted_once: async () => {
    const { on, stripe } = await a.connected();
    const { transactionId } = await sold(service, on);
    const invoice = newId('in');
    const { body } = await service.sale(
      { transaction_id: invoice, amount_cents: 10_000, click_id: await service.clickId(on.link) },
      { key: on.apiKey },
    );
    const link = stripe.event('invoice_payment.paid', stripe.invoicePayment(invoice, transactionId));
    return {
      on,
      attempt: () => deliver(service, on.program.id, link),
      expected: {
        ...byProcessor,
        kind: 'commission',
        outcome: 'not_attributed',
        transaction_id: transactionId,
        sale_id: body.data.sale_id,
        facts: { recorded_as: invoice, commission_cents: 2_000, commission_removed: true },
      },
    };
  },
  payer_known_better: async () => {
    const { on, stripe } = await a.connected();
    const clickId = await service.clickId(on.link);
    const [email, customer] = ['jo@people.test', newId('cus')];
    await service.lead({ click_id: clickId, customer_key: newId('key'), email }, { key: on.apiKey });
    await service.customer(on, 'the-payer');
    const session = stripe.session({ email, customer });
    await deliver(service, on.program.id, stripe.event('checkout.session.completed', session));
    const known = stripe.customer({ id: customer, metadata: { svc_customer_key: 'the-payer' } });
    return {
      on,
      attempt: async () => {
        await deliver(service, on.program.id, stripe.event('customer.updated', known));
        await settle(service);
      },
      expected: {
        ...byProcessor,
        kind: 'commission',
        outcome: 'not_attributed',
        transaction_id: session.payment_intent,
        sale_id: null,
        customer_id: Number(clickId.split('_')[1]),
        facts: { amount_cents: 5_000, commission_removed: true },
      },
      also: ['sale_attributed'],
    };
  },
  test_event: () =>
    a.sale('recorded', async () => ({
      body: { customer_key: undefined, additional_data: { test_mode: true } },
      expected: { is_test: true, customer_key: null, sale_id: expect.any(Number), ...nobody },
    })),
};

describe('every attempt leaves exactly one decision, which every page about decisions shows', () => {
  it.each(Object.keys(scenarios) as (keyof typeof scenarios)[])('%s', async (reason) => {
    const { on, attempt, expected, also = [] } = await scenarios[reason]();
    service.advance({ seconds: 1 });
    const requestId = newId('request');
    const decisions = await decisionsDuring(service, () => attempt({ headers: { 'x-request-id': requestId } }));
    expect(decisions.map((decision) => decision.reason)).toEqual([reason, ...also]);
    expect(decisions[0]).toMatchObject({
      program_id: on.program.id,
      request_id: requestId,
      created_at: service.time,
      ...expected,
    });
    for (const decision of decisions) await expectReadable(service, on, decision);
  });
});
