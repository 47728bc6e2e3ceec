import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { atOnce, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const nodes = useTwoNodes();
const [service, other] = nodes;

const customerIdOf = (clickId: string) => Number(clickId.split('_')[1]);

/** What is stored about the customer that identifies them. */
const identifiersOf = (customerId: number) =>
  service.sql(
    `select id::text from customers where id = $1 and (customer_key is not null or clicked_at is not null)
     union all
     select 'decision ' || reason from decisions
     where customer_id = $1 and (customer_key is not null or click_id is not null or additional_data is not null)
     union all
     select 'click' from clicks where customer_id = $1 and page_url is not null`,
    [customerId],
  );

it('a sale that was judged before its customer was erased is recorded without naming them', async () => {
  const made = await ownedProgram(service);
  const customerKey = newId('user');
  const clickId = await service.customer(made, customerKey);
  const transactionId = newId('order');
  // Holds the sale between reading its customer and writing.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHolding = () => {};
  const holding = new Promise<void>((resolve) => {
    isHolding = resolve;
  });
  const blocker = service.ctx.db
    .transaction(async (tx) => {
      const claim = 'insert into transactions (processor_event_id, program_id, sale_id) values ($1, $2, 0)';
      await tx.query(claim, [transactionId, made.program.id]);
      isHolding();
      await held;
      throw new Error('undone');
    })
    .catch(() => undefined);
  await holding;
  const sale = { transaction_id: transactionId, amount_cents: 10_000, customer_key: customerKey, click_id: clickId };
  const selling = other.sale({ ...sale, additional_data: { name: customerKey } }, { key: made.apiKey });
  const waiting = () => service.sql('select 1 from pg_locks where not granted');
  expect((await eventually(waiting, (locks) => locks.length > 0)).length).toBeGreaterThan(0);
  const path = manage(made, `/customers/${customerIdOf(clickId)}/erase`);
  const erased = await service.call('POST', path, { key: made.owner.token, body: {} });
  expect(erased.status).toBe(200);
  release();
  expect((await selling).status).toBe(200);
  await blocker;
  expect(await identifiersOf(customerIdOf(clickId))).toEqual([]);
  const [sum] = await service.sql(
    'select sum(commission_cents)::bigint as cents from commissions where program_id = $1',
    [made.program.id],
  );
  expect(sum).toEqual({ cents: 2_000 });
});

it('whatever arrives while a customer is erased, nothing names them afterwards and no sale is lost', async () => {
  const made = await ownedProgram(service);
  const key = { key: made.apiKey };
  for (let round = 0; round < 4; round += 1) {
    const customerKey = newId('user');
    const clickId = await service.customer(made, customerKey);
    const path = manage(made, `/customers/${customerIdOf(clickId)}/erase`);
    const answers = await atOnce(nodes, 12, (node, index) => {
      if (index === 5) return node.call('POST', path, { key: made.owner.token, body: {} });
      if (index % 4 === 0) {
        const page = `https://acme.test/?aff=${made.link}`;
        return node.click({ affiliate_url: page, page_url: page, existing_click_id: clickId });
      }
      if (index % 4 === 1) return node.lead({ click_id: clickId, customer_key: customerKey }, key);
      const sale = { transaction_id: newId('order'), amount_cents: 1_000, customer_key: customerKey };
      return node.sale({ ...sale, click_id: clickId }, key);
    });
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await identifiersOf(customerIdOf(clickId))).toEqual([]);
    const sales = answers.filter(({ status, body }) => status === 200 && body?.data?.sale_id);
    const ids = sales.map(({ body }) => body.data.sale_id);
    expect(await service.sql('select id from sales where id = any ($1::bigint[])', [ids])).toHaveLength(ids.length);
  }
});
