import { createHash } from 'node:crypto';
import { PROCESSORS, type ProcessorName } from '@svc/contract';
import { Chance } from '@svc/testkit';
import { changeSomewhere } from '@svc/testkit/service/hostile/events.ts';
import { customSigned } from '@svc/testkit/service/payments/custom.ts';
import {
  type LemonEvent,
  LemonEvents,
  lemonEventId,
  lemonSigned,
  newNumber,
} from '@svc/testkit/service/payments/lemonsqueezy.ts';
import { connectPaddle, PaddleEvents, paddleSigned } from '@svc/testkit/service/payments/paddle.ts';
import { PolarEvents, polarSigned } from '@svc/testkit/service/payments/polar.ts';
import { SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { connectStripe, newId, StripeEvents, settle, signed } from '@svc/testkit/service/payments/stripe.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

// biome-ignore lint/suspicious/noExplicitAny: events of all processors, broken on purpose
type Payload = Record<string, any>;

const stripe = () => new StripeEvents('2026', service.time);
const paddle = () => new PaddleEvents(service.time);
const ours = { svc_customer_key: 'user-1' };

type Kind = {
  connect(made: TestProgram): Promise<void>;
  sign(body: string): Record<string, string>;
  /** One event of each kind that is used. */
  events(): Payload[];
  idOf(payload: Payload): unknown;
  /** Events with a part out of bounds. */
  outOfBounds(): [flaw: string, event: Payload][];
};

const polar = () => new PolarEvents(service.time);
const lemon = () => new LemonEvents(service.time);
const at = () => service.time.toISOString();
const payment = () => ({
  type: 'payment',
  at: at(),
  transaction_id: newId('order'),
  amount_cents: 5_000,
  payer: { customer_key: 'user-1' },
});
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const charge = { charge: 'ch_1', paymentIntent: 'pi_1' };

const AMOUNTS = [-1, 1.5, 2 ** 53, '5000', null];
const IDS = [undefined, 7, '', 'x'.repeat(256), 'id_\0'];
const named = (what: string, value: unknown) => `${what} ${JSON.stringify(value)?.slice(0, 20)}`;

const KINDS: Record<ProcessorName, Kind> = {
  stripe: {
    connect: (made) => connectStripe(service, made),
    sign: (body) => signed(body, service.time),
    idOf: ({ id }) => id,
    events: () => [
      stripe().event('checkout.session.completed', stripe().session({ metadata: ours })),
      stripe().event('payment_intent.succeeded', {
        id: newId('pi'),
        amount_received: 5,
        currency: 'usd',
        metadata: ours,
      }),
      stripe().event('invoice.paid', stripe().invoice({ metadata: ours })),
      stripe().event('invoice_payment.paid', stripe().invoicePayment('in_1', 'pi_1')),
      stripe().event('charge.refunded', stripe().charge({ ...charge, cents: 5_000, refunded: 100 })),
      stripe().event('refund.created', stripe().refund({ ...charge, cents: 100 })),
      stripe().event('charge.dispute.created', stripe().dispute({ ...charge, cents: 100 })),
      stripe().event('customer.created', { id: newId('cus'), metadata: ours, email: 'a@b.test' }),
    ],
    outOfBounds: () => [
      ...[-1, 1.5, 2 ** 53, '5000', true].map((amount_total): [string, Payload] => [
        `the amount ${JSON.stringify(amount_total)}`,
        stripe().event('checkout.session.completed', stripe().session({ metadata: ours, extra: { amount_total } })),
      ]),
      ...[-1, 9e15, 'yesterday'].map((paid_at): [string, Payload] => [
        `paid at ${JSON.stringify(paid_at)}`,
        stripe().event('invoice.paid', stripe().invoice({ extra: { status_transitions: { paid_at } } })),
      ]),
      ...[undefined, 7, '', 'x'.repeat(256), 're_\0'].map((id): [string, Payload] => [
        `the id ${JSON.stringify(id)?.slice(0, 20)}`,
        stripe().event('refund.created', { ...stripe().refund({ ...charge, cents: 100 }), id }),
      ]),
      ['a refund of a negative amount', stripe().event('refund.created', stripe().refund({ ...charge, cents: -5 }))],
    ],
  },
  paddle: {
    connect: (made) => connectPaddle(service, made),
    sign: (body) => paddleSigned(body, service.time),
    idOf: ({ event_id }) => event_id,
    events: () => [
      paddle().event('transaction.completed', paddle().transaction({ customData: ours })),
      paddle().event('transaction.paid', paddle().transaction({ customData: ours, status: 'paid' })),
      paddle().event('adjustment.created', paddle().adjustment({ transaction: 'txn_1', cents: 100 })),
      paddle().event('customer.created', paddle().customer(newId('ctm'), { customData: ours })),
      paddle().event('subscription.created', paddle().subscription(newId('sub'), newId('ctm'), ours)),
    ],
    outOfBounds: () => [
      ...['-', '1.5', '9007199254740992', 5_000, null].map((grand_total): [string, Payload] => [
        `the amount ${JSON.stringify(grand_total)}`,
        paddle().event(
          'transaction.completed',
          paddle().transaction({ customData: ours, extra: { details: { totals: { grand_total } } } }),
        ),
      ]),
      ...[undefined, 7, '', 'x'.repeat(256), 'txn_\0'].map((id): [string, Payload] => [
        `the id ${JSON.stringify(id)?.slice(0, 20)}`,
        paddle().event('transaction.completed', { ...paddle().transaction({ customData: ours }), id }),
      ]),
      [
        'a refund of a negative amount',
        paddle().event('adjustment.created', paddle().adjustment({ transaction: 'txn_1', cents: -5 })),
      ],
    ],
  },
  polar: {
    connect: (made) => SHOPS.polar(service).connect(made),
    sign: (body) => polarSigned(body, service.time, hashOf(body)),
    idOf: (payload) => hashOf(JSON.stringify(payload)),
    events: () => [
      polar().event('order.paid', polar().order({ metadata: ours })),
      polar().event('order.paid', polar().order({ metadata: ours, subscription: newId('sub') })),
      polar().event('order.refunded', polar().order({ extra: { refunded_amount: 100 } })),
      polar().event('refund.created', polar().refund({ order: newId('order'), cents: 100 })),
      polar().event('customer.created', polar().customer(newId('customer'), ours)),
    ],
    outOfBounds: () => [
      ...AMOUNTS.slice(0, -1).map((due_amount): [string, Payload] => [
        named('the amount', due_amount),
        polar().event('order.paid', polar().order({ metadata: ours, extra: { due_amount } })),
      ]),
      ...IDS.map((id): [string, Payload] => [
        named('the id', id),
        polar().event('order.paid', { ...polar().order({ metadata: ours }), id }),
      ]),
      ...AMOUNTS.map((amount): [string, Payload] => [
        named('a refund of', amount),
        polar().event('refund.created', { ...polar().refund({ order: 'order_1', cents: 100 }), amount }),
      ]),
    ],
  },
  lemonsqueezy: {
    connect: (made) => SHOPS.lemonsqueezy(service).connect(made),
    sign: (body) => lemonSigned(body),
    idOf: (payload) => lemonEventId(JSON.stringify(payload)),
    events: () => [
      lemon().event('order_created', lemon().order(), ours),
      lemon().event('order_refunded', lemon().order({ extra: { refunded_amount: 100 } })),
      lemon().event('subscription_created', lemon().subscription(newNumber()), ours),
      lemon().event('subscription_payment_success', lemon().invoice(newNumber(), 'initial'), ours),
      lemon().event('subscription_payment_refunded', lemon().invoice(newNumber(), 'renewal'), ours),
    ],
    outOfBounds: () => [
      ...AMOUNTS.map((total): [string, Payload] => [
        named('the amount', total),
        lemon().event('order_created', lemon().order({ extra: { total } }), ours),
      ]),
      ...[undefined, '', 'x'.repeat(256), 'id_\0', -1].map((id): [string, Payload] => [
        named('the id', id),
        lemon().event('order_created', { ...lemon().order(), id } as LemonEvent['data'], ours),
      ]),
      ...AMOUNTS.slice(0, -1).map((refunded_amount): [string, Payload] => [
        named('a refund of', refunded_amount),
        lemon().event('order_refunded', lemon().order({ extra: { refunded_amount } })),
      ]),
    ],
  },
  custom: {
    connect: (made) => SHOPS.custom(service).connect(made),
    sign: (body) => customSigned(body, service.time, hashOf(body)),
    idOf: (payload) => hashOf(JSON.stringify(payload)),
    events: () => [
      { ...payment(), subscription: { id: newId('sub'), stage: 'renewal' }, coupon_code: 'BEN20' },
      { type: 'refund', at: at(), refund_id: newId('refund'), transaction_id: 'order_1', amount_cents: 100 },
      { type: 'dispute', at: at(), dispute_id: newId('dispute'), transaction_id: 'order_1', amount_cents: 100 },
      { type: 'identity', at: at(), payer: { customer_id: newId('customer'), customer_key: 'user-1' } },
    ],
    outOfBounds: () => [
      ...AMOUNTS.map((amount_cents): [string, Payload] => [
        named('the amount', amount_cents),
        { ...payment(), amount_cents },
      ]),
      ...IDS.map((transaction_id): [string, Payload] => [
        named('the id', transaction_id),
        { ...payment(), transaction_id },
      ]),
      ['more tax than was paid', { ...payment(), tax_cents: 5_001 }],
      ['a payer that is no object', { ...payment(), payer: ['user-1'] }],
      ['a stage that there is not', { ...payment(), subscription: { id: 'sub_1', stage: 'cycle' } }],
      ['an identity without an id', { type: 'identity', at: at(), payer: { customer_key: 'user-1' } }],
    ],
  },
};

describe.each(PROCESSORS)('broken events of %s, correctly signed', (processor) => {
  const kind = KINDS[processor];

  async function connected(): Promise<number> {
    const made = await service.program();
    await kind.connect(made);
    await service.customer(made, 'user-1');
    return made.program.id;
  }

  function send(id: number, payload: Payload) {
    const body = JSON.stringify(payload);
    return service.call('POST', `/api/v1/webhooks/${processor}/${id}`, { body, headers: kind.sign(body) });
  }

  it('are stored with a reason if a part is out of bounds, and record nothing', async () => {
    const id = await connected();
    for (const [flaw, event] of kind.outOfBounds()) {
      expect({ flaw, status: (await send(id, event)).status }).toEqual({ flaw, status: 200 });
      await settle(service);
      const [row] = await service.sql(
        'select state, outcome, last_error from processor_events where program_id = $1 and event_id = $2',
        [id, kind.idOf(event)],
      );
      expect({ flaw, ...row }).toEqual({ flaw, state: 'done', outcome: 'malformed', last_error: null });
    }
    expect(await service.counts(id)).toMatchObject({ sales: 0, commissions: 0 });
  });

  it('never lead to a 500 or a failure, whatever is changed in them', async () => {
    const chance = new Chance(20_260_310);
    const id = await connected();
    for (let round = 0; round < 100; round += 1) {
      const payload: Payload = structuredClone(chance.pick(kind.events()));
      for (let changes = 1 + chance.below(3); changes > 0; changes -= 1) changeSomewhere(chance, payload);
      const { status, body } = await send(id, payload);
      expect([200, 400]).toContain(status);
      if (status === 400) expect(body.error.message).toMatch(/^The request body is not an event of/);
    }
    await settle(service);
    const failed = await service.sql(
      `select type, last_error from processor_events where program_id = $1 and (outcome = 'failed' or outcome is null)`,
      [id],
    );
    expect(failed).toEqual([]);
  });
});
