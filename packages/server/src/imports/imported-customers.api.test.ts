import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { importedRow, sendRows, undoImport } from '@svc/testkit/service/imports.ts';
import { connectStripe, deliver, newId, StripeEvents, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const commissions = (programId: number) =>
  service.sql('select partner_id, commission_cents from commissions where program_id = $1 order by id', [programId]);

/** A program with Stripe, and a partner who was imported with a customer. */
async function imported(customer: (ids: { key: string; stripeId: string; email: string }) => object) {
  const made = await ownedProgram(service);
  await connectStripe(service, made);
  const ids = { key: newId('user'), stripeId: newId('cus'), email: `${newId('buyer')}@shop.test` };
  const { body } = await sendRows(service, made, [importedRow({ customers: [customer(ids)] })]);
  const [row] = body.data.rows;
  expect(row.customers).toMatchObject([{ outcome: 'created' }]);
  return {
    made,
    ...ids,
    partnerId: row.partner_id,
    importId: body.data.import.id,
    customerId: row.customers[0].customer_id,
  };
}

const renewal = (paid: object) => {
  const events = new StripeEvents('2026', service.time);
  return events.event('invoice.paid', events.invoice({ reason: 'subscription_cycle', cents: 5_000, ...paid }));
};

it('a renewal of an imported Stripe customer is credited without a click', async () => {
  const { made, stripeId, partnerId, importId } = await imported(({ key, stripeId }) => ({
    external_id: key,
    processor_customer_id: stripeId,
  }));
  service.advance({ days: 80 });
  expect(await deliver(service, made.program.id, renewal({ customer: stripeId }))).toBe('recorded');
  expect(await commissions(made.program.id)).toEqual([{ partner_id: partnerId, commission_cents: 1_000 }]);
  const undone = await undoImport(service, made, importId);
  expect(undone.body.data).toMatchObject({
    status: 'undone',
    removed: { partners: 0, links: 1, customers: 0 },
    kept: [
      { kind: 'customer', reason: 'sales', count: 1 },
      { kind: 'partner', reason: 'commissions', count: 1 },
    ],
  });
});

it('a payment with the address of an imported customer is credited', async () => {
  const { made, email, partnerId } = await imported(({ key, email }) => ({ external_id: key, email }));
  service.advance({ days: 1 });
  await deliver(service, made.program.id, renewal({ email: email.toUpperCase(), customer: newId('cus') }));
  // An address alone waits a moment for something better.
  service.advance({ seconds: 10 });
  await settle(service);
  expect(await commissions(made.program.id)).toEqual([{ partner_id: partnerId, commission_cents: 1_000 }]);
});

it('a sale that names the key of an imported customer is credited, whatever they clicked since', async () => {
  const { made, key, partnerId } = await imported(({ key }) => ({ external_id: key }));
  service.advance({ days: 1 });
  const click_id = await service.clickId(made.link);
  await service.lead({ click_id, customer_key: key }, { key: made.apiKey });
  const sale = { transaction_id: newId('order'), customer_key: key, amount_cents: 5_000 };
  expect((await service.sale(sale, { key: made.apiKey })).body.data).toMatchObject({ attributed: true });
  expect(await commissions(made.program.id)).toEqual([{ partner_id: partnerId, commission_cents: 1_000 }]);
});

it('a payment from before the import is credited to nobody', async () => {
  const { made, stripeId } = await imported(({ key, stripeId }) => ({
    external_id: key,
    processor_customer_id: stripeId,
  }));
  const events = new StripeEvents('2026', new Date(service.time.getTime() - 86_400_000));
  await deliver(service, made.program.id, events.event('invoice.paid', events.invoice({ customer: stripeId })));
  expect(await commissions(made.program.id)).toEqual([]);
});

it('a customer of another partner stays with them, and the rest of the row goes on', async () => {
  const { made, key, stripeId, partnerId } = await imported(({ key, stripeId }) => ({
    external_id: key,
    processor_customer_id: stripeId,
  }));
  const clicked = newId('user');
  await service.customer(made, clicked);
  const fresh = newId('user');
  const row = importedRow({
    customers: [
      { external_id: key },
      { external_id: newId('user'), processor_customer_id: stripeId },
      { external_id: clicked },
      { external_id: fresh },
    ],
  });
  for (const source of ['rewardful', 'tolt']) {
    const { body } = await sendRows(service, made, [row], { source });
    const message = 'The customer belongs to another partner already, and stays with them.';
    expect(body.data.rows[0].customers).toMatchObject([
      { outcome: 'refused', message },
      { outcome: 'refused', message },
      { outcome: 'refused', message },
      { outcome: source === 'rewardful' ? 'created' : 'merged', message: null },
    ]);
  }
  service.advance({ days: 1 });
  await deliver(service, made.program.id, renewal({ customer: stripeId }));
  expect(await commissions(made.program.id)).toEqual([{ partner_id: partnerId, commission_cents: 1_000 }]);
});

it('two rows of a request cannot have the same customer', async () => {
  const made = await ownedProgram(service);
  const [key, stripeId] = [newId('user'), newId('cus')];
  const rows = [
    importedRow({ customers: [{ external_id: key, processor_customer_id: stripeId }] }),
    importedRow({ customers: [{ external_id: key }, { external_id: newId('user'), processor_customer_id: stripeId }] }),
  ];
  const { body } = await sendRows(service, made, rows);
  const message = 'Row 0 has this customer already.';
  expect(body.data.rows[1].customers).toMatchObject([
    { outcome: 'refused', message },
    { outcome: 'refused', message },
  ]);
});

it('a customer without a partner becomes the partner’s, and has none again after an undo', async () => {
  const made = await ownedProgram(service);
  const key = newId('user');
  await service.lead({ customer_key: key }, { key: made.apiKey });
  const { body } = await sendRows(service, made, [importedRow({ customers: [{ external_id: key }] })]);
  const [{ partner_id: partnerId, customers }] = body.data.rows;
  expect(customers).toMatchObject([{ outcome: 'merged', customer_id: expect.any(Number) }]);
  const holder = () => service.sql('select partner_id from customers where id = $1', [customers[0].customer_id]);
  expect(await holder()).toEqual([{ partner_id: partnerId }]);
  const undone = await undoImport(service, made, body.data.import.id);
  expect(undone.body.data.kept).toEqual([{ kind: 'customer', reason: 'was_there', count: 1 }]);
  expect(await holder()).toEqual([{ partner_id: null }]);
});

it('an id at a payment processor that was imported for the wrong customer is free again after an undo', async () => {
  const made = await ownedProgram(service);
  const [wrong, right, stripeId] = [newId('user'), newId('user'), newId('cus')];
  for (const customer_key of [wrong, right]) await service.lead({ customer_key }, { key: made.apiKey });
  const row = importedRow();
  const send = async (external_id: string) =>
    (await sendRows(service, made, [{ ...row, customers: [{ external_id, processor_customer_id: stripeId }] }])).body
      .data;
  const { import: imported } = await send(wrong);
  await undoImport(service, made, imported.id);
  service.advance({ days: 1 });
  const again = await send(right);
  expect(again.rows[0].customers).toMatchObject([{ outcome: 'merged', message: null }]);
  await connectStripe(service, made);
  service.advance({ days: 1 });
  await deliver(service, made.program.id, renewal({ customer: stripeId }));
  expect(await commissions(made.program.id)).toEqual([
    { partner_id: again.rows[0].partner_id, commission_cents: 1_000 },
  ]);
});
