import {
  type Buyer,
  deliver,
  GENERATIONS,
  ledger,
  newId,
  OWN,
  outcomeOf,
  type StripeEvent,
  StripeEvents,
  settle,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** Builds the events of a payment of 10,000 with a commission of 2,000. */
class Payment {
  readonly stripe: StripeEvents;
  readonly paymentIntent = newId('pi');
  readonly charge = newId('ch');

  constructor(generation: (typeof GENERATIONS)[number]) {
    this.stripe = new StripeEvents(generation, service.time);
  }

  #later<Event>(build: () => Event): Event {
    this.stripe.at += 1;
    return build();
  }

  sale = () => {
    const session = this.stripe.session({ ...OWN, paymentIntent: this.paymentIntent, cents: 10_000 });
    return this.#later(() => this.stripe.event('checkout.session.completed', session));
  };
  charged = (refunded: number, extra: object = {}) => {
    const charge = this.stripe.charge({ id: this.charge, paymentIntent: this.paymentIntent, cents: 10_000, refunded });
    return this.#later(() => this.stripe.event('charge.refunded', { ...charge, ...extra }));
  };
  refund = (type: string, id: string, cents: number, status: string) => {
    const of = { id, charge: this.charge, paymentIntent: this.paymentIntent, cents, status };
    return this.#later(() => this.stripe.event(type, this.stripe.refund(of)));
  };
  dispute = (type: string, cents: number, status: string, id = 'dp_1') => {
    const of = { id, charge: this.charge, paymentIntent: this.paymentIntent, cents, status };
    return this.#later(() => this.stripe.event(type, this.stripe.dispute(of)));
  };
}

/** The money of the program's latest sale, after checking that the columns are consistent. */
async function moneyOf(programId: number) {
  const [row] = await service.sql<Record<string, number>>(
    `select s.amount_cents as amount, s.refunded_cents as refunded, c.commission_cents as commission,
       c.deducted_cents as deducted, c.reversal, c.stage,
       (select coalesce(sum(amount_cents), 0)::bigint from refunds r where r.sale_id = s.id) as rows_refunded,
       (select coalesce(sum(deduction_cents), 0)::bigint from refunds r where r.sale_id = s.id) as rows_deducted
     from sales s left join commissions c on c.sale_id = s.id where s.program_id = $1 order by s.id desc limit 1`,
    [programId],
  );
  const { amount = 0, refunded = 0, commission, deducted, rows_refunded, rows_deducted, reversal, stage } = row ?? {};
  expect(rows_refunded).toBe(refunded);
  if (commission !== null && String(stage) !== 'rejected') {
    expect(rows_deducted).toBe(deducted);
    expect(deducted).toBe(Math.round((Number(commission) * refunded) / amount));
  }
  return [refunded, deducted, reversal];
}

type Steps = (payment: Payment) => [event: StripeEvent, outcome: string][];
const rows: [string, Steps, (number | string)[]][] = [
  ['a partial refund', (p) => [[p.charged(2_500), 'refunded']], [2_500, 500, 'partial']],
  [
    'cumulative totals of a charge, which are not added up',
    (p) => [
      [p.charged(2_500), 'refunded'],
      [p.charged(4_000), 'refunded'],
    ],
    [4_000, 800, 'partial'],
  ],
  [
    'a partial refund, then a full one',
    (p) => [
      [p.charged(2_500), 'refunded'],
      [p.charged(10_000), 'refunded'],
    ],
    [10_000, 2_000, 'full'],
  ],
  ['a full refund', (p) => [[p.charged(10_000), 'refunded']], [10_000, 2_000, 'full']],
  [
    'a refund and its charge that report the same money',
    (p) => [
      [p.refund('refund.created', 're_1', 2_500, 'succeeded'), 'refunded'],
      [p.charged(2_500), 'unchanged'],
      [p.refund('refund.updated', 're_1', 2_500, 'succeeded'), 'unchanged'],
    ],
    [2_500, 500, 'partial'],
  ],
  [
    'a pending refund that succeeds',
    (p) => [
      [p.refund('refund.created', 're_1', 2_500, 'pending'), 'refunded'],
      [p.refund('refund.updated', 're_1', 2_500, 'succeeded'), 'unchanged'],
    ],
    [2_500, 500, 'partial'],
  ],
  [
    'a pending refund that fails',
    (p) => [
      [p.refund('refund.created', 're_1', 2_500, 'pending'), 'refunded'],
      [p.charged(2_500), 'unchanged'],
      [p.refund('refund.failed', 're_1', 2_500, 'failed'), 'restored'],
      [p.refund('refund.updated', 're_1', 2_500, 'failed'), 'unchanged'],
    ],
    [0, 0, 'none'],
  ],
  [
    'two refunds, one of which fails',
    (p) => [
      [p.refund('refund.created', 're_1', 2_500, 'succeeded'), 'refunded'],
      [p.refund('refund.created', 're_2', 1_000, 'succeeded'), 'refunded'],
      [p.charged(3_500), 'unchanged'],
      [p.refund('refund.updated', 're_1', 2_500, 'failed'), 'restored'],
    ],
    [1_000, 200, 'partial'],
  ],
  [
    'a failure that arrives before its refund',
    (p) => {
      const made = p.refund('refund.created', 're_1', 2_500, 'pending');
      return [
        [p.refund('refund.failed', 're_1', 2_500, 'failed'), 'unchanged'],
        [made, 'unchanged'],
      ];
    },
    [0, 0, 'none'],
  ],
  [
    'an older total that arrives late',
    (p) => {
      const older = p.charged(2_500);
      return [
        [p.charged(6_000), 'refunded'],
        [older, 'unchanged'],
      ];
    },
    [6_000, 1_200, 'partial'],
  ],
  [
    'a dispute of the full amount',
    (p) => [[p.dispute('charge.dispute.created', 10_000, 'needs_response'), 'refunded']],
    [10_000, 2_000, 'full'],
  ],
  [
    'a dispute that is won',
    (p) => [
      [p.dispute('charge.dispute.created', 10_000, 'needs_response'), 'refunded'],
      [p.dispute('charge.dispute.closed', 10_000, 'won'), 'restored'],
    ],
    [0, 0, 'none'],
  ],
  [
    'a dispute that is lost',
    (p) => [
      [p.dispute('charge.dispute.created', 10_000, 'needs_response'), 'refunded'],
      [p.dispute('charge.dispute.closed', 10_000, 'lost'), 'unchanged'],
    ],
    [10_000, 2_000, 'full'],
  ],
  [
    'a dispute whose win arrives before its creation',
    (p) => {
      const made = p.dispute('charge.dispute.created', 10_000, 'needs_response');
      return [
        [p.dispute('charge.dispute.closed', 10_000, 'won'), 'unchanged'],
        [made, 'unchanged'],
      ];
    },
    [0, 0, 'none'],
  ],
  [
    'a refund and a dispute of the rest',
    (p) => [
      [p.charged(2_500), 'refunded'],
      [p.dispute('charge.dispute.created', 7_500, 'needs_response'), 'refunded'],
    ],
    [10_000, 2_000, 'full'],
  ],
  [
    'a refund and a dispute of the rest that is won',
    (p) => [
      [p.charged(2_500), 'refunded'],
      [p.dispute('charge.dispute.created', 7_500, 'needs_response'), 'refunded'],
      [p.dispute('charge.dispute.closed', 7_500, 'won'), 'restored'],
    ],
    [2_500, 500, 'partial'],
  ],
  [
    'a refund and a dispute that exceed the sale together',
    (p) => [
      [p.charged(2_500), 'refunded'],
      [p.dispute('charge.dispute.created', 10_000, 'needs_response'), 'refunded'],
    ],
    [10_000, 2_000, 'full'],
  ],
];

/**
 * Both versions are read into the same facts, which `read-event.test.ts` checks. So the older one runs a case with each kind of
 * object. The long form runs all.
 */
const WITH_EACH_OBJECT = [
  'a refund and its charge that report the same money',
  'a pending refund that fails',
  'a dispute that is won',
];
const rowsOf = (generation: (typeof GENERATIONS)[number]) =>
  generation === '2026' || process.env.SVC_TEST_LONG ? rows : rows.filter(([name]) => WITH_EACH_OBJECT.includes(name));

/** All that was taken back is then applied at once, from the same facts in both versions. */
const IF_THE_SALE_IS_LAST = [
  ...WITH_EACH_OBJECT,
  'a failure that arrives before its refund',
  'a refund and a dispute of the rest that is won',
];
const lastRowsOf = (generation: (typeof GENERATIONS)[number]) => {
  if (process.env.SVC_TEST_LONG) return rows;
  return generation === '2026' ? rows.filter(([name]) => IF_THE_SALE_IS_LAST.includes(name)) : [];
};

describe.each(GENERATIONS)('on API version %s', (generation) => {
  it.each(rowsOf(generation))('%s: the refunded amount and the reversal are right', async (_case, steps, money) => {
    const { id } = await withBuyer(service);
    const payment = new Payment(generation);
    await deliver(service, id, payment.sale());
    for (const [event, outcome] of steps(payment)) {
      expect([event.type, await deliver(service, id, event)]).toEqual([event.type, outcome]);
    }
    expect(await moneyOf(id)).toEqual(money);
  });

  it.each(lastRowsOf(generation))('%s: the same holds if the sale arrives last', async (_case, steps, money) => {
    const { id } = await withBuyer(service);
    const payment = new Payment(generation);
    const sale = payment.sale();
    for (const [event] of steps(payment)) expect(await deliver(service, id, event)).toBe('no_sale_yet');
    expect(await deliver(service, id, sale)).toBe('recorded');
    expect(await moneyOf(id)).toEqual(money);
  });

  it('an inquiry takes nothing back until it becomes a dispute', async () => {
    const { id } = await withBuyer(service);
    const payment = new Payment(generation);
    await deliver(service, id, payment.sale());
    for (const [type, status] of [
      ['charge.dispute.created', 'warning_needs_response'],
      ['charge.dispute.updated', 'warning_under_review'],
      ['charge.dispute.closed', 'warning_closed'],
    ] as const) {
      expect(await deliver(service, id, payment.dispute(type, 10_000, status))).toBe('inquiry');
    }
    expect(await moneyOf(id)).toEqual([0, 0, 'none']);
    const escalated = payment.dispute('charge.dispute.updated', 10_000, 'needs_response');
    expect(await deliver(service, id, escalated)).toBe('refunded');
    expect(await moneyOf(id)).toEqual([10_000, 2_000, 'full']);
  });

  it('redelivered events change nothing', async () => {
    const { id } = await withBuyer(service);
    const payment = new Payment(generation);
    const events = [payment.sale(), payment.charged(2_500), payment.dispute('charge.dispute.created', 1_000, 'lost')];
    await deliver(service, id, ...events);
    const before = await service.counts(id);
    await deliver(service, id, ...events);
    expect(await service.counts(id)).toEqual(before);
    expect(await moneyOf(id)).toEqual([3_500, 700, 'partial']);
  });
});

describe('a refund', () => {
  it.each([
    ['pending', [2_500, 500, 'partial']],
    ['approved', [2_500, 500, 'partial']],
    ['paid', [2_500, 500, 'partial']],
    ['rejected', [2_500, 0, 'none']],
  ])('keeps the stage %s of the commission and leaves %j', async (stage, money) => {
    const { id } = await withBuyer(service);
    const payment = new Payment('2026');
    await deliver(service, id, payment.sale());
    await service.sql('update commissions set stage = $2 where program_id = $1', [id, stage]);
    expect(await deliver(service, id, payment.charged(2_500))).toBe('refunded');
    expect(await moneyOf(id)).toEqual(money);
    expect(await ledger(service, id)).toMatchObject([{ stage }]);
  });

  it('of a renewal without a commission is recorded and restored', async () => {
    const { id } = await withBuyer(service);
    const stripe = new StripeEvents('2024', service.time);
    const [paymentIntent, subscription] = [newId('pi'), newId('sub')];
    stripe.at -= 60;
    const first = stripe.event('invoice.paid', stripe.invoice({ ...OWN, subscription }));
    stripe.at += 60;
    const renewal = { ...OWN, subscription, paymentIntent, cents: 10_000, reason: 'subscription_cycle' };
    await deliver(service, id, first, stripe.event('invoice.paid', stripe.invoice(renewal)));
    const of = { id: newId('dp'), charge: newId('ch'), paymentIntent, cents: 10_000 };
    expect(await deliver(service, id, stripe.event('charge.dispute.created', stripe.dispute(of)))).toBe('refunded');
    expect(await moneyOf(id)).toEqual([10_000, null, null]);
    const won = stripe.event('charge.dispute.closed', stripe.dispute({ ...of, status: 'won' }));
    expect(await deliver(service, id, won)).toBe('restored');
    expect(await moneyOf(id)).toEqual([0, null, null]);
  });
});

describe('a refund that is also reported over /track/refund', () => {
  async function sale(): Promise<{ made: Buyer; payment: Payment }> {
    const made = await withBuyer(service);
    const payment = new Payment('2026');
    await deliver(service, made.id, payment.sale());
    return { made, payment };
  }
  const report = ({ apiKey }: Buyer, { paymentIntent }: Payment, fields: object = {}) =>
    service.refund({ transaction_id: paymentIntent, ...fields }, { key: apiKey });

  it('counts once if Stripe reports it later', async () => {
    const { made, payment } = await sale();
    const { body } = await report(made, payment, { refund_amount_cents: 2_500 });
    expect(body.data).toMatchObject({ status: 'partially_reversed', refunded_cents: 2_500, deduction_cents: 500 });
    expect(await deliver(service, made.id, payment.charged(2_500))).toBe('unchanged');
    expect(await moneyOf(made.id)).toEqual([2_500, 500, 'partial']);
  });

  it('counts once if Stripe reported it before, and the response says that nothing more was deducted', async () => {
    const { made, payment } = await sale();
    await deliver(service, made.id, payment.charged(2_500));
    const fields = { refund_amount_cents: 2_500, refund_id: 'mine' };
    const first = await report(made, payment, fields);
    expect({ status: first.status, body: first.body }).toEqual({
      status: 200,
      body: {
        data: {
          refund_id: 'mine',
          sale_id: expect.any(Number),
          commission_id: expect.any(Number),
          status: 'partially_reversed',
          refunded_cents: 0,
          deduction_cents: 0,
          currency: 'USD',
        },
        success: true,
      },
    });
    expect((await report(made, payment, fields)).body).toEqual(first.body);
    expect(await deliver(service, made.id, payment.refund('refund.updated', 're_1', 2_500, 'succeeded'))).toBe(
      'unchanged',
    );
    expect(await moneyOf(made.id)).toEqual([2_500, 500, 'partial']);
  });

  it('counts the rest if Stripe reported a part before, and nothing twice when Stripe reports the rest', async () => {
    const { made, payment } = await sale();
    await deliver(service, made.id, payment.charged(2_500));
    const { body } = await report(made, payment);
    expect(body.data).toMatchObject({ status: 'reversed', refunded_cents: 7_500, deduction_cents: 1_500 });
    expect(await deliver(service, made.id, payment.charged(10_000))).toBe('unchanged');
    expect(await moneyOf(made.id)).toEqual([10_000, 2_000, 'full']);
  });

  it('is already_refunded if Stripe reported all of it before', async () => {
    const { made, payment } = await sale();
    await deliver(service, made.id, payment.charged(10_000));
    for (let again = 0; again < 2; again += 1) {
      const { status, body } = await report(made, payment);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ status: 'already_refunded', refunded_cents: 0, deduction_cents: 0 });
    }
    expect(await moneyOf(made.id)).toEqual([10_000, 2_000, 'full']);
  });

  it('stays when a dispute is won', async () => {
    const { made, payment } = await sale();
    await deliver(service, made.id, payment.dispute('charge.dispute.created', 10_000, 'needs_response'));
    await report(made, payment, { refund_amount_cents: 4_000 });
    expect(await deliver(service, made.id, payment.dispute('charge.dispute.closed', 10_000, 'won'))).toBe('restored');
    expect(await moneyOf(made.id)).toEqual([4_000, 800, 'partial']);
  });
});

describe('the sale of a payment', () => {
  const older = () => new StripeEvents('2024', service.time);
  const newer = () => new StripeEvents('2026', service.time);
  type InvoiceCase = { stripe: StripeEvents; invoice: object; paymentIntent: string; charge: string };
  const invoiceOf = (stripe: StripeEvents, parts: object) => stripe.invoice({ ...OWN, cents: 10_000, ...parts });

  const ways: [
    string,
    (ids: { paymentIntent: string; charge: string }) => InvoiceCase & { link?: (id: string) => StripeEvent },
  ][] = [
    [
      'invoice.payment_intent in the older version',
      ({ paymentIntent, charge }) => ({ stripe: older(), invoice: { paymentIntent }, paymentIntent, charge }),
    ],
    [
      'invoice.charge in the older version',
      ({ paymentIntent, charge }) => ({ stripe: older(), invoice: { extra: { charge } }, paymentIntent, charge }),
    ],
    [
      'invoice.payments in the newer version',
      ({ paymentIntent, charge }) => ({
        stripe: newer(),
        invoice: { extra: { payments: { data: [{ payment: { payment_intent: paymentIntent } }] } } },
        paymentIntent,
        charge,
      }),
    ],
    [
      'invoice_payment.paid in the newer version',
      ({ paymentIntent, charge }) => {
        const stripe = newer();
        const link = (id: string) => stripe.event('invoice_payment.paid', stripe.invoicePayment(id, paymentIntent));
        return { stripe, invoice: {}, paymentIntent, charge, link };
      },
    ],
  ];

  function prepared(way: (typeof ways)[number][1]) {
    const {
      stripe,
      invoice: parts,
      paymentIntent,
      charge,
      link,
    } = way({ paymentIntent: newId('pi'), charge: newId('ch') });
    const invoice = invoiceOf(stripe, parts);
    const paid = stripe.event('invoice.paid', invoice);
    const of = { charge, paymentIntent, cents: 2_500 };
    const refunded = stripe.event('refund.created', stripe.refund(of));
    return { paid, refunded, links: link ? [link(invoice.id)] : [] };
  }

  it.each(ways)('is found by %s', async (_field, way) => {
    const { id } = await withBuyer(service);
    const { paid, refunded, links } = prepared(way);
    await deliver(service, id, paid, ...links);
    expect(await deliver(service, id, refunded)).toBe('refunded');
    expect(await moneyOf(id)).toEqual([2_500, 500, 'partial']);
  });

  it.each(ways)('is found by %s even if that arrives last', async (_field, way) => {
    const { id } = await withBuyer(service);
    const { paid, refunded, links } = prepared(way);
    await deliver(service, id, refunded, ...(links.length > 0 ? [paid, ...links] : [paid]));
    expect(await moneyOf(id)).toEqual([2_500, 500, 'partial']);
    if (links[0]) expect(await outcomeOf(service, id, links[0].id)).toBe('refunded');
  });

  it('is found by charge.invoice in the older version', async () => {
    const { id } = await withBuyer(service);
    const stripe = older();
    const invoice = invoiceOf(stripe, { extra: { payment_intent: null } });
    await deliver(service, id, stripe.event('invoice.paid', invoice));
    const charge = stripe.charge({ paymentIntent: newId('pi'), cents: 10_000, refunded: 2_500 });
    const refunded = stripe.event('charge.refunded', { ...charge, invoice: invoice.id });
    expect(await deliver(service, id, refunded)).toBe('refunded');
    // From then on the charge alone identifies the sale.
    const dispute = stripe.dispute({ charge: charge.id, cents: 1_000 });
    expect(await deliver(service, id, stripe.event('charge.dispute.created', dispute))).toBe('refunded');
    expect(await moneyOf(id)).toEqual([3_500, 700, 'partial']);
  });

  it('is looked up again, so that a sale reported over the API later is found', async () => {
    const made = await withBuyer(service);
    const payment = new Payment('2026');
    const refunded = payment.charged(2_500);
    expect(await deliver(service, made.id, refunded)).toBe('no_sale_yet');
    const sale = { transaction_id: payment.paymentIntent, amount_cents: 10_000, customer_key: 'user-1' };
    expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
    service.advance({ seconds: 60 });
    await settle(service);
    expect(await outcomeOf(service, made.id, refunded.id)).toBe('refunded');
    expect(await moneyOf(made.id)).toEqual([2_500, 500, 'partial']);
  });

  it('is looked up three more times for a refund of an unknown payment', async () => {
    const { id } = await withBuyer(service);
    const refunded = new Payment('2026').charged(2_500);
    await deliver(service, id, refunded);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      service.advance({ days: 1 });
      await settle(service);
    }
    const [row] = await service.sql('select state, outcome, attempts from processor_events where event_id = $1', [
      refunded.id,
    ]);
    expect(row).toEqual({ state: 'done', outcome: 'no_sale_yet', attempts: 4 });
  });

  it('never belongs to another program', async () => {
    const [mine, theirs] = [await withBuyer(service), await withBuyer(service)];
    const payment = new Payment('2026');
    await deliver(service, theirs.id, payment.sale());
    expect(await deliver(service, mine.id, payment.charged(10_000))).toBe('no_sale_yet');
    expect(await moneyOf(theirs.id)).toEqual([0, 0, 'none']);
  });

  it('is refunded proportionally if it was charged in another currency', async () => {
    const { id } = await withBuyer(service);
    const payment = new Payment('2026');
    await deliver(service, id, payment.sale());
    const extra = { currency: 'eur', amount: 9_200, amount_captured: 9_200, amount_refunded: 2_300 };
    expect(await deliver(service, id, payment.charged(0, extra))).toBe('refunded');
    expect(await moneyOf(id)).toEqual([2_500, 500, 'partial']);
  });
});
