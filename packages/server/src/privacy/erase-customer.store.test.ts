import { join } from 'node:path';
import { SAMPLE_POSTBACK } from '@svc/contract';
import { everythingStored, manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { approvedSale } from '@svc/testkit/service/payments/paid.ts';
import { payee } from '@svc/testkit/service/payments/payees.ts';
import { connectStripe, deliver, newId, type StripeEvent, stripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { giveHeldMethod } from '@svc/testkit/service/payout-methods.ts';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { PNG } from '@svc/testkit/service/routes/requests/programs.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { columnsOf, countValues } from '@svc/testkit/service/text-columns.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { insertCredits } from '../customers/credit-store.ts';
import { writeBackup } from '../db/backup/backup.ts';
import { listTables, quoted } from '../db/schema/tables.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { rollUpFacets } from '../jobs/roll-up-facets.ts';
import { addNote } from '../partners/notes/add-note.ts';
import { insertCalls } from '../postbacks/call-store.ts';
import { upsertPostback } from '../postbacks/postback-store.ts';
import { addView } from '../views/add-view.ts';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();
const folder = useFolder();
const events = stripeEvents(service);

/**
 * A customer who left traces everywhere: clicks, a lead, sales, a refund, events of Stripe, notes, a view, the audit log, events
 * and what a receiver answered to them.
 */
async function knownCustomer() {
  const program = await service.program();
  const owner = await memberOf(service, program.workspaceId);
  const made = { ...program, owner, id: program.program.id };
  await connectStripe(service, program);
  const key = { key: program.apiKey };
  const customerKey = newId('jane-doe');
  const domain = `${customerKey.replaceAll('_', '-')}.example`;
  const email = `Jane@${domain}`;
  const stripeCustomer = newId('cus');
  const hookPath = `/${newId('hook')}`;
  const answer = { headers: { 'x-customer': customerKey }, body: `${customerKey} (${email}) is not in the CRM` };
  receiver.answer(hookPath, { status: 200, ...answer }, { status: 204 });
  const hook = { url: receiver.url(hookPath), types: ['*'], description: `Shared with ${email}` };
  const hooked = await service.call('POST', manage(program, '/webhooks'), { key: owner.token, body: hook });
  expect(hooked.status).toBe(201);
  const visit = {
    page_url: `https://acme.test/hello/${customerKey}/${encodeURIComponent(email)}?mail=${email}`,
    affiliate_url: `https://acme.test/?aff=${program.link}&utm_source=${encodeURIComponent(email)}&utm_campaign=For+${customerKey}&sub=of-${customerKey}`,
    referrer_url: `https://${customerKey}.friends.test/`,
    page_title: `Welcome ${customerKey}`,
    user_agent: `Browser of ${customerKey}`,
    session_id: `session-${customerKey}`,
  };
  const clickId = await service.clickId(program.link, visit);
  // Claimed by a page, and in a decision that nobody's row explains.
  await service.lead({ customer_key: customerKey, program_id: made.id, additional_data: { name: customerKey } });
  await service.lead(
    { click_id: clickId, customer_key: customerKey, email, additional_data: { phone: `+1 ${customerKey}` } },
    key,
  );
  const transactionId = newId('order');
  const sale = { transaction_id: transactionId, amount_cents: 10_000, customer_key: customerKey, click_id: clickId };
  const details = {
    coupon_code: `FOR-${customerKey}`,
    subscription_id: `sub-${customerKey}`,
    product_id: `made for ${customerKey}`,
  };
  await service.sale({ ...sale, ...details, line_items: [{ name: `For ${customerKey}`, cents: 10_000 }] }, key);
  await service.sale({ ...sale, transaction_id: customerKey, amount_cents: 500 }, key);
  await service.sale({ ...sale, transaction_id: `order for ${customerKey}`, amount_cents: 500 }, key);
  await service.refund(
    {
      transaction_id: transactionId,
      refund_amount_cents: 2_500,
      refund_reason: `${email} cancelled`,
      refund_id: `refund-${customerKey}`,
    },
    key,
  );
  const stripe = events();
  const session = stripe.session({
    metadata: { svc_customer_key: customerKey },
    customer: stripeCustomer,
    email,
  });
  const paid = stripe.event('checkout.session.completed', session);
  await deliver(service, made.id, paid);
  // Nobody's yet, but it names the person.
  const unmatched = stripe.event('customer.created', { id: newId('cus'), object: 'customer', email });
  await deliver(service, made.id, unmatched);
  const about = { workspaceId: made.workspaceId, name: 'Jane', actor: OPERATOR };
  const note = { programId: made.id, partnerId: program.partnerId, text: `Brought ${customerKey}, ${email}` };
  await addNote(service.ctx, note, about, owner.userId);
  const post = (path: string, body: object) => service.call('POST', manage(program, path), { key: owner.token, body });
  for (const searched of [customerKey, email]) {
    const view = { list: 'customers', name: newId('view'), query: `q=${encodeURIComponent(searched)}` } as const;
    await addView(service.ctx, { programId: made.id, userId: owner.userId }, view, {
      workspaceId: made.workspaceId,
      actor: OPERATOR,
    });
  }
  // What people of the workspace wrote elsewhere.
  const asked = await service.call('PATCH', manage(program, '/join-page'), {
    key: owner.token,
    body: {
      agreement: `As agreed with ${email}`,
      questions: [{ label: `Do you know ${customerKey}?`, kind: 'text' }],
    },
  });
  expect(asked.status).toBe(200);
  const written = [
    await post('/terms', { rules: [], note: `As asked by ${email}` }),
    await post('/groups', { name: `Friends of ${email}` }),
    await post('/groups', { name: `friends of ${customerKey}` }),
    await post('/links', {
      partner_id: program.partnerId,
      label: `For ${customerKey}`,
      destination_url: `/welcome?mail=${encodeURIComponent(email)}&key=${customerKey}`,
    }),
    await post('/coupons', { partner_id: program.partnerId, code: email }),
    await post('/creatives', { kind: 'text', title: `For ${customerKey}`, text: `${email} loves it` }),
    await post('/creatives', { kind: 'link', title: 'Page', url: `https://acme.test/?for=${customerKey}` }),
    await post('/creatives', { kind: 'file', title: 'File', file_name: `${customerKey} banner.png`, content: PNG }),
  ];
  expect(written.map(({ status }) => status)).toEqual(written.map(() => 201));
  const openings = { invitation: `${email} likes us`, welcome: `Like ${customerKey}` };
  const opened = await service.call('PATCH', manage(program, '/mail-openings'), { key: owner.token, body: openings });
  expect(opened.status).toBe(200);
  await service.sql(
    `insert into partner_messages (program_id, subject, text, total, created_at) values ($1, $2, $3, 0, $4)`,
    [made.id, `About ${customerKey}`, `Ask ${email}`, service.time],
  );
  await newAuthenticatorApp(service, owner.userId);
  await giveHeldMethod(service, program);
  const reason = `${email} vouched for them, says ${customerKey}`;
  expect((await post(`/partners/${program.partnerId}/payout-method/lift`, { reason })).status).toBe(200);
  const bonus = { partner_id: program.partnerId, amount_cents: 100, currency: 'USD' };
  const given = await post('/adjustments', { ...bonus, reason: `Thanks for ${customerKey}, ${email}` });
  expect(given.status).toBe(201);
  const payout = await post('/payouts', {});
  const [{ id: payoutId }] = payout.body.data;
  const marked = await post(`/payouts/${payoutId}/mark-paid`, { reference: `Bonus for ${customerKey}` });
  expect(marked.status).toBe(200);
  const failed = await post(`/payouts/${payoutId}/mark-failed`, { reason: `The bank did not know ${customerKey}` });
  expect(failed.status).toBe(200);
  const [{ id: rejected } = { id: 0 }] = await service.sql<{ id: number }>(
    `select m.id from commissions m join sales s on s.id = m.sale_id
     where m.program_id = $1 and s.processor_event_id = $2`,
    [made.id, customerKey],
  );
  expect((await post(`/commissions/${rejected}/reject`, { reason: `${email} is a friend` })).status).toBe(200);
  for (const name of [`Shop of ${customerKey}`, `Shop for ${email}`]) {
    const renamed = await service.call('PATCH', manage(program), { key: owner.token, body: { name } });
    expect(renamed.status).toBe(200);
  }
  // What rules and join pages of other programs would have left.
  for (const table of ['sales', 'commissions']) {
    await service.sql(`update ${table} set terms_facts = $2::jsonb where program_id = $1`, [
      made.id,
      JSON.stringify({ coupon: `FOR-${customerKey}` }),
    ]);
  }
  const excluded = { excluded_partner_ids: [program.partnerId] };
  const notes = { [String(program.partnerId)]: `Ask ${email} about ${customerKey} first` };
  const other = await payee(service, made, 'iban');
  await approvedSale(service, other, { currency: 'EUR' });
  const run = await post('/payout-runs', { ...excluded, exclusion_notes: notes });
  expect(run.status).toBe(201);
  await service.sql(
    `insert into bulk_actions (program_id, kind, change, status, total, due_at, actor, created_at, finished_at)
     values ($1, 'review_commissions', $2, 'done', 0, $3, '{}', $3, $3)`,
    [made.id, JSON.stringify({ action: 'reject', reason: `${customerKey} paid with a stolen card` }), service.time],
  );
  await service.sql('update payouts set not_in_file = $2 where run_id = $1', [
    run.body.data.id,
    `Not for ${customerKey}`,
  ]);
  await service.sql('update memberships set answers = $2::jsonb where program_id = $1', [
    made.id,
    JSON.stringify([{ question: 'Who sent you?', answer: email }]),
  ]);
  const [row] = await service.sql<{ id: number; hash: string; identity: string }>(
    `select id, email_hash as hash, email_identity_hash as identity from customers where customer_key = $1`,
    [customerKey],
  );
  const { id: customerId = 0, hash = '', identity = '' } = row ?? {};
  const credit = { programId: made.id, customerId, saleId: null, cents: 500, currency: 'USD' };
  await insertCredits(service.ctx.db, [{ ...credit, termsVersion: 1, rule: 1, createdAt: service.time }], service.time);
  // What was reported to a partner.
  const of = { programId: made.id, partnerId: program.partnerId, userId: owner.userId };
  const postback = {
    method: 'GET',
    url: 'https://t.example/',
    status: 'disabled',
  } as const;
  await upsertPostback(service.ctx.db, of, postback, service.time);
  const [reported] = await service.sql<{ id: number }>('select id from postbacks where program_id = $1', [made.id]);
  const values = {
    ...SAMPLE_POSTBACK,
    click_id: clickId,
    sub: customerKey,
    sub_id: email,
    transaction_id: `order of ${customerKey}`,
  };
  await insertCalls(service.ctx.db, [{ postbackId: reported!.id, event: 'created', values, customerId }], service.time);
  const identifiers = [customerKey, clickId, stripeCustomer, email, `J***@${domain}`, hash, identity];
  return { ...made, email, customerId, customerKey, clickId, transactionId, paid, identifiers };
}

/** Every column whose texts are searched for a customer, and those of tables that are about customers. */
const REDACTED = [
  ...columnsOf('redacted'),
  'feed_events.facts',
  'clicks.affiliate_url',
  'clicks.page_title',
  'clicks.page_url',
  'clicks.referrer_url',
  'clicks.session_id',
  'clicks.sub',
  'clicks.user_agent',
  'click_facet_days.landing_page',
  'click_facet_days.referrer',
  'click_facet_days.sub',
  'click_facet_days.utm_campaign',
  'click_facet_days.utm_source',
  'coupons.code',
  'coupons.code_key',
  'customer_facets.landing_page',
  'customer_facets.referrer',
  'customer_facets.sub',
  'customer_facets.utm_campaign',
  'customer_facets.utm_source',
  'customers.customer_key',
  'customers.email_hash',
  'customers.email_identity_hash',
  'customers.email_masked',
  'customers.sub',
  'decisions.additional_data',
  'decisions.click_id',
  'decisions.customer_key',
  'decisions.facts',
  'decisions.transaction_id',
  'partner_groups.name',
  'processor_identities.reference',
  'refunds.refund_key',
  'result_facet_days.landing_page',
  'result_facet_days.referrer',
  'result_facet_days.sub',
  'result_facet_days.utm_campaign',
  'result_facet_days.utm_source',
  'sales.processor_event_id',
  'saved_views.query',
  'transactions.processor_event_id',
];

type Known = Awaited<ReturnType<typeof knownCustomer>>;

/** Everything stored, as it is and decoded, as texts within web addresses are. */
async function everythingDecoded(): Promise<string> {
  const stored = await everythingStored(service);
  const once = stored.replaceAll(/(%[\da-f]{2})+/gi, (encoded) => decodeURIComponent(encoded));
  return `${stored}\n${once}`.toLowerCase();
}

/** Which of the identifiers are stored anywhere, in any case, also encoded and within encrypted contents. */
async function found(identifiers: string[]): Promise<string[]> {
  const stored = await everythingDecoded();
  const sealed = await service.sql<{ text: string }>(
    'select payload_sealed as text from processor_events where payload_sealed is not null',
  );
  const opened = sealed.map(({ text }) => service.ctx.encryption.open(text)).join('\n');
  return identifiers.filter((one) => stored.includes(one.toLowerCase()) || opened.includes(one));
}

/** Resolves when every event has its number, and was sent once. */
async function everythingTold(): Promise<void> {
  const open = () =>
    service.sql('select id from outbox union all select id from webhook_deliveries where attempts = 0');
  expect(await eventually(open, (rows) => rows.length === 0)).toEqual([]);
}

const sums = async (programId: number) =>
  service.sql(
    `select (select sum(amount_cents) from sales where program_id = $1)::bigint as sales,
       (select sum(refunded_cents) from sales where program_id = $1)::bigint as refunded,
       (select sum(commission_cents - deducted_cents) from commissions where program_id = $1)::bigint as commissions,
       (select sum(amount_cents) from customer_credits where program_id = $1)::bigint as credits,
       (select count(*) from transactions where program_id = $1) as transactions,
       (select count(*) from clicks where program_id = $1) as clicks`,
    [programId],
  );

const read = ({ program, owner }: Known, path: string) =>
  service.call('GET', manage({ program }, path), { key: owner.token });

const erase = ({ program, owner }: Known, customerId: number, body: object = {}) =>
  service.call('POST', manage({ program }, `/customers/${customerId}/erase`), { key: owner.token, body });

describe('an erased customer', () => {
  let known: Known;
  let other: Known;
  let before: unknown;
  let backup: string;
  let exported: Record<string, object[]>;
  let named: Record<string, number>;

  beforeAll(async () => {
    [known, other] = [await knownCustomer(), await knownCustomer()];
    await everythingTold();
    before = await sums(known.id);
    backup = join(folder.path, 'before.backup');
    service.advance({ seconds: 300 });
    await rollUpCounts.run(service.ctx);
    await rollUpFacets.run(service.ctx);
    await writeBackup(service.ctx.db, backup, service.time);
    expect(await found(known.identifiers)).toEqual(known.identifiers);
    named = await countValues(service, REDACTED, known.identifiers);
    exported = (await read(known, `/customers/${known.customerId}/export`)).body.data;
    const answer = await erase(known, known.customerId, { reason: `${known.email} asked, as ${known.customerKey}` });
    expect(answer).toMatchObject({ status: 200, body: { data: { id: known.customerId } } });
  });

  it('was exported with everything that was stored, and nobody else', () => {
    const { exported_at: at, customer, ...rows } = exported;
    expect(at).toBe(service.time.toISOString());
    expect(customer).toMatchObject({ customer_key: known.customerKey });
    const counts = Object.fromEntries(Object.entries(rows).map(([kind, list]) => [kind, list.length]));
    expect(counts).toEqual({
      clicks: 1,
      decisions: 6,
      sales: 4,
      refunds: 1,
      credits: 1,
      visits: 1,
      // The customer at the processor, and the payment.
      processor_identities: 2,
      processor_events: 1,
    });
    expect(JSON.stringify(rows.processor_events)).toContain(known.email);
    expect(other.identifiers.filter((one) => JSON.stringify(exported).includes(one))).toEqual([]);
  });

  it('was named in every column that the list of erasures searches, and is in none of them anymore', async () => {
    expect(REDACTED.filter((column) => named[column] === 0)).toEqual([]);
    const left = await countValues(service, REDACTED, known.identifiers);
    expect(REDACTED.filter((column) => left[column] !== 0)).toEqual([]);
  });

  it('is named nowhere in the store anymore, and everyone else still is', async () => {
    expect(await found(known.identifiers)).toEqual([]);
    const stored = await everythingStored(service);
    for (const encoded of [known.email, other.email].map(encodeURIComponent)) {
      expect(stored.includes(encoded)).toBe(encoded !== encodeURIComponent(known.email));
    }
    expect(await found(other.identifiers)).toEqual(other.identifiers);
    const [event] = await service.sql(`select after from audit_events where action = 'customer.erased'`);
    expect(event).toEqual({ after: { reason: '[erased] asked, as [erased]' } });
    expect(await service.sql('select text from partner_notes where program_id = $1', [known.id])).toEqual([
      { text: 'Brought [erased], [erased]' },
    ]);
  });

  it('leaves every amount, and Explain tells by transaction id what happened', async () => {
    expect(await sums(known.id)).toEqual(before);
    const { status, body } = await read(known, `/explain?transaction_id=${known.transactionId}`);
    expect(status).toBe(200);
    expect(body.data.map(({ reason }: { reason: string }) => reason)).toEqual([
      'sale_attributed',
      'commission_partially_reversed',
    ]);
    const page = await read(known, `/customers/${known.customerId}`);
    expect(page.body.data).toMatchObject({ customer_key: null, click_id: null, email_masked: null });
    expect(page.body.data.erased_at).toBe(service.time.toISOString());
    expect(page.body.data.journey.length).toBeGreaterThan(3);
  });

  it('leaves every event of the feed in its place, without the customer', async () => {
    const { body } = await service.call('GET', '/api/v1/events?limit=200', { key: known.apiKey });
    const told = body.data as { sequence: number; type: string; data: Record<string, Record<string, unknown>> }[];
    expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_event, index) => index + 1));
    const lead = told.find(({ type, data }) => type === 'lead.created' && data.customer?.id === known.customerId);
    expect(lead?.data.customer).toMatchObject({
      customer_key: null,
      click_id: null,
      email_masked: null,
    });
    const [sale, named] = told.filter(({ type }) => type === 'sale.created');
    expect(sale?.data.sale).toMatchObject({
      transaction_id: known.transactionId,
      amount_cents: 10_000,
      customer_id: known.customerId,
      customer_key: null,
    });
    expect(named?.data.sale).toMatchObject({ transaction_id: '[erased]', amount_cents: 500 });
  });

  it('is erased once: again changes nothing, and nobody else’s customer is found', async () => {
    const [rows] = await service.sql('select count(*) as count from audit_events');
    expect((await erase(known, known.customerId)).status).toBe(200);
    expect((await erase(known, other.customerId)).status).toBe(404);
    expect(await service.sql('select count(*) as count from audit_events')).toEqual([rows]);
  });

  it('does not come back with a redelivered event, and an event of the key starts as someone new', async () => {
    await deliver(service, known.id, known.paid as StripeEvent);
    expect(await found([known.customerKey])).toEqual([]);
    const key = { key: known.apiKey };
    expect((await service.lead({ click_id: known.clickId }, key)).status).toBe(400);
    expect((await service.lead({ customer_key: known.customerKey }, key)).status).toBe(200);
    const [row] = await service.sql('select id, clicked_at from customers where customer_key = $1', [
      known.customerKey,
    ]);
    expect(row).toMatchObject({ clicked_at: null });
    expect(row?.id).not.toBe(known.customerId);
    const again = await erase(known, Number(row?.id));
    expect(again.status).toBe(200);
    expect(await found([known.customerKey])).toEqual([]);
  });

  it('is erased again after a backup from before is restored', async () => {
    const list = join(folder.path, 'erasures');
    expect((await runOperator(service, 'list-erasures', '--to', list)).ok).toBe(true);
    await emptyStore();
    const reply = await runOperator(service, 'restore', '--from', backup, '--erasures', list);
    expect(reply).toMatchObject({ ok: true, text: expect.stringContaining('Repeated 1 of 2 erasures.') });
    expect(await found([known.customerKey, known.clickId])).toEqual([]);
    expect(await sums(known.id)).toEqual(before);
    expect((await found(other.identifiers)).length).toBe(other.identifiers.length);
    const again = await runOperator(service, 'apply-erasures', '--from', list);
    expect(again).toMatchObject({ ok: true, data: { erasures: 2, erased: 0 } });
  });

  async function emptyStore(): Promise<void> {
    const tables = (await listTables(service.ctx.db)).map(quoted);
    await service.ctx.db.query(`truncate ${tables.join(', ')}`);
  }
});
