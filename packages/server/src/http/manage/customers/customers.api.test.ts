import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { linkIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { reasons } from '../../../decisions/reasons.ts';

const service = useService();

type Step = { type: string; outcome: string | null; reason: string | null };

const get = (made: OwnedProgram, rest: string, key = made.owner.token) =>
  service.call('GET', manage(made, `/customers${rest}`), { key });
const idIn = (clickId: string) => Number(clickId.split('_')[1]);

const NOTHING = {
  partner_id: null,
  partner_name: null,
  link_id: null,
  short_link: null,
  page_url: null,
  sale_id: null,
  transaction_id: null,
  amount_cents: null,
  deducted_cents: null,
  currency: null,
  status: null,
  outcome: null,
  reason: null,
  sentence: null,
};

describe('GET /api/v1/manage/programs/:id/customers/:customer_id', () => {
  it('shows click, lead, sale, commission and refund with times and reasons, newest last', async () => {
    const made = await ownedProgram(service);
    const clickId = await service.clickId(made.link, { page_url: 'https://acme.test/pricing' });
    const clickedAt = service.time.toISOString();
    service.advance({ seconds: 60 });
    const customer_key = newId('user');
    await service.lead({ click_id: clickId, customer_key, email: 'jane@example.com' }, { key: made.apiKey });
    const leadAt = service.time.toISOString();
    service.advance({ seconds: 60 });
    const transaction_id = newId('order');
    const sale = { transaction_id, customer_key, amount_cents: 10_000, currency: 'EUR' };
    const { sale_id, commission_id } = (await service.sale(sale, { key: made.apiKey })).body.data;
    const soldAt = service.time.toISOString();
    service.advance({ seconds: 60 });
    await service.refund({ transaction_id, refund_amount_cents: 2_500 }, { key: made.apiKey });
    const refundedAt = service.time.toISOString();

    const { status, body } = await get(made, `/${idIn(clickId)}`);
    const partner = { partner_id: made.partnerId, partner_name: 'Jane' };
    const id = expect.any(Number);
    const about = { ...NOTHING, ...partner, sale_id, transaction_id, currency: 'EUR' };
    const because = (reason: keyof typeof reasons) => ({ outcome: 'recorded', reason, sentence: reasons[reason] });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: idIn(clickId),
          click_id: clickId,
          customer_key,
          status: 'conversion',
          ...partner,
          sub: null,
          email_masked: 'j***@example.com',
          erased_at: null,
          created_at: clickedAt,
          is_test: false,
          lead_at: leadAt,
          lead_state: 'settled',
          converted_at: soldAt,
          credit: null,
          journey: [
            {
              ...NOTHING,
              ...partner,
              type: 'click',
              id,
              at: clickedAt,
              link_id: await linkIdOf(service, made),
              short_link: made.link,
              page_url: 'https://acme.test/pricing',
            },
            { ...NOTHING, ...partner, type: 'lead', id, at: leadAt, ...because('lead_recorded') },
            { ...about, type: 'sale', id, at: soldAt, amount_cents: 10_000, ...because('sale_attributed') },
            {
              ...about,
              type: 'commission',
              id: commission_id,
              at: soldAt,
              amount_cents: 2_000,
              deducted_cents: 500,
              status: 'partially_reversed',
            },
            {
              ...about,
              type: 'refund',
              id,
              at: refundedAt,
              amount_cents: 2_500,
              ...because('commission_partially_reversed'),
            },
          ],
          journey_is_cut: false,
        },
      },
    });
  });

  it('includes refused attempts, with their reason', async () => {
    const made = await ownedProgram(service);
    const clickId = await service.clickId(made.link);
    for (let again = 0; again < 2; again += 1) await service.lead({ click_id: clickId }, { key: made.apiKey });
    const { journey } = (await get(made, `/${idIn(clickId)}`)).body.data;
    expect(journey.map(({ type, outcome, reason }: Step) => [type, outcome, reason])).toEqual([
      ['click', null, null],
      ['lead', 'recorded', 'lead_recorded'],
      ['lead', 'refused', 'lead_status_refused'],
    ]);
  });

  it('has the last 200 steps and says that there were more', async () => {
    const made = await ownedProgram(service);
    const clickId = await service.clickId(made.link);
    const again = () => service.clickId(made.link, { existing_click_id: clickId });
    await Promise.all(Array.from({ length: 199 }, again));
    const read = async () => (await get(made, `/${idIn(clickId)}`)).body.data;
    expect(await read()).toMatchObject({ journey: { length: 200 }, journey_is_cut: false });
    service.advance({ seconds: 1 });
    await again();
    const { journey, journey_is_cut } = await read();
    expect([journey.length, journey_is_cut, journey.at(-1).at]).toEqual([200, true, service.time.toISOString()]);
  });

  it('a partner sees their own customer, without clicks on other partners’ links, and no other customer', async () => {
    const made = await ownedProgram(service);
    const other = await service.partner(made.program);
    const { token } = await partnerAccount(service, made.partnerId);
    const mine = await service.clickId(made.link);
    await service.clickId(other.link, { existing_click_id: mine });
    const theirs = await service.clickId(other.link);
    const journeyFor = async (key: string) => (await get(made, `/${idIn(mine)}`, key)).body.data.journey;
    expect(await journeyFor(made.owner.token)).toHaveLength(2);
    expect(await journeyFor(token)).toMatchObject([{ partner_id: made.partnerId }]);
    expect((await get(made, `/${idIn(theirs)}`, token)).status).toBe(404);
  });

  it('marks a test customer as such', async () => {
    const made = await ownedProgram(service);
    await service.call('POST', manage(made, '/test-chain'), { key: made.owner.token });
    const [row] = await service.sql<{ id: number }>('select id from customers where program_id = $1', [
      made.program.id,
    ]);
    const { data } = (await get(made, `/${row?.id}`)).body;
    expect(data).toMatchObject({ is_test: true, status: 'conversion' });
    expect(data.journey.map(({ type }: Step) => type)).toEqual(['click', 'lead', 'sale']);
  });
});

describe('filters of GET /api/v1/manage/programs/:id/customers', () => {
  it('q finds the beginning of a key, a click id and a whole e-mail; partners find no e-mails', async () => {
    const made = await ownedProgram(service);
    const { token } = await partnerAccount(service, made.partnerId);
    const clickId = await service.clickId(made.link);
    const email = 'Jane@Example.com';
    await service.lead({ click_id: clickId, customer_key: 'Zebra-1', email }, { key: made.apiKey });
    const byMail = await service.customer(made, 'zoo@example.com');
    const ids = async (q: string, key?: string) =>
      (await get(made, `?q=${encodeURIComponent(q)}`, key)).body.data.map(({ id }: { id: number }) => id);
    expect(await ids('Zebra')).toEqual([idIn(clickId)]);
    expect(await ids(' Zebra-1 ')).toEqual([idIn(clickId)]);
    expect(await ids('ebra')).toEqual([]);
    expect(await ids('Z%')).toEqual([]);
    expect(await ids(clickId)).toEqual([idIn(clickId)]);
    expect(await ids('jane@example.com')).toEqual([idIn(clickId)]);
    expect(await ids('zoo@')).toEqual([idIn(byMail)]);
    expect(await ids('')).toHaveLength(2);
    expect(await ids('jane@example.com', token)).toEqual([]);
    expect(await ids('zoo@', token)).toEqual([]);
    expect(await ids('Zebra', token)).toEqual([idIn(clickId)]);
    expect(await ids(byMail, token)).toEqual([idIn(byMail)]);
  });

  it('status, partner_id, from (inclusive) and to (exclusive) narrow the list', async () => {
    const made = await ownedProgram(service);
    const other = await service.partner(made.program);
    const clicked = idIn(await service.clickId(made.link));
    const from = service.time.toISOString();
    service.advance({ days: 1 });
    const to = service.time.toISOString();
    const lead = idIn(await service.customer({ ...made, ...other }, newId('user')));
    await sold(service, made);
    const ids = async (query: string) => (await get(made, `?${query}`)).body.data.map(({ id }: { id: number }) => id);
    const [bought] = await ids('status=conversion');
    expect(await ids('')).toEqual([bought, lead, clicked]);
    expect(await ids('status=click')).toEqual([clicked]);
    expect(await ids('status=lead')).toEqual([lead]);
    expect(await ids(`partner_id=${other.partnerId}`)).toEqual([lead]);
    expect(await ids(`from=${from}&to=${to}`)).toEqual([clicked]);
    expect(await ids(`from=${to}&status=lead&partner_id=${other.partnerId}`)).toEqual([lead]);
    expect(await ids(`to=${from}`)).toEqual([]);
  });
});
