import { describe, expect, it } from 'vitest';
import { manage, memberOf } from '../../../test/accounts.ts';
import { useService } from '../../../test/service.ts';
import {
  type Buyer,
  connectStripe,
  deliver,
  GENERATIONS,
  ledger,
  newId,
  outcomeOf,
  type StripeEvent,
  StripeEvents,
  settle,
  withBuyer,
} from '../../../test/stripe.ts';
import { customerOf, decisionsOf } from '../../../test/tracking.ts';

const service = useService();

const events = (generation: (typeof GENERATIONS)[number] = '2026') => new StripeEvents(generation, service.time);
const idOf = (clickId: string) => Number(clickId.split('_')[1]);

/** Whose sale each recorded payment of the program is. */
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

describe('who paid', () => {
  /** One customer for each way of telling: by the click, the key, the processor's customer, the e-mail. */
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
    ['the holder of the customer key before all else', ['key', 'reference', 'click', 'client', 'email'], 'byKey'],
    ['then the processor’s customer that was seen before', ['reference', 'click', 'client', 'email'], 'byReference'],
    ['then the click id', ['click', 'client', 'email'], 'byClick'],
    ['then the client reference, as a click id', ['client', 'email'], 'byClient'],
    ['then the client reference, as a customer key', ['client key', 'email'], 'byKey'],
    ['then the e-mail', ['email'], 'byEmail'],
  ])('%s', async (_what, told, expected) => {
    const { made, stripe, customer, ...found } = await fourCustomers();
    const session = stripe.session({
      metadata: {
        ...(told.includes('click') && { svc_click_id: found.byClick }),
        ...(told.includes('key') && { svc_customer_key: 'user-1' }),
      },
      customer: told.includes('reference') ? customer : null,
      email: told.includes('email') ? 'jo@people.test' : null,
      extra: {
        ...(told.includes('client') && { client_reference_id: found.byClient }),
        ...(told.includes('client key') && { client_reference_id: 'user-1' }),
      },
    });
    expect(await deliver(service, made.id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    const who = { ...found, byKey: made.clickId }[expected] as string;
    expect((await buyers(made.id)).at(-1)).toBe(idOf(who));
  });

  it('a click id or key that nobody has gives way to the next evidence', async () => {
    const { made, stripe, customer, byReference } = await fourCustomers();
    const metadata = { svc_click_id: 'cust_999999999_1', svc_customer_key: 'nobody' };
    const session = stripe.session({ metadata, customer });
    expect(await deliver(service, made.id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    expect((await buyers(made.id)).at(-1)).toBe(idOf(byReference));
  });

  it('surer evidence replaces what was known of the processor’s customer', async () => {
    const { made, stripe, customer } = await fourCustomers();
    stripe.at += 60;
    const surer = stripe.session({ metadata: { svc_click_id: made.clickId }, customer });
    await deliver(service, made.id, stripe.event('checkout.session.completed', surer));
    const bare = stripe.session({ customer });
    await deliver(service, made.id, stripe.event('checkout.session.completed', bare));
    expect((await buyers(made.id)).slice(-2)).toEqual([made.customerId, made.customerId]);
  });
});

describe.each(GENERATIONS)('where the metadata is, on the API of %s', (generation) => {
  const named = { svc_customer_key: 'user-1' };
  const places: [string, (stripe: StripeEvents) => [string, object]][] = [
    ['on the session', (stripe) => ['checkout.session.completed', stripe.session({ metadata: named })]],
    [
      'where this version has that of the subscription',
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

  it.each(places)('%s', async (_what, build) => {
    const { id, customerId } = await withBuyer(service);
    const stripe = events(generation);
    expect(await deliver(service, id, stripe.event(...build(stripe)))).toBe('recorded');
    expect(await buyers(id)).toEqual([customerId]);
  });
});

describe('another program', () => {
  const pay = (made: Buyer, metadata: object) => {
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1', ...metadata } });
    return deliver(service, made.id, stripe.event('checkout.session.completed', session));
  };

  it('program_id that names this one is taken', async () => {
    const made = await withBuyer(service);
    expect(await pay(made, { program_id: String(made.id) })).toBe('recorded');
  });

  it.each(['999999999', 'acme', '0'])(
    'program_id %s names another: ignored, with the reason kept',
    async (program_id) => {
      const made = await withBuyer(service);
      expect(await pay(made, { program_id })).toBe('other_program');
      expect(await ledger(service, made.id)).toEqual([]);
    },
  );

  it('a click of another program: ignored, and that program is not touched', async () => {
    const [made, other] = [await withBuyer(service), await withBuyer(service)];
    const before = await service.counts(other.id);
    expect(await pay(made, { svc_click_id: other.clickId })).toBe('other_program');
    expect([await ledger(service, made.id), await ledger(service, other.id)]).toEqual([[], []]);
    expect(await service.counts(other.id)).toEqual(before);
  });

  it('a key that only a sister program knows', async () => {
    const sister = await withBuyer(service);
    const made = await service.program({ workspaceId: sister.workspaceId });
    await connectStripe(service, made);
    expect(await pay({ ...sister, ...made, id: made.program.id }, {})).toBe('other_program');
    expect(await ledger(service, made.program.id)).toEqual([]);
  });
});

describe('nobody known', () => {
  it('no_customer, with a decision that explain shows; tried again without another decision', async () => {
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

  it('a lead that comes later is found at the next attempt', async () => {
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

  it('after the last attempt it rests; an event that makes its customer known wakes it', async () => {
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
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1' }, customer, subscription: newId('sub') });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    await settle(service);
    expect(await eventRow(event)).toMatchObject({ state: 'done', outcome: 'recorded' });
    expect(await ledger(service, made.id)).toHaveLength(1);
  });

  it('a customer who signed up without a click: not_attributed', async () => {
    const made = await withBuyer(service);
    await service.lead({ customer_key: 'walk-in' }, { key: made.apiKey });
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'walk-in' } });
    const event = stripe.event('checkout.session.completed', session);
    expect(await deliver(service, made.id, event)).toBe('not_attributed');
    expect(await ledger(service, made.id)).toEqual([]);
  });
});

describe('a key that a page only claimed', () => {
  it('does not take a payment away from the customer who holds the key', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const { link } = await service.partner(made.program);
    const thief = await service.clickId(link);
    expect((await service.lead({ click_id: thief, customer_key: 'user-1' })).body.provisional).toBe(true);
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1' } });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    expect(await buyers(made.id)).toEqual([made.customerId]);
    expect(await customerOf(service, thief)).toMatchObject({ lead_state: 'provisional', customer_key: null });
  });

  it('is settled by a payment that the backend put the key on', async () => {
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
  });

  it('a payment by the click settles the lead under the key that the backend names', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'what-the-page-said' });
    const stripe = events();
    const session = stripe.session({ metadata: { svc_click_id: clickId, svc_customer_key: 'what-is-true' } });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session));
    expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'settled', customer_key: 'what-is-true' });
  });
});

describe('what only pages say about a payer', () => {
  const EMAIL = 'cfo@corp.test';
  const signUpOnPage = async (link: string, said: object) => {
    const clickId = await service.clickId(link);
    expect((await service.lead({ click_id: clickId, ...said })).status).toBe(200);
    return clickId;
  };
  const pay = (programId: number, paid: Parameters<StripeEvents['session']>[0]) => {
    const stripe = events();
    return deliver(service, programId, stripe.event('checkout.session.completed', stripe.session(paid)));
  };

  it.each(['server_required', 'browser_allowed'] as const)('an e-mail identifies nobody under %s', async (leadAuth) => {
    const made = await withBuyer(service, { leadAuth });
    await signUpOnPage(made.link, { customer_key: 'x', email: EMAIL });
    expect(await pay(made.id, { email: EMAIL })).toBe('no_customer');
    expect(await ledger(service, made.id)).toEqual([]);
  });

  it('an e-mail counts once the server confirms the signup', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await signUpOnPage(made.link, { customer_key: 'x', email: EMAIL });
    await service.lead({ click_id: clickId, customer_key: 'x' }, { key: made.apiKey });
    expect(await pay(made.id, { email: EMAIL })).toBe('recorded');
    expect(await buyers(made.id)).toEqual([idOf(clickId)]);
  });

  it('the earliest signup that the server vouches for has the e-mail, whatever pages and later signups say', async () => {
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

  it('a signup from a release that did not say who vouches for it counts if the server reported it', async () => {
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

  it('a key that several pages claim identifies nobody, and the decision says so', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const thief = await service.partner(made.program);
    await signUpOnPage(made.link, { customer_key: 'claimed' });
    await signUpOnPage(thief.link, { customer_key: 'claimed' });
    expect(await pay(made.id, { metadata: { svc_customer_key: 'claimed' } })).toBe('no_customer');
    expect((await decisionsOf(service, made)).at(-1)).toMatchObject({ reason: 'key_claimed_by_several' });
    expect(await ledger(service, made.id)).toEqual([]);
  });

  it('a signup that the server vouches for wins over a page that claims the key', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const thief = await service.partner(made.program);
    const honest = await service.clickId(made.link);
    await service.lead({ click_id: honest, email: EMAIL }, { key: made.apiKey });
    await signUpOnPage(thief.link, { customer_key: 'claimed' });
    await pay(made.id, { email: EMAIL, metadata: { svc_customer_key: 'claimed' } });
    expect(await buyers(made.id)).toEqual([idOf(honest)]);
  });
});

describe('an invoice that only the e-mail tells about', () => {
  async function twoPeople() {
    const made = await withBuyer(service);
    const byEmail = await service.clickId(made.link);
    await service.lead({ click_id: byEmail, email: 'jo@people.test' }, { key: made.apiKey });
    const stripe = events();
    const [customer, subscription] = [newId('cus'), newId('sub')];
    const invoice = stripe.event('invoice.paid', stripe.invoice({ customer, subscription, email: 'jo@people.test' }));
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1' }, customer, subscription });
    return { made, byEmail, invoice, session: stripe.event('checkout.session.completed', session) };
  }

  it('waits two seconds for the checkout, which tells better', async () => {
    const { made, invoice, session } = await twoPeople();
    expect(await deliver(service, made.id, invoice)).toBe('waiting_for_checkout');
    expect(await ledger(service, made.id)).toEqual([]);
    await deliver(service, made.id, session);
    await settle(service);
    expect(await outcomeOf(service, made.id, invoice.id)).toBe('recorded');
    expect(await buyers(made.id)).toEqual([made.customerId]);
  });

  it('is recorded by the e-mail when no checkout comes', async () => {
    const { made, byEmail, invoice } = await twoPeople();
    await deliver(service, made.id, invoice);
    service.advance({ seconds: 2 });
    await settle(service);
    expect(await outcomeOf(service, made.id, invoice.id)).toBe('recorded');
    expect(await buyers(made.id)).toEqual([idOf(byEmail)]);
  });
});
