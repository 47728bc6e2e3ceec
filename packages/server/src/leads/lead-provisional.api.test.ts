import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const TRACKED = { success: true, message: 'Lead tracked successfully' };
const PROVISIONAL = {
  success: true,
  provisional: true,
  message: 'Lead received. It counts once the program confirms it from its server.',
};
const ALREADY_LEAD = badRequest('Customer status cannot be updated to lead. Current status: lead');
const NOT_ATTRIBUTED = badRequest('No affiliate attribution found for this customer in this program');
const SALE_NOT_FOUND = badRequest('Customer not found. Provide customer_key or click_id.');

const serverRequired = () => service.program({ leadAuth: 'server_required' });

function buy({ program, apiKey }: TestProgram, who: object, name = 'sale') {
  return service.sale({ transaction_id: `${name}-${program.id}`, amount_cents: 1000, ...who }, { key: apiKey });
}

const partnersPaid = ({ program }: TestProgram) =>
  service.sql('select partner_id from commissions where program_id = $1 order by id', [program.id]);

/** A visitor who followed the link, and whose page claims the key. */
async function claim(link: string, customerKey: string): Promise<string> {
  const clickId = await service.clickId(link);
  expect((await service.lead({ click_id: clickId, customer_key: customerKey })).body).toEqual(PROVISIONAL);
  return clickId;
}

describe('a lead under lead_auth server_required', () => {
  it('is provisional in browser mode, with the claimed key stored separately', async () => {
    const acme = await serverRequired();
    const clickId = await service.clickId(acme.link);
    const { status, body } = await service.lead({ click_id: clickId, customer_key: 'user-1', email: 'j@example.com' });
    expect(status).toBe(200);
    expect(body).toEqual(PROVISIONAL);
    expect(await customerOf(service, clickId)).toMatchObject({
      status: 'lead',
      lead_state: 'provisional',
      lead_at: service.time,
      customer_key: null,
      claimed_customer_key: 'user-1',
      email_masked: 'j***@example.com',
    });
    expect(await decisionsOf(service, acme)).toMatchObject([
      { outcome: 'recorded', reason: 'lead_provisional', source: 'browser' },
    ]);
  });

  it('is settled at once in server mode, with the usual response', async () => {
    const acme = await serverRequired();
    const clickId = await service.clickId(acme.link);
    expect((await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: acme.apiKey })).body).toEqual(
      TRACKED,
    );
    expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'settled', customer_key: 'user-1' });
  });

  it('is refused if the page sends it again', async () => {
    const acme = await serverRequired();
    const clickId = await claim(acme.link, 'user-1');
    const { status, body } = await service.lead({ click_id: clickId, customer_key: 'user-2' });
    expect(status).toBe(400);
    expect(body).toEqual(ALREADY_LEAD);
    expect(await customerOf(service, clickId)).toMatchObject({ claimed_customer_key: 'user-1' });
  });

  it('is recorded as unattributed and provisional without a click', async () => {
    const acme = await serverRequired();
    const sent = { customer_key: 'user-1', program_id: acme.program.id };
    expect((await service.lead(sent)).body).toEqual(PROVISIONAL);
    expect((await service.lead(sent)).body).toEqual(ALREADY_LEAD);
    expect(await service.sql('select * from customers where program_id = $1', [acme.program.id])).toMatchObject([
      { lead_state: 'provisional', customer_key: null, claimed_customer_key: 'user-1', partner_id: null },
    ]);
  });

  it('is provisional in test mode too', async () => {
    const acme = await serverRequired();
    const additional_data = { test_mode: true };
    const clickId = await service.clickId(acme.link, { additional_data });
    expect((await service.lead({ click_id: clickId, additional_data })).body).toEqual({
      success: true,
      provisional: true,
      message: 'Test lead event tracked successfully',
      data: { eventId: expect.any(Number), programId: acme.program.id, test_mode: true },
    });
  });
});

describe('a server-side lead', () => {
  it.each([
    ['click_id and customer_key', (click_id: string) => ({ click_id, customer_key: 'user-1' })],
    ['click_id alone', (click_id: string) => ({ click_id })],
    ['the claimed customer_key alone', () => ({ customer_key: 'user-1' })],
  ])('confirms the provisional lead found by %s', async (_fields, sent) => {
    const acme = await serverRequired();
    const clickId = await claim(acme.link, 'user-1');
    const claimedAt = service.time;
    service.advance({ days: 2 });
    const { status, body } = await service.lead(sent(clickId), { key: acme.apiKey });
    expect(status).toBe(200);
    expect(body).toEqual(TRACKED);
    expect(await customerOf(service, clickId)).toMatchObject({
      status: 'lead',
      lead_state: 'settled',
      lead_at: claimedAt,
      customer_key: 'user-1',
      partner_id: acme.partnerId,
    });
    expect(await decisionsOf(service, acme)).toMatchObject([{}, { outcome: 'recorded', reason: 'lead_settled' }]);
    expect((await buy(acme, { customer_key: 'user-1' })).body.data).toMatchObject({ attributed: true });
  });

  it('confirms a provisional lead once, and the next one is refused', async () => {
    const acme = await serverRequired();
    const clickId = await claim(acme.link, 'user-1');
    await service.lead({ click_id: clickId }, { key: acme.apiKey });
    const { status, body } = await service.lead({ click_id: clickId }, { key: acme.apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(ALREADY_LEAD);
  });

  it('sets the key that the server names, not the claimed one', async () => {
    const acme = await serverRequired();
    const clickId = await claim(acme.link, 'somebody-else');
    await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: acme.apiKey });
    expect(await customerOf(service, clickId)).toMatchObject({ customer_key: 'user-1', lead_state: 'settled' });
    expect((await buy(acme, { customer_key: 'somebody-else' })).body).toEqual(SALE_NOT_FOUND);
  });

  it('replaces the e-mail if it contains one, and keeps the claimed e-mail otherwise', async () => {
    const acme = await serverRequired();
    const masked = async (email: string | undefined) => {
      const clickId = await service.clickId(acme.link);
      await service.lead({ click_id: clickId, email: 'page@example.com' });
      await service.lead({ click_id: clickId, email }, { key: acme.apiKey });
      return (await customerOf(service, clickId)).email_masked;
    };
    expect(await masked('server@example.com')).toBe('s***@example.com');
    expect(await masked(undefined)).toBe('p***@example.com');
  });

  it('does not confirm a provisional lead of another program', async () => {
    const acme = await serverRequired();
    const other = await service.program();
    const clickId = await claim(acme.link, 'user-1');
    const byClick = await service.lead({ click_id: clickId }, { key: other.apiKey });
    expect(byClick.body).toEqual(badRequest('Customer does not belong to this program'));
    await service.lead({ customer_key: 'user-1' }, { key: other.apiKey });
    expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'provisional', customer_key: null });
  });

  it('does not confirm a provisional lead if its click_id matches nothing', async () => {
    const acme = await serverRequired();
    const clickId = await claim(acme.link, 'user-1');
    const { body } = await service.lead({ click_id: 'cust_1_1', customer_key: 'user-1' }, { key: acme.apiKey });
    expect(body).toEqual(badRequest('Customer not found. Provide a valid click_id or customer_key.'));
    expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'provisional' });
  });
});

describe('claiming somebody else’s key', () => {
  it('does not let sales find the customer before the lead is settled', async () => {
    const acme = await serverRequired();
    const clickId = await claim(acme.link, 'user-1');
    const { status, body } = await buy(acme, { customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(SALE_NOT_FOUND);
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 0, commissions: 0 });
    await service.lead({ click_id: clickId }, { key: acme.apiKey });
    expect((await buy(acme, { customer_key: 'user-1' })).body.data).toMatchObject({ attributed: true });
  });

  it('does not take sales from the customer who has the key', async () => {
    const acme = await serverRequired();
    const thief = await service.partner(acme.program);
    await service.customer(acme, 'user-1');
    const stolen = await claim(thief.link, 'user-1');
    await buy(acme, { customer_key: 'user-1' });
    expect(await partnersPaid(acme)).toEqual([{ partner_id: acme.partnerId }]);

    const settled = await service.lead({ click_id: stolen }, { key: acme.apiKey });
    expect(settled.body).toEqual(TRACKED);
    expect(await customerOf(service, stolen)).toMatchObject({ lead_state: 'settled', customer_key: null });
    await buy(acme, { customer_key: 'user-1' }, 'second');
    expect(await partnersPaid(acme)).toEqual([{ partner_id: acme.partnerId }, { partner_id: acme.partnerId }]);
  });

  it('does not take sales from the customer whom the server names later', async () => {
    const acme = await serverRequired();
    const thief = await service.partner(acme.program);
    await claim(thief.link, 'user-1');
    const honest = await claim(acme.link, 'user-1');
    await service.lead({ click_id: honest, customer_key: 'user-1' }, { key: acme.apiKey });
    await buy(acme, { customer_key: 'user-1' });
    expect(await partnersPaid(acme)).toEqual([{ partner_id: acme.partnerId }]);
  });

  it('attributes nothing if several pages do it and the server sends only customer_key', async () => {
    const acme = await serverRequired();
    const thief = await service.partner(acme.program);
    const claims = [await claim(thief.link, 'user-1'), await claim(acme.link, 'user-1')];
    expect((await service.lead({ customer_key: 'user-1' }, { key: acme.apiKey })).body).toEqual(TRACKED);
    for (const clickId of claims) {
      expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'provisional', customer_key: null });
    }
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({ reason: 'lead_claimed_by_several' });
    expect((await buy(acme, { customer_key: 'user-1' })).body).toEqual(NOT_ATTRIBUTED);
    expect(await partnersPaid(acme)).toEqual([]);
  });

  it('is possible once for a page without a click, even if others claim the key', async () => {
    const acme = await serverRequired();
    const unclicked = { customer_key: 'user-1', program_id: acme.program.id };
    await claim(acme.link, 'user-1');
    await claim((await service.partner(acme.program)).link, 'user-1');
    expect((await service.lead(unclicked)).body).toEqual(PROVISIONAL);
    expect((await service.lead(unclicked)).body).toEqual(ALREADY_LEAD);
  });

  it('never takes over a settled key, before or after it was settled', async () => {
    const acme = await serverRequired();
    const thief = await service.partner(acme.program);
    const early = await claim(thief.link, 'user-1');
    await service.lead({ click_id: await claim(acme.link, 'user-1'), customer_key: 'user-1' }, { key: acme.apiKey });
    const late = await claim(thief.link, 'user-1');
    for (const click_id of [early, late]) {
      expect((await service.lead({ click_id, customer_key: 'user-1' }, { key: acme.apiKey })).body).toEqual(
        ALREADY_LEAD,
      );
      expect((await service.lead({ click_id }, { key: acme.apiKey })).body).toEqual(TRACKED);
      expect(await customerOf(service, click_id)).toMatchObject({ customer_key: null });
    }
    await buy(acme, { customer_key: 'user-1' });
    expect(await partnersPaid(acme)).toEqual([{ partner_id: acme.partnerId }]);
  });

  it('without a click does not take sales from the customer whom the server names', async () => {
    const acme = await serverRequired();
    await service.lead({ customer_key: 'user-1', program_id: acme.program.id });
    await service.customer(acme, 'user-1');
    await buy(acme, { customer_key: 'user-1' });
    expect(await partnersPaid(acme)).toEqual([{ partner_id: acme.partnerId }]);
  });
});
