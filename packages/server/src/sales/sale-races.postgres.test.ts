import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import { platformError, type TestProgram, type TestService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const nodes = useTwoNodes();
const [service] = nodes;

const DUPLICATE = platformError(409, 'ConflictError', 'Duplicate transaction_id. This sale has already been recorded.');
const IN_PROGRESS = platformError(409, 'ConflictError', 'A request with this Idempotency-Key is in progress');
const ALREADY_LEAD = badRequest('Customer status cannot be updated to lead. Current status: lead');
const NODES: [string, TestService[]][] = [
  ['one node', [service]],
  ['two nodes', nodes],
];

/** Enough for several groups on each node. */
const MANY = 80;
const ALL_BUT_ONE = MANY - 1;

const countIn = async (table: string, programs: TestProgram[]) => {
  const ids = programs.map(({ program }) => program.id);
  const [row] = await service.sql<{ count: number }>(
    `select count(*)::int as count from ${table} where program_id = any($1)`,
    [ids],
  );
  return row?.count;
};

describe.each(NODES)('concurrent sales on %s', (on, of) => {
  it('with the same Idempotency-Key are carried out once: the rest get that answer, or are told to wait', async () => {
    const acme = await service.program();
    await service.customer(acme, 'user-1');
    const sale = { transaction_id: `keyed ${on}`, amount_cents: 1000, customer_key: 'user-1' };
    const headers = { 'idempotency-key': 'the-key' };
    const answers = await atOnce(of, 100, (node) => node.sale(sale, { key: acme.apiKey, headers }));
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes.filter((answer) => !answer.headers['idempotent-replayed'])).toHaveLength(1);
    expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
    const waiting = answers.filter(({ status }) => status !== 200);
    for (const { status, body } of waiting) expect([status, body]).toEqual([409, IN_PROGRESS]);
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 1, commissions: 1, decisions: 2 });
  });

  it('with the same transaction_id are recorded once: one 200, the rest 409', async () => {
    const acme = await service.program();
    await service.customer(acme, 'user-1');
    const sale = { transaction_id: `one ${on}`, amount_cents: 1000, customer_key: 'user-1' };
    const answers = await atOnce(of, MANY, (node) => node.sale(sale, { key: acme.apiKey }));
    expect(statusCounts(answers)).toEqual({ 200: 1, 409: ALL_BUT_ONE });
    for (const { status, body } of answers) if (status === 409) expect(body).toEqual(DUPLICATE);
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 1, commissions: 1, decisions: MANY + 1 });
  });

  it('with the same transaction_id in two programs are recorded once: one 200, the rest 409', async () => {
    const programs = [await service.program(), await service.program()];
    for (const program of programs) await service.customer(program, 'user-1');
    const sale = { transaction_id: `two programs, ${on}`, amount_cents: 1000, customer_key: 'user-1' };
    const answers = await atOnce(of, MANY, (node, index) =>
      node.sale(sale, { key: programs[(index >> 1) % 2]?.apiKey as string }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 409: ALL_BUT_ONE });
    expect(await countIn('sales', programs)).toBe(1);
    expect(await countIn('commissions', programs)).toBe(1);
    const winner = await service.sql(`select 1 from customers where program_id = any($1) and status = 'conversion'`, [
      programs.map(({ program }) => program.id),
    ]);
    expect(winner).toHaveLength(1);
  });

  it('of many customers are all recorded, in whatever order they are sent', async () => {
    const acme = await service.program();
    const clicks = await Promise.all(Array.from({ length: 20 }, () => service.clickId(acme.link)));
    const answers = await atOnce(of, MANY, (node, index) =>
      node.sale(
        {
          transaction_id: `${index} of many ${on}`,
          amount_cents: 1000,
          click_id: clicks[(index % 2 === 0 ? index >> 1 : ALL_BUT_ONE - index) % clicks.length],
        },
        { key: acme.apiKey },
      ),
    );
    expect(statusCounts(answers)).toEqual({ 200: MANY });
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: MANY, commissions: MANY });
  });

  it('in test mode without a transaction_id are all recorded under different ids', async () => {
    const acme = await service.program();
    const test = { additional_data: { test_mode: true } };
    const answers = await atOnce(of, MANY, (node) => node.sale(test, { key: acme.apiKey }));
    expect(statusCounts(answers)).toEqual({ 200: MANY });
    expect(await countIn('sales', [acme])).toBe(MANY);
  });
});

describe.each(NODES)('concurrent leads on %s', (_on, of) => {
  it.each(['server', 'browser'])(
    'of the same click in %s mode are recorded once: one 200, the rest 400',
    async (mode) => {
      const acme = await service.program();
      const clickId = await service.clickId(acme.link);
      const options = mode === 'server' ? { key: acme.apiKey } : {};
      const answers = await atOnce(of, MANY, (node, index) =>
        node.lead({ click_id: clickId, customer_key: `user-${index}` }, options),
      );
      expect(statusCounts(answers)).toEqual({ 200: 1, 400: ALL_BUT_ONE });
      for (const { status, body } of answers) if (status === 400) expect(body).toEqual(ALREADY_LEAD);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', customer_key: `user-${winner}` });
    },
  );

  it('of two clicks with the same customer_key give it to one customer', async () => {
    const acme = await service.program();
    const clicks = [await service.clickId(acme.link), await service.clickId(acme.link)];
    const answers = await atOnce(of, MANY, (node, index) =>
      node.lead({ click_id: clicks[(index >> 1) % 2], customer_key: 'user-1' }, { key: acme.apiKey }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 400: ALL_BUT_ONE });
    const customers = await Promise.all(clicks.map((clickId) => customerOf(service, clickId)));
    expect(customers.map(({ customer_key }) => customer_key).sort()).toEqual([null, 'user-1']);
    expect(customers.map(({ status }) => status).sort()).toEqual(['click', 'lead']);
  });

  it('without a click for the same customer_key create one customer', async () => {
    const acme = await service.program();
    const answers = await atOnce(of, MANY, (node) => node.lead({ customer_key: 'user-1' }, { key: acme.apiKey }));
    expect(statusCounts(answers)).toEqual({ 200: 1, 400: ALL_BUT_ONE });
    expect(await countIn('customers', [acme])).toBe(1);
  });

  it('that are provisional and without a click for the same customer_key create one customer', async () => {
    const acme = await service.program({ leadAuth: 'server_required' });
    const sent = { customer_key: 'user-1', program_id: acme.program.id };
    const answers = await atOnce(of, 50, (node) => node.lead(sent));
    expect(statusCounts(answers)).toEqual({ 200: 1, 400: 49 });
    expect(await countIn('customers', [acme])).toBe(1);
  });

  it('that confirm the same provisional lead do so once: one 200, the rest 400', async () => {
    const acme = await service.program({ leadAuth: 'server_required' });
    const clickId = await service.clickId(acme.link);
    await service.lead({ click_id: clickId, customer_key: 'user-1' });
    const answers = await atOnce(of, MANY, (node, index) =>
      node.lead(index % 4 < 2 ? { click_id: clickId } : { customer_key: 'user-1' }, { key: acme.apiKey }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 400: ALL_BUT_ONE });
    expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'settled', customer_key: 'user-1' });
    expect(await countIn('customers', [acme])).toBe(1);
  });
});

describe('concurrent refunds on two nodes', () => {
  async function sold(transactionId: string): Promise<TestProgram> {
    const acme = await service.program({ commissionRate: '33.3333' });
    const clickId = await service.clickId(acme.link);
    await service.sale({ transaction_id: transactionId, amount_cents: 1000, click_id: clickId }, { key: acme.apiKey });
    return acme;
  }

  const moneyOf = async ({ program }: TestProgram) => {
    const [row] = await service.sql<Record<string, number>>(
      `select s.refunded_cents, m.commission_cents, m.deducted_cents, count(r.id)::int as refunds,
         sum(r.amount_cents)::int as refund_sum, sum(r.deduction_cents)::int as deduction_sum
       from sales s join commissions m on m.sale_id = s.id left join refunds r on r.sale_id = s.id
       where s.program_id = $1 group by s.id, m.id`,
      [program.id],
    );
    return row;
  };

  it('of the full amount reverse the commission once', async () => {
    const acme = await sold('refunded in full');
    const answers = await atOnce(nodes, MANY, (node) =>
      node.refund({ transaction_id: 'refunded in full' }, { key: acme.apiKey }),
    );
    expect(statusCounts(answers)).toEqual({ 200: MANY });
    const statuses = answers.map(({ body }) => body.data.status).sort();
    expect(statuses).toEqual([...Array(ALL_BUT_ONE).fill('already_refunded'), 'reversed']);
    expect(await moneyOf(acme)).toEqual({
      refunded_cents: 1000,
      commission_cents: 333,
      deducted_cents: 333,
      refunds: 1,
      refund_sum: 1000,
      deduction_sum: 333,
    });
  });

  it('of a part with the same refund_id count once', async () => {
    const acme = await sold('refunded under one id');
    const refund = { transaction_id: 'refunded under one id', refund_amount_cents: 300, refund_id: 'refund-1' };
    const answers = await atOnce(nodes, MANY, (node) => node.refund(refund, { key: acme.apiKey }));
    expect(statusCounts(answers)).toEqual({ 200: MANY });
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(await moneyOf(acme)).toMatchObject({ refunded_cents: 300, deducted_cents: 100, refunds: 1 });
  });

  it('of parts with different ids never exceed the sale, and are exact to the cent', async () => {
    const acme = await sold('refunded bit by bit');
    const answers = await atOnce(nodes, MANY, (node, index) =>
      node.refund(
        { transaction_id: 'refunded bit by bit', refund_amount_cents: 25, refund_id: `refund-${index}` },
        { key: acme.apiKey },
      ),
    );
    expect(statusCounts(answers)).toEqual({ 200: 40, 400: 40 });
    for (const { status, body } of answers) {
      if (status === 400)
        expect(body).toEqual(badRequest('refund_amount_cents is more than what is left to refund (0)'));
    }
    expect(await moneyOf(acme)).toEqual({
      refunded_cents: 1000,
      commission_cents: 333,
      deducted_cents: 333,
      refunds: 40,
      refund_sum: 1000,
      deduction_sum: 333,
    });
  });
});

describe.each(NODES)('concurrent clicks on %s', (_on, of) => {
  it('with the same existing_click_id keep the click id, the customer and its first partner', async () => {
    const acme = await service.program();
    const rival = await service.partner(acme.program);
    const clickId = await service.clickId(acme.link);
    const answers = await atOnce(of, MANY, (node) =>
      node.click({ affiliate_url: `https://acme.test/?aff=${rival.link}`, existing_click_id: clickId }),
    );
    expect(statusCounts(answers)).toEqual({ 200: MANY });
    expect(new Set(answers.map(({ body }) => body.click_id))).toEqual(new Set([clickId]));
    expect(await service.counts(acme.program.id)).toMatchObject({ customers: 1, clicks: MANY + 1 });
    expect(await customerOf(service, clickId)).toMatchObject({ partner_id: acme.partnerId });
    const logged = await service.sql('select distinct customer_id from clicks where partner_id = $1', [
      rival.partnerId,
    ]);
    expect(logged).toEqual([{ customer_id: Number(clickId.split('_')[1]) }]);
  });
});
