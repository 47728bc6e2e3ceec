import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, sold, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const TEST = { additional_data: { test_mode: true } };
const DUPLICATE = platformError(409, 'ConflictError', 'Duplicate transaction_id. This sale has already been recorded.');

const sellTest = ({ apiKey }: TestProgram, transaction_id: string) =>
  service.sale({ ...TEST, transaction_id, amount_cents: 700 }, { key: apiKey });

const sellReal = async (on: TestProgram, transaction_id: string) => {
  const customer_key = newId('user');
  await service.customer(on, customer_key);
  return service.sale({ transaction_id, customer_key, amount_cents: 10_000 }, { key: on.apiKey });
};

describe('ids of test sales are apart from those of real sales', () => {
  it('a test sale of another program does not take the id of a real sale', async () => {
    const [mine, theirs] = [await service.program(), await service.program()];
    const id = newId('order');
    expect((await sellTest(theirs, id)).status).toBe(200);
    const { status, body } = await sellReal(mine, id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ attributed: true, commission_cents: 2_000 });
  });

  it('a test sale of the same program does not either, and neither takes the other’s place', async () => {
    const mine = await service.program();
    const id = newId('order');
    expect([(await sellTest(mine, id)).status, (await sellReal(mine, id)).status]).toEqual([200, 200]);
    for (const again of [await sellTest(mine, id), await sellReal(mine, id)]) {
      expect(again).toMatchObject({ status: 409, body: DUPLICATE });
    }
    expect(await service.counts(mine.program.id)).toMatchObject({ sales: 2, commissions: 1 });
  });

  it('a real sale does not take the id of a test sale', async () => {
    const [mine, theirs] = [await service.program(), await service.program()];
    const id = newId('order');
    const answers = [await sellReal(theirs, id), await sellTest(mine, id), await sellTest(theirs, id)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('a test id is unique within its program, also when many arrive at once', async () => {
    const [mine, theirs] = [await service.program(), await service.program()];
    const id = newId('order');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sellTest(index % 2 === 0 ? mine : theirs, id)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { program } of [mine, theirs]) expect(await service.counts(program.id)).toMatchObject({ sales: 1 });
  });

  it('a real id stays unique across all programs', async () => {
    const [mine, theirs] = [await service.program(), await service.program()];
    const id = newId('order');
    expect((await sellReal(theirs, id)).status).toBe(200);
    expect(await sellReal(mine, id)).toMatchObject({ status: 409, body: DUPLICATE });
    expect(await service.counts(mine.program.id)).toMatchObject({ sales: 0 });
  });
});

describe('the brand learns why its sale was refused', () => {
  const reasonsOf = ({ program }: TestProgram, id: string) =>
    service.sql('select reason, outcome from decisions where program_id = $1 and transaction_id = $2 order by id', [
      program.id,
      id,
    ]);

  it('because another program has a sale under the id', async () => {
    const [mine, theirs] = [await service.program(), await service.program()];
    const { transactionId } = await sold(service, theirs);
    await sellReal(mine, transactionId);
    expect(await reasonsOf(mine, transactionId)).toEqual([
      { reason: 'transaction_of_other_program', outcome: 'refused' },
    ]);
  });

  it('because it reported the sale before', async () => {
    const mine = await service.program();
    const { transactionId } = await sold(service, mine);
    await sellReal(mine, transactionId);
    await sellTest(mine, transactionId);
    await sellTest(mine, transactionId);
    expect((await reasonsOf(mine, transactionId)).map(({ reason }) => reason)).toEqual([
      'sale_attributed',
      'duplicate_transaction',
      'test_event',
      'duplicate_transaction',
    ]);
  });
});

describe('a refund of an id that is both a test sale and a real sale', () => {
  async function soldTwice() {
    const mine = await service.program();
    const id = newId('order');
    const [test, real] = [await sellTest(mine, id), await sellReal(mine, id)];
    const refunded = async () =>
      Promise.all(
        [test, real].map(async ({ body }) => (await storedSale(service, body.data.sale_id)).sale?.refunded_cents),
      );
    return { mine, id, refunded };
  }

  it('is of the real sale', async () => {
    const { mine, id, refunded } = await soldTwice();
    const { body } = await service.refund({ transaction_id: id, refund_amount_cents: 500 }, { key: mine.apiKey });
    expect(body.data).toMatchObject({ status: 'partially_reversed', deduction_cents: 100 });
    expect(await refunded()).toEqual([0, 500]);
  });

  it('is of the test sale in test mode', async () => {
    const { mine, id, refunded } = await soldTwice();
    const { body } = await service.refund({ transaction_id: id, ...TEST }, { key: mine.apiKey });
    expect(body.data).toMatchObject({ status: 'no_commission', refunded_cents: 700 });
    expect(await refunded()).toEqual([700, 0]);
  });

  it('is never of another program’s sale', async () => {
    const [mine, theirs] = [await service.program(), await service.program()];
    const id = newId('order');
    const { body } = await sellTest(theirs, id);
    expect((await service.refund({ transaction_id: id }, { key: mine.apiKey })).status).toBe(404);
    expect((await service.refund({ transaction_id: id, ...TEST }, { key: mine.apiKey })).status).toBe(404);
    expect((await storedSale(service, body.data.sale_id)).sale).toMatchObject({ refunded_cents: 0 });
  });
});

it('a node of the previous release, which knows one scope, keeps its ids and finds its sales', async () => {
  const mine = await service.program();
  const customerId = customerIdOf(await service.customer(mine, 'user_1'));
  const id = newId('order');
  const [claimed] = await service.sql<{ sale_id: number }>(
    `insert into transactions (processor_event_id, program_id, sale_id) values ($1, $2, nextval('sales_id_seq'))
     on conflict do nothing returning sale_id`,
    [id, mine.program.id],
  );
  await service.sql(
    `insert into sales (id, processor_event_id, program_id, customer_id, amount_cents, currency, sale_type, is_recurring,
       commission_state, is_test, created_at)
     values ($1, $2, $3, $4, 700, 'USD', 'payment', false, 'none', true, $5)`,
    [claimed?.sale_id, id, mine.program.id, customerId, service.time],
  );
  expect((await sellTest(mine, id)).status).toBe(200);
  expect((await service.refund({ transaction_id: id }, { key: mine.apiKey })).status).toBe(200);
});
