import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const TRACKED = { success: true, message: 'Lead tracked successfully' };
const ALREADY_LEAD = badRequest('Customer status cannot be updated to lead. Current status: lead');

const customersOf = ({ program }: TestProgram) =>
  service.sql('select * from customers where program_id = $1 order by id', [program.id]);

describe('a lead', () => {
  it('finds the customer by click_id first', async () => {
    const acme = await service.program();
    const first = await service.clickId(acme.link);
    const second = await service.clickId(acme.link);
    expect((await service.lead({ click_id: second, customer_key: 'user-1' }, { key: acme.apiKey })).body).toEqual(
      TRACKED,
    );
    expect(await customerOf(service, second)).toMatchObject({ status: 'lead', customer_key: 'user-1' });
    expect(await customerOf(service, first)).toMatchObject({ status: 'click', customer_key: null });
  });

  it('finds the customer by customer_key in the program if the click_id matches nothing', async () => {
    const acme = await service.program();
    await service.customer(acme, 'user-1');
    const { status, body } = await service.lead({ click_id: 'cust_1_1', customer_key: 'user-1' }, { key: acme.apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(ALREADY_LEAD);
    expect(await customersOf(acme)).toHaveLength(1);
  });

  it('sets the customer_key of the customer, by which a sale finds them', async () => {
    const acme = await service.program();
    await service.customer(acme, 'user-1');
    const { body } = await service.sale(
      { transaction_id: `bound-${acme.program.id}`, amount_cents: 1000, customer_key: 'user-1' },
      { key: acme.apiKey },
    );
    expect(body.data).toMatchObject({ attributed: true, commission_cents: 200 });
  });

  it('is refused for another click if a customer already has the key, and the first partner stays', async () => {
    const acme = await service.program();
    const rival = await service.partner(acme.program);
    const holder = await service.customer(acme, 'user-1');
    const later = await service.clickId(rival.link);
    for (const options of [{ key: acme.apiKey }, {}]) {
      const { status, body } = await service.lead({ click_id: later, customer_key: 'user-1' }, options);
      expect(status).toBe(400);
      expect(body).toEqual(ALREADY_LEAD);
    }
    expect(await customerOf(service, holder)).toMatchObject({ customer_key: 'user-1', partner_id: acme.partnerId });
    expect(await customerOf(service, later)).toMatchObject({ status: 'click', customer_key: null });
    await service.sale(
      { transaction_id: `first-stays-${acme.program.id}`, amount_cents: 1000, customer_key: 'user-1' },
      { key: acme.apiKey },
    );
    expect(await service.sql('select partner_id from commissions where program_id = $1', [acme.program.id])).toEqual([
      { partner_id: acme.partnerId },
    ]);
  });

  it('lets two programs have a customer with the same customer_key', async () => {
    const acme = await service.program();
    const sibling = await service.program({ workspaceId: acme.workspaceId });
    const clicks = [await service.customer(acme, 'user-1'), await service.customer(sibling, 'user-1')];
    for (const clickId of clicks) {
      expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', customer_key: 'user-1' });
    }
  });

  it('belongs to the program of the click in browser mode, whatever program_id says', async () => {
    const acme = await service.program();
    const other = await service.program();
    const clickId = await service.clickId(acme.link);
    const sent = { click_id: clickId, customer_key: 'user-1', program_id: other.program.id };
    expect((await service.lead(sent)).body).toEqual(TRACKED);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', customer_key: 'user-1' });
    expect(await customersOf(other)).toEqual([]);
  });

  it('belongs to the program of the API key in server mode, whatever program_id says', async () => {
    const acme = await service.program();
    const other = await service.program();
    const sent = { customer_key: 'user-1', program_id: other.program.id, additional_data: { program_id: 1 } };
    expect((await service.lead(sent, { key: acme.apiKey })).body).toEqual(TRACKED);
    expect(await customersOf(acme)).toHaveLength(1);
    expect(await customersOf(other)).toEqual([]);
  });

  it.each([
    [42, '42'],
    [0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('stores the integer customer_key %d as its decimal string, which a sale finds', async (sent, stored) => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    await service.lead({ click_id: clickId, customer_key: sent }, { key: acme.apiKey });
    expect(await customerOf(service, clickId)).toMatchObject({ customer_key: stored });
    const paid = { amount_cents: 1000, customer_key: sent, transaction_id: `integer-${acme.program.id}` };
    expect((await service.sale(paid, { key: acme.apiKey })).status).toBe(200);
    expect((await service.lead({ customer_key: stored }, { key: acme.apiKey })).status).toBe(400);
  });
});

describe('a lead without a click', () => {
  it('is recorded for a new, unattributed customer if only customer_key is sent', async () => {
    const acme = await service.program();
    const { status, body } = await service.lead({ customer_key: 'user-1', click_id: null }, { key: acme.apiKey });
    expect(status).toBe(200);
    expect(body).toEqual(TRACKED);
    expect(await customersOf(acme)).toMatchObject([
      {
        status: 'lead',
        lead_state: 'settled',
        customer_key: 'user-1',
        partner_id: null,
        link_id: null,
        clicked_at: null,
      },
    ]);
    expect(await decisionsOf(service, acme)).toMatchObject([
      { outcome: 'recorded', reason: 'lead_recorded_unattributed', partner_id: null },
    ]);
  });

  it.each(['the body', 'additional_data'])('is recorded in browser mode for the program_id in %s', async (location) => {
    const acme = await service.program();
    const named = { program_id: acme.program.id };
    const sent = location === 'the body' ? named : { additional_data: { program_id: String(named.program_id) } };
    expect((await service.lead({ customer_key: 'user-1', ...sent })).body).toEqual(TRACKED);
    expect(await customersOf(acme)).toMatchObject([{ status: 'lead', customer_key: 'user-1', partner_id: null }]);
  });

  it('is refused when it is sent again', async () => {
    const acme = await service.program();
    await service.lead({ customer_key: 'user-1' }, { key: acme.apiKey });
    const { status, body } = await service.lead({ customer_key: 'user-1' }, { key: acme.apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(ALREADY_LEAD);
    expect(await customersOf(acme)).toHaveLength(1);
  });

  it('earns no commission, because its sale is refused as unattributed', async () => {
    const acme = await service.program();
    await service.lead({ customer_key: 'user-1' }, { key: acme.apiKey });
    const paid = { transaction_id: `lost-${acme.program.id}`, amount_cents: 1000, customer_key: 'user-1' };
    const { status, body } = await service.sale(paid, { key: acme.apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(badRequest('No affiliate attribution found for this customer in this program'));
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 0, commissions: 0 });
  });
});

describe('the e-mail of a lead', () => {
  it('is stored only as a keyed hash and masked, never in plain text', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    const sent = { click_id: clickId, customer_key: 'user-1', email: ' Jane.Doe@Example.com ' };
    expect((await service.lead(sent, { key: acme.apiKey })).body).toEqual(TRACKED);
    const customer = await customerOf(service, clickId);
    expect(customer).toMatchObject({
      email_masked: 'J***@Example.com',
      email_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const stored = JSON.stringify([customer, await decisionsOf(service, acme)]) + service.logLines.join('');
    expect(stored).not.toMatch(/jane\.doe/i);
  });

  it('has the same hash in any case and spacing', async () => {
    const acme = await service.program();
    const hashes = [];
    for (const email of ['jane@example.com', ' JANE@example.com', 'john@example.com']) {
      const clickId = await service.clickId(acme.link);
      await service.lead({ click_id: clickId, email }, { key: acme.apiKey });
      hashes.push((await customerOf(service, clickId)).email_hash);
    }
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it.each([undefined, null, ''])('is not stored if it is %j', async (email) => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    expect((await service.lead({ click_id: clickId, email }, { key: acme.apiKey })).body).toEqual(TRACKED);
    expect(await customerOf(service, clickId)).toMatchObject({ email_hash: null, email_masked: null });
  });
});

const TEST = { additional_data: { test_mode: true } };
const testLead = (programId: number) => ({
  success: true,
  message: 'Test lead event tracked successfully',
  data: { eventId: expect.any(Number), programId, test_mode: true },
});

describe('a test lead', () => {
  it('adds message and data to the usual response, and is stored with is_test', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link, TEST);
    const { status, body } = await service.lead(
      { click_id: clickId, customer_key: 'user-1', ...TEST },
      { key: acme.apiKey },
    );
    expect(status).toBe(200);
    expect(body).toEqual(testLead(acme.program.id));
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', is_test: true });
    expect(await decisionsOf(service, acme)).toMatchObject([{ id: body.data.eventId, is_test: true }]);
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 0, commissions: 0 });
  });

  it.each([
    ['click_id', { click_id: 'cust_1_1' }],
    ['customer_key', { customer_key: 'nobody' }],
    ['click_id and customer_key', { click_id: 'made-up', customer_key: 'nobody' }],
  ])('is accepted without a customer if its %s matches nothing', async (_fields, sent) => {
    const acme = await service.program();
    const { status, body } = await service.lead({ ...sent, ...TEST }, { key: acme.apiKey });
    expect(status).toBe(200);
    expect(body).toEqual(testLead(acme.program.id));
    expect(await service.counts(acme.program.id)).toMatchObject({ customers: 0, decisions: 1 });
    expect(await decisionsOf(service, acme)).toMatchObject([{ reason: 'test_event', is_test: true }]);
  });

  it('does not change a real customer, nor a real lead a test customer', async () => {
    const acme = await service.program();
    const real = await service.clickId(acme.link);
    const test = await service.clickId(acme.link, TEST);
    expect((await service.lead({ click_id: real, ...TEST }, { key: acme.apiKey })).body).toEqual(
      testLead(acme.program.id),
    );
    expect((await service.lead({ click_id: test }, { key: acme.apiKey })).body).toEqual(
      badRequest('Customer not found. Provide a valid click_id or customer_key.'),
    );
    for (const clickId of [real, test]) expect(await customerOf(service, clickId)).toMatchObject({ status: 'click' });
  });

  it('may give a test customer the customer_key of a real one', async () => {
    const acme = await service.program();
    await service.customer(acme, 'user-1');
    const test = await service.clickId(acme.link, TEST);
    const sent = { click_id: test, customer_key: 'user-1', ...TEST };
    expect((await service.lead(sent, { key: acme.apiKey })).body).toEqual(testLead(acme.program.id));
    expect(await customerOf(service, test)).toMatchObject({ status: 'lead', customer_key: 'user-1', is_test: true });
  });

  it('gets 403 if program_id does not match the API key', async () => {
    const acme = await service.program();
    const other = await service.program();
    const additional_data = { test_mode: true, program_id: other.program.id };
    const { status, body } = await service.lead({ customer_key: 'user-1', additional_data }, { key: acme.apiKey });
    expect(status).toBe(403);
    expect(body).toEqual(platformError(403, 'ForbiddenError', 'program_id does not match the API key'));
    expect(await service.counts(acme.program.id)).toMatchObject({ customers: 0, decisions: 1 });
    expect(await service.counts(other.program.id)).toMatchObject({ customers: 0, decisions: 0 });
  });

  it('leaves a decision with is_test if it is refused', async () => {
    const acme = await service.program();
    await service.lead(TEST, { key: acme.apiKey });
    const additional_data = { test_mode: true, program_id: 999_999_999 };
    await service.lead({ customer_key: 'user-1', additional_data }, { key: acme.apiKey });
    expect(await decisionsOf(service, acme)).toMatchObject([
      { outcome: 'refused', reason: 'invalid_request', is_test: true },
      { outcome: 'refused', reason: 'program_mismatch', is_test: true },
    ]);
  });

  it.each([
    ['a number', Number],
    ['its decimal string', String],
  ])('may name the program of the key, as %s', async (_form, form) => {
    const acme = await service.program();
    const additional_data = { test_mode: true, program_id: form(acme.program.id) };
    const { body } = await service.lead({ customer_key: 'user-1', additional_data }, { key: acme.apiKey });
    expect(body).toEqual(testLead(acme.program.id));
  });

  it('is accepted with any program_id in browser mode', async () => {
    const acme = await service.program();
    const other = await service.program();
    const clickId = await service.clickId(acme.link, TEST);
    const additional_data = { test_mode: true, program_id: other.program.id };
    const { status, body } = await service.lead({ click_id: clickId, additional_data });
    expect(status).toBe(200);
    expect(body).toEqual(testLead(acme.program.id));
  });
});
