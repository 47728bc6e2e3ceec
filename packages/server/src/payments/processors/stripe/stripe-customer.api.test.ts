import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import {
  type Buyer,
  connectStripe,
  deliver,
  GENERATIONS,
  ledger,
  newId,
  OWN,
  outcomeOf,
  type StripeEvent,
  type StripeEvents,
  settle,
  stripeEvents,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { approveCommissions } from '../../../jobs/approve-commissions.ts';
import { runJob } from '../../../jobs/run-jobs.ts';

const service = useService();

const events = stripeEvents(service);
const idOf = (clickId: string) => Number(clickId.split('_')[1]);

/** The customer of each recorded sale of the program. */
async function buyers(programId: number): Promise<unknown[]> {
  const rows = await service.sql('select customer_id from sales where program_id = $1 order by id', [programId]);
  return rows.map((row) => row.customer_id);
}

async function eventRow(event: StripeEvent) {
  const [row] = await service.sql(
    'select state, outcome, attempts, due_at, transaction_id, customer_id from processor_events where event_id = $1',
    [event.id],
  );
  return row ?? {};
}

describe('the customer of a payment', () => {
  /** One customer for each kind of evidence: the click, the key, the processor's customer, the e-mail. */
  async function fourCustomers() {
    const made = await withBuyer(service);
    const stripe = events();
    const customer = newId('cus');
    const byClick = await service.clickId(made.link);
    const byClient = await service.clickId(made.link);
    const byReference = await service.customer(made, 'seen-before');
    const seen = stripe.session({ metadata: { svc_customer_key: 'seen-before' }, customer });
    await deliver(service, made.id, stripe.event('checkout.session.completed', seen));
    const byEmail = await service.clickId(made.link);
    await service.lead({ click_id: byEmail, email: 'Jo@People.test' }, { key: made.apiKey });
    return { made, stripe, customer, byClick, byClient, byReference, byEmail };
  }

  it.each([
    ['is the holder of the customer key first', ['key', 'reference', 'click', 'client', 'email'], 'byKey'],
    ['is found by a known processor customer next', ['reference', 'click', 'client', 'email'], 'byReference'],
    ['is found by the click id after that', ['click', 'client', 'email'], 'byClick'],
    ['is found by the client reference as a click id', ['client', 'email'], 'byClient'],
    ['is found by the client reference as a customer key', ['client key', 'email'], 'byKey'],
    ['is found by the e-mail last', ['email'], 'byEmail'],
  ])('%s', async (_title, evidence, expected) => {
    const { made, stripe, customer, ...found } = await fourCustomers();
    const session = stripe.session({
      metadata: {
        ...(evidence.includes('click') && { svc_click_id: found.byClick }),
        ...(evidence.includes('key') && { svc_customer_key: 'user-1' }),
      },
      customer: evidence.includes('reference') ? customer : null,
      email: evidence.includes('email') ? 'jo@people.test' : null,
      extra: {
        ...(evidence.includes('client') && { client_reference_id: found.byClient }),
        ...(evidence.includes('client key') && { client_reference_id: 'user-1' }),
      },
    });
    expect(await deliver(service, made.id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    const who = { ...found, byKey: made.clickId }[expected] as string;
    expect((await buyers(made.id)).at(-1)).toBe(idOf(who));
  });

  it('is found by the next evidence when nobody has the click id or key', async () => {
    const { made, stripe, customer, byReference } = await fourCustomers();
    const metadata = { svc_click_id: 'cust_999999999_1', svc_customer_key: 'nobody' };
    const session = stripe.session({ metadata, customer });
    expect(await deliver(service, made.id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    expect((await buyers(made.id)).at(-1)).toBe(idOf(byReference));
  });

  it('changes for a processor customer when stronger evidence names another one, also for what they paid before', async () => {
    const { made, stripe, byEmail } = await fourCustomers();
    const customer = newId('cus');
    const pay = (paid: Parameters<StripeEvents['session']>[0]) => {
      stripe.at += 60;
      const session = stripe.session({ ...paid, customer });
      return deliver(service, made.id, stripe.event('checkout.session.completed', session));
    };
    await pay({ email: 'jo@people.test' });
    expect((await buyers(made.id)).at(-1)).toBe(idOf(byEmail));
    await pay(OWN);
    await pay({});
    expect((await buyers(made.id)).slice(-3)).toEqual([made.customerId, made.customerId, made.customerId]);
  });
});

describe.each(GENERATIONS)('on API version %s, metadata is found', (generation) => {
  const named = { svc_customer_key: 'user-1' };
  const locations: [string, (stripe: StripeEvents) => [string, object]][] = [
    ['on the session', (stripe) => ['checkout.session.completed', stripe.session({ metadata: named })]],
    [
      'where this version puts that of the subscription',
      (stripe) => ['invoice.paid', stripe.invoice({ metadata: named })],
    ],
    [
      'under parent.subscription_details',
      (stripe) => [
        'invoice.paid',
        stripe.invoice({ extra: { parent: { subscription_details: { metadata: named } } } }),
      ],
    ],
    [
      'under subscription_details',
      (stripe) => [
        'invoice.paid',
        stripe.invoice({ extra: { parent: null, subscription_details: { metadata: named } } }),
      ],
    ],
    ['on the invoice itself', (stripe) => ['invoice.paid', stripe.invoice({ extra: { metadata: named } })]],
    [
      'on a line',
      (stripe) => ['invoice.paid', stripe.invoice({ extra: { lines: { data: [{}, { metadata: named }] } } })],
    ],
  ];

  it.each(locations)('%s', async (_location, build) => {
    const { id, customerId } = await withBuyer(service);
    const stripe = events(generation);
    expect(await deliver(service, id, stripe.event(...build(stripe)))).toBe('recorded');
    expect(await buyers(id)).toEqual([customerId]);
  });
});

describe('a payment for another program', () => {
  const pay = (made: Buyer, metadata: object) => {
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1', ...metadata } });
    return deliver(service, made.id, stripe.event('checkout.session.completed', session));
  };

  it('is recorded if program_id names this program', async () => {
    const made = await withBuyer(service);
    expect(await pay(made, { program_id: String(made.id) })).toBe('recorded');
  });

  it('is ignored as other_program if program_id names another one', async () => {
    const [made, other] = [await withBuyer(service), await service.program()];
    expect(await pay(made, { program_id: String(other.program.id) })).toBe('other_program');
    expect(await ledger(service, made.id)).toEqual([]);
  });

  it.each(['ruby-101', '999999999', '0', '9'.repeat(40)])(
    'is recorded if program_id is %s, which names no program',
    async (program_id) => {
      const made = await withBuyer(service);
      expect(await pay(made, { program_id })).toBe('recorded');
    },
  );

  it('is ignored if the click belongs to another program, which stays unchanged', async () => {
    const [made, other] = [await withBuyer(service), await withBuyer(service)];
    const before = await service.counts(other.id);
    expect(await pay(made, { svc_click_id: other.clickId, svc_customer_key: 'nobody' })).toBe('other_program');
    expect([await ledger(service, made.id), await ledger(service, other.id)]).toEqual([[], []]);
    expect(await service.counts(other.id)).toEqual(before);
  });

  it('is ignored if only another program of the workspace knows the key', async () => {
    const sibling = await withBuyer(service);
    const made = await service.program({ workspaceId: sibling.workspaceId });
    await connectStripe(service, made);
    expect(await pay({ ...sibling, ...made, id: made.program.id }, {})).toBe('other_program');
    expect(await ledger(service, made.program.id)).toEqual([]);
  });
});

describe('a payment without a known customer', () => {
  it('is retried as no_customer, with a single decision that explain shows', async () => {
    const made = await withBuyer(service);
    const owner = await memberOf(service, made.workspaceId);
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'nobody' } });
    const event = stripe.event('checkout.session.completed', session);
    expect(await deliver(service, made.id, event)).toBe('no_customer');
    service.advance({ seconds: 5 });
    await settle(service);
    expect(await eventRow(event)).toMatchObject({ state: 'waiting', outcome: 'no_customer', attempts: 2 });
    const path = manage(made, `/explain?transaction_id=${session.payment_intent}`);
    const { body } = await service.call('GET', path, { key: owner.token });
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ kind: 'sale', outcome: 'refused', reason: 'customer_not_found' });
    expect(await ledger(service, made.id)).toEqual([]);
  });

  it('is recorded at the next attempt after its lead arrives', async () => {
    const made = await withBuyer(service);
    const stripe = events();
    const event = stripe.event(
      'checkout.session.completed',
      stripe.session({ metadata: { svc_customer_key: 'late' } }),
    );
    expect(await deliver(service, made.id, event)).toBe('no_customer');
    const clickId = await service.customer(made, 'late');
    await settle(service);
    expect(await outcomeOf(service, made.id, event.id)).toBe('no_customer');
    service.advance({ seconds: 5 });
    await settle(service);
    expect(await eventRow(event)).toMatchObject({ state: 'done', outcome: 'recorded', customer_id: idOf(clickId) });
    expect(await ledger(service, made.id)).toHaveLength(1);
  });

  it('stops after the last attempt until an event identifies its customer', async () => {
    const made = await withBuyer(service);
    const stripe = events();
    const customer = newId('cus');
    const event = stripe.event('invoice.paid', stripe.invoice({ customer }));
    await deliver(service, made.id, event);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      service.advance({ days: 2 });
      await settle(service);
    }
    expect(await eventRow(event)).toMatchObject({ state: 'done', outcome: 'no_customer', attempts: 8, due_at: null });
    const session = stripe.session({ ...OWN, customer, subscription: newId('sub') });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    await settle(service);
    expect(await eventRow(event)).toMatchObject({ state: 'done', outcome: 'recorded' });
    expect(await ledger(service, made.id)).toHaveLength(1);
  });

  it('is not_attributed if the customer signed up without a click', async () => {
    const made = await withBuyer(service);
    await service.lead({ customer_key: 'walk-in' }, { key: made.apiKey });
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'walk-in' } });
    const event = stripe.event('checkout.session.completed', session);
    expect(await deliver(service, made.id, event)).toBe('not_attributed');
    expect(await ledger(service, made.id)).toEqual([]);
  });
});

const holdReasons = async (programId: number) =>
  (await service.sql('select hold_reason from commissions where program_id = $1', [programId])).map(
    (row) => row.hold_reason,
  );

describe('a key that only a page claims', () => {
  it('does not divert a payment from the customer who has the key', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const { link } = await service.partner(made.program);
    const thief = await service.clickId(link);
    expect((await service.lead({ click_id: thief, customer_key: 'user-1' })).body.provisional).toBe(true);
    const stripe = events();
    const session = stripe.session(OWN);
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    expect(await buyers(made.id)).toEqual([made.customerId]);
    expect(await customerOf(service, thief)).toMatchObject({ lead_state: 'provisional', customer_key: null });
  });

  it('is confirmed by a payment to which the backend attached the key', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'claimed' });
    const stripe = events();
    const invoice = stripe.invoice({ metadata: { svc_customer_key: 'claimed' } });
    const event = stripe.event('invoice.payment_succeeded', invoice);
    expect(await deliver(service, made.id, event)).toBe('settled_and_recorded');
    expect(await customerOf(service, clickId)).toMatchObject({
      lead_state: 'settled',
      customer_key: 'claimed',
      status: 'conversion',
    });
    const reasons = (await decisionsOf(service, made)).map(({ reason }) => reason).slice(-2);
    expect(reasons).toEqual(['lead_settled_by_payment', 'sale_attributed']);
    // Stripe reports an invoice twice. The second event finds that the key is held by now.
    await deliver(service, made.id, stripe.event('invoice.paid', invoice));
    expect(await holdReasons(made.id)).toEqual(['claimed_key']);
  });

  it.each([
    ['nothing else on the payment agrees', {}, ['claimed_key']],
    ['another address is on the payment', { email: 'somebody@people.test' }, ['claimed_key']],
    ['the address of the claim is on the payment', { email: 'pat@people.test' }, [null]],
  ])('is held for review if %s', async (_what, paid, expected) => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'claimed', email: 'pat@people.test' });
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'claimed' }, ...paid });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    expect(await holdReasons(made.id)).toEqual(expected);
  });

  it('is not held if the click of the claim is on the payment', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'claimed' });
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'claimed', svc_click_id: clickId } });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    expect(await holdReasons(made.id)).toEqual([null]);
  });

  it('is replaced by the key that the backend attached to a payment with the click id', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'what-the-page-said' });
    const stripe = events();
    const session = stripe.session({ metadata: { svc_click_id: clickId, svc_customer_key: 'what-is-true' } });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'settled', customer_key: 'what-is-true' });
  });
});

describe('what only pages report about a payer', () => {
  const EMAIL = 'cfo@corp.test';
  const signUpOnPage = async (link: string, reported: object) => {
    const clickId = await service.clickId(link);
    expect((await service.lead({ click_id: clickId, ...reported })).status).toBe(200);
    return clickId;
  };
  const pay = (programId: number, paid: Parameters<StripeEvents['session']>[0]) => {
    const stripe = events();
    return deliver(service, programId, stripe.event('checkout.session.completed', stripe.session(paid)));
  };

  it.each(['server_required', 'browser_allowed'] as const)(
    'does not identify anyone by e-mail under %s',
    async (leadAuth) => {
      const made = await withBuyer(service, { leadAuth });
      await signUpOnPage(made.link, { customer_key: 'x', email: EMAIL });
      expect(await pay(made.id, { email: EMAIL })).toBe('no_customer');
      expect(await ledger(service, made.id)).toEqual([]);
    },
  );

  it('identifies a customer by e-mail once the server confirms the signup', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await signUpOnPage(made.link, { customer_key: 'x', email: EMAIL });
    await service.lead({ click_id: clickId, customer_key: 'x' }, { key: made.apiKey });
    expect(await pay(made.id, { email: EMAIL })).toBe('recorded');
    expect(await buyers(made.id)).toEqual([idOf(clickId)]);
    expect(await holdReasons(made.id)).toEqual(['email_from_page']);
  });

  it('an e-mail that the server sent itself is not held for review', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await signUpOnPage(made.link, { customer_key: 'x', email: EMAIL });
    await service.lead({ click_id: clickId, email: EMAIL }, { key: made.apiKey });
    expect(await pay(made.id, { email: EMAIL })).toBe('recorded');
    expect(await holdReasons(made.id)).toEqual([null]);
  });

  it('does not take an e-mail from the earliest signup that the server vouches for', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const thief = await service.partner(made.program);
    await signUpOnPage(thief.link, { customer_key: 'before', email: EMAIL });
    const honest = await service.clickId(made.link);
    await service.lead({ click_id: honest, email: EMAIL }, { key: made.apiKey });
    service.advance({ seconds: 1 });
    await service.lead({ click_id: await service.clickId(thief.link), email: EMAIL }, { key: made.apiKey });
    await signUpOnPage(thief.link, { customer_key: 'after', email: EMAIL });
    expect(await pay(made.id, { email: EMAIL })).toBe('recorded');
    expect(await buyers(made.id)).toEqual([idOf(honest)]);
  });

  it('is not mistaken for a server report in rows that older releases stored without a source', async () => {
    const made = await withBuyer(service);
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, email: EMAIL }, { key: made.apiKey });
    const page = await signUpOnPage(made.link, { email: 'page@corp.test' });
    await service.sql('update customers set lead_source = null, email_source = null where id = any ($1)', [
      [idOf(clickId), idOf(page)],
    ]);
    expect(await pay(made.id, { email: EMAIL })).toBe('recorded');
    expect(await pay(made.id, { email: 'page@corp.test' })).toBe('no_customer');
  });

  it('identifies nobody if several pages claim the same key, with a decision that says so', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const thief = await service.partner(made.program);
    await signUpOnPage(made.link, { customer_key: 'claimed' });
    await signUpOnPage(thief.link, { customer_key: 'claimed' });
    expect(await pay(made.id, { metadata: { svc_customer_key: 'claimed' } })).toBe('no_customer');
    expect((await decisionsOf(service, made)).at(-1)).toMatchObject({ reason: 'key_claimed_by_several' });
    expect(await ledger(service, made.id)).toEqual([]);
  });

  describe('a claimed key', () => {
    const CLAIM = { metadata: { svc_customer_key: 'claimed' } };
    const claimed = async (reported: object = {}) => {
      const made = await withBuyer(service, { leadAuth: 'server_required' });
      const clickId = await signUpOnPage(made.link, { customer_key: 'claimed', ...reported });
      return { made, clickId };
    };

    it('alone credits the partner, but the commission is held for review', async () => {
      const { made, clickId } = await claimed();
      expect(await pay(made.id, CLAIM)).toBe('settled_and_recorded');
      expect(await buyers(made.id)).toEqual([idOf(clickId)]);
      expect(await holdReasons(made.id)).toEqual(['claimed_key']);
      expect((await decisionsOf(service, made)).at(-1)).toMatchObject({
        reason: 'sale_attributed',
        facts: { hold_reason: 'claimed_key' },
      });
      service.advance({ days: 31 });
      await runJob(service.ctx, approveCommissions);
      expect(await holdReasons(made.id)).toEqual(['claimed_key']);
    });

    it('that another e-mail comes with is held, too', async () => {
      const { made } = await claimed({ email: 'crook@corp.test' });
      await pay(made.id, { ...CLAIM, email: EMAIL });
      expect(await holdReasons(made.id)).toEqual(['claimed_key']);
    });

    it('is not held if the e-mail of the claim agrees', async () => {
      const { made } = await claimed({ email: EMAIL });
      await pay(made.id, { ...CLAIM, email: EMAIL });
      expect(await holdReasons(made.id)).toEqual([null]);
    });

    it('is not held if the click agrees', async () => {
      const { made, clickId } = await claimed();
      await pay(made.id, { metadata: { svc_customer_key: 'claimed', svc_click_id: clickId } });
      expect(await holdReasons(made.id)).toEqual([null]);
    });

    it('is held for later payments, too, until the brand has approved one', async () => {
      const { made } = await claimed();
      for (let payment = 0; payment < 2; payment += 1) await pay(made.id, CLAIM);
      expect(await holdReasons(made.id)).toEqual(['claimed_key', 'claimed_key']);
      const [first] = await service.sql<{ id: number }>(
        'select id from commissions where program_id = $1 order by id limit 1',
        [made.id],
      );
      const { token } = await memberOf(service, made.workspaceId);
      const approved = await service.call('POST', manage(made, `/commissions/${first?.id}/approve`), { key: token });
      expect(approved.status).toBe(200);
      await pay(made.id, CLAIM);
      expect((await holdReasons(made.id)).toSorted()).toEqual(['claimed_key', null, null]);
    });

    it('is held for an invoice whose checkout session was all that named the key', async () => {
      const { made } = await claimed();
      const stripe = events();
      const [customer, subscription] = [newId('cus'), newId('sub')];
      const session = stripe.session({ ...CLAIM, customer, subscription });
      await deliver(service, made.id, stripe.event('checkout.session.completed', session));
      await deliver(service, made.id, stripe.event('invoice.paid', stripe.invoice({ customer, subscription })));
      expect(await holdReasons(made.id)).toEqual(['claimed_key']);
    });

    it('that settles a lead with a bounty holds the bounty as well', async () => {
      const made = await withBuyer(service, { leadAuth: 'server_required' });
      await publish(service, made, [{ on: 'lead', pays: { type: 'fixed', rate: 5 } }]);
      await signUpOnPage(made.link, { customer_key: 'late' });
      await pay(made.id, { metadata: { svc_customer_key: 'late' } });
      expect(await holdReasons(made.id)).toEqual(['claimed_key', 'claimed_key']);
    });
  });

  it('does not outweigh a signup that the server vouches for', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const thief = await service.partner(made.program);
    const honest = await service.clickId(made.link);
    await service.lead({ click_id: honest, email: EMAIL }, { key: made.apiKey });
    await signUpOnPage(thief.link, { customer_key: 'claimed' });
    await pay(made.id, { email: EMAIL, metadata: { svc_customer_key: 'claimed' } });
    expect(await buyers(made.id)).toEqual([idOf(honest)]);
  });
});

describe('an invoice that only an e-mail connects with a customer', () => {
  async function twoPeople() {
    const made = await withBuyer(service);
    const byEmail = await service.clickId(made.link);
    await service.lead({ click_id: byEmail, email: 'jo@people.test' }, { key: made.apiKey });
    const stripe = events();
    const [customer, subscription] = [newId('cus'), newId('sub')];
    const invoice = stripe.event('invoice.paid', stripe.invoice({ customer, subscription, email: 'jo@people.test' }));
    const session = stripe.session({ ...OWN, customer, subscription });
    return { made, byEmail, invoice, session: stripe.event('checkout.session.completed', session) };
  }

  it('waits two seconds for its checkout session, which is stronger evidence', async () => {
    const { made, invoice, session } = await twoPeople();
    expect(await deliver(service, made.id, invoice)).toBe('waiting_for_checkout');
    expect(await ledger(service, made.id)).toEqual([]);
    await deliver(service, made.id, session);
    await settle(service);
    expect(await outcomeOf(service, made.id, invoice.id)).toBe('recorded');
    expect(await buyers(made.id)).toEqual([made.customerId]);
  });

  it('is recorded by the e-mail if no checkout session arrives', async () => {
    const { made, byEmail, invoice } = await twoPeople();
    await deliver(service, made.id, invoice);
    service.advance({ seconds: 2 });
    await settle(service);
    expect(await outcomeOf(service, made.id, invoice.id)).toBe('recorded');
    expect(await buyers(made.id)).toEqual([idOf(byEmail)]);
  });
});

describe('events without a payment', () => {
  it.each([
    ['v2.core.event_destination.ping', 'ping'],
    ['v1.checkout.session.completed', 'thin_event'],
    ['v1.invoice.paid', 'thin_event'],
  ])('a thin event of type %s is kept with the outcome %s', async (type, outcome) => {
    const made = await withBuyer(service);
    const { id } = events().event(type, {});
    const created = service.time.toISOString();
    const thin = { id, object: 'v2.core.event', type, created, livemode: true, related_object: { id: 'cs_1' } };
    expect(await deliver(service, made.id, thin as never)).toBe(outcome);
    expect(await ledger(service, made.id)).toEqual([]);
  });

  it.each([
    ['a Stripe customer', 'customer.created', (id: string) => events().customer({ id, ...OWN })],
    [
      'a Stripe subscription',
      'customer.subscription.created',
      (customer: string) => events().subscription({ customer, ...OWN }),
    ],
    [
      'a session in setup mode',
      'checkout.session.completed',
      (customer: string) => events().session({ customer, ...OWN, paymentIntent: null, extra: { mode: 'setup' } }),
    ],
  ])('metadata on %s identifies the payer of later payments', async (_what, type, objectOf) => {
    const made = await withBuyer(service);
    const stripe = events();
    const customer = newId('cus');
    expect(await deliver(service, made.id, stripe.event(type, objectOf(customer)))).toBe('payer_known');
    const paid = stripe.event('checkout.session.completed', stripe.session({ customer }));
    expect(await deliver(service, made.id, paid)).toBe('recorded');
    expect(await buyers(made.id)).toEqual([made.customerId]);
  });
});
