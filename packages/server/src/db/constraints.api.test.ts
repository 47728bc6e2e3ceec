import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const UNIQUE = '23505';
const CHECK = '23514';
const FOREIGN_KEY = '23503';

const copySale = (saleId: number) =>
  service.sql(
    `insert into sales (processor_event_id, program_id, customer_id, partner_id, amount_cents, currency, sale_type,
       is_recurring, commission_state, created_at)
     select processor_event_id, program_id, customer_id, partner_id, amount_cents, currency, sale_type, is_recurring,
       'none', created_at
     from sales where id = $1`,
    [saleId],
  );

const insertRefund = (saleId: number, key: string, cents: number) =>
  service.sql(
    `insert into refunds (sale_id, program_id, refund_key, amount_cents, deduction_cents, status, created_at)
     select id, program_id, $2, $3, 0, 'partially_reversed', created_at from sales where id = $1`,
    [saleId, key, cents],
  );

describe('processor_event_id is unique across all programs', () => {
  it('a transaction id cannot be claimed twice, in any program', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const { transactionId } = await sold(service, on);
    for (const { program } of [on, other]) {
      await expect(
        service.sql('insert into transactions (processor_event_id, program_id, sale_id) values ($1, $2, 1)', [
          transactionId,
          program.id,
        ]),
      ).rejects.toMatchObject({ sqlState: UNIQUE });
    }
  });

  it('a second sale with the same processor_event_id is refused', async () => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    await expect(copySale(saleId)).rejects.toMatchObject({
      sqlState: expect.stringMatching(`^(${UNIQUE}|${FOREIGN_KEY})$`),
    });
    expect(await service.counts(on.program.id)).toMatchObject({ sales: 1 });
  });

  it('ids that differ in case or in trailing spaces are different ids', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const id = newId('Order');
    for (const transaction_id of [id, id.toLowerCase(), `${id} `]) {
      const body = { transaction_id, customer_key: 'user_1', amount_cents: 1 };
      expect((await service.sale(body, { key: on.apiKey })).status).toBe(200);
    }
  });
});

describe('a customer_key belongs to one customer per program', () => {
  it('a second customer of the program cannot have it', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const second = customerIdOf(await service.clickId(on.link));
    await expect(
      service.sql(`update customers set customer_key = 'user_1' where id = $1`, [second]),
    ).rejects.toMatchObject({ sqlState: UNIQUE, constraint: 'customers_by_key' });
  });

  it('a customer of another program can', async () => {
    const [on, other] = [await service.program(), await service.program()];
    await service.customer(on, 'user_1');
    await service.customer(other, 'user_1');
    const holders = await service.sql(`select program_id from customers where customer_key = 'user_1'`);
    expect(holders).toEqual(expect.arrayContaining([{ program_id: on.program.id }, { program_id: other.program.id }]));
  });
});

describe('a sale has one commission of a kind', () => {
  it('a second one is refused, also for another partner', async () => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    await expect(
      service.sql(
        `insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
           currency, approve_after, created_at)
         select sale_id, program_id, $2, commission_type, commission_rate, 1, currency, approve_after,
           created_at from commissions where sale_id = $1`,
        [saleId, (await service.partner(on.program)).partnerId],
      ),
    ).rejects.toMatchObject({ sqlState: UNIQUE, constraint: 'one_commission_per_sale' });
  });

  it('deductions never exceed it', async () => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    for (const cents of [2_001, -1]) {
      await expect(
        service.sql('update commissions set deducted_cents = $2 where sale_id = $1', [saleId, cents]),
      ).rejects.toMatchObject({ sqlState: CHECK, constraint: 'deductions_never_above_the_commission' });
    }
  });
});

describe('every commission has a cause', () => {
  const insert = (
    on: TestProgram,
    kind: string,
    columns: { sale?: number; customer?: number; cents?: number; reason?: string },
  ) =>
    service.sql(
      `insert into commissions (kind, sale_id, customer_id, reason, program_id, partner_id, commission_type, commission_rate,
         commission_cents, currency, approve_after, created_at)
       values ($1, $2, $3, $4, $5, $6, 'fixed', 1, $7, 'USD', now(), now())`,
      [
        kind,
        columns.sale ?? null,
        columns.customer ?? null,
        columns.reason ?? null,
        on.program.id,
        on.partnerId,
        columns.cents ?? 100,
      ],
    );

  it('a sale, a lead, or a reason, and amounts that fit its kind', async () => {
    const on = await service.program();
    const { saleId: sale } = await sold(service, on);
    const customer = customerIdOf(await service.customer(on, 'user_1'));
    for (const [kind, columns] of [
      ['sale', {}],
      ['lead', {}],
      ['lead', { sale, customer }],
      ['override', {}],
      ['override', { sale, customer }],
      ['bonus', {}],
      ['bonus', { reason: 'a', sale }],
      ['bonus', { reason: 'a', cents: -1 }],
      ['bonus', { reason: 'a', cents: 0 }],
      ['adjustment', { reason: 'a', cents: 0 }],
      ['override', { sale, cents: -1 }],
      ['gift', { reason: 'a' }],
    ] as const) {
      await expect(insert(on, kind, columns), `${kind} ${JSON.stringify(columns)}`).rejects.toMatchObject({
        sqlState: CHECK,
      });
    }
  });

  it('a lead is paid once, and its override too', async () => {
    const on = await service.program();
    const customer = customerIdOf(await service.customer(on, 'user_1'));
    for (const kind of ['lead', 'override']) {
      await insert(on, kind, { customer });
      await expect(insert(on, kind, { customer })).rejects.toMatchObject({
        sqlState: UNIQUE,
        constraint: 'one_commission_per_lead',
      });
    }
  });
});

describe('refunds never exceed the sale', () => {
  it('in the refunded amount on the sale', async () => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    for (const cents of [10_001, -1]) {
      await expect(
        service.sql('update sales set refunded_cents = $2 where id = $1', [saleId, cents]),
      ).rejects.toMatchObject({ sqlState: CHECK, constraint: 'refunds_never_above_the_sale' });
    }
  });

  it('in the refunds themselves', async () => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    await expect(insertRefund(saleId, 'too_much', 10_001)).rejects.toMatchObject({ sqlState: CHECK });
    expect(await service.counts(on.program.id)).toMatchObject({ refunds: 0 });
  });

  it('and a refund_id counts once per sale', async () => {
    const on = await service.program();
    const { saleId, transactionId } = await sold(service, on);
    const body = { transaction_id: transactionId, refund_amount_cents: 1, refund_id: 're_1' };
    await service.refund(body, { key: on.apiKey });
    await expect(insertRefund(saleId, 're_1', 1)).rejects.toMatchObject({
      sqlState: UNIQUE,
      constraint: 'one_refund_per_key',
    });
  });

  it('and a refund is never zero', async () => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    await expect(insertRefund(saleId, 're_0', 0)).rejects.toMatchObject({ sqlState: CHECK });
  });
});

const anotherSale = (programId: string, partnerId: string) => `
  insert into sales (processor_event_id, program_id, customer_id, partner_id, amount_cents, currency, sale_type,
    is_recurring, commission_state, created_at)
  select processor_event_id || '_2', ${programId}, customer_id, ${partnerId}, 1, currency, sale_type, false, 'none', created_at
  from sales where id = $1`;

describe('money always belongs to something that exists', () => {
  it.each([
    ['a sale in a program that does not exist', anotherSale('999999999', 'partner_id')],
    ['a sale to a customer that does not exist', 'update sales set customer_id = 999999999 where id = $1'],
    ['a sale of a partner that does not exist', anotherSale('program_id', '999999999')],
    ['a commission on a sale that does not exist', 'update commissions set sale_id = 999999999 where sale_id = $1'],
    [
      'a commission of a partner that does not exist',
      'update commissions set partner_id = 999999999 where sale_id = $1',
    ],
    [
      'a sale of a partner of another program',
      anotherSale('program_id', '(select partner_id from memberships where program_id <> sales.program_id limit 1)'),
    ],
    [
      'a commission of a partner of another program',
      `update commissions c set partner_id = (select partner_id from memberships where program_id <> c.program_id limit 1)
       where sale_id = $1`,
    ],
    [
      'a payout of a partner of another program',
      `insert into payouts (program_id, partner_id, currency, amount_cents, created_at)
       select program_id, (select partner_id from memberships where program_id <> sales.program_id limit 1), currency, 1, created_at
       from sales where id = $1`,
    ],
    [
      'a payout in a program that does not exist',
      `insert into payouts (program_id, partner_id, currency, amount_cents, created_at)
       select 999999999, partner_id, currency, 1, created_at from sales where id = $1`,
    ],
    ['deleting a sale that has a commission', 'delete from sales where id = $1'],
    [
      'deleting a customer who has a sale',
      'delete from customers where id in (select customer_id from sales where id = $1)',
    ],
    [
      'deleting a partner who has a commission',
      'delete from partners where id in (select partner_id from sales where id = $1)',
    ],
  ])('%s is refused', async (_what, sql) => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    await expect(service.sql(sql, [saleId])).rejects.toMatchObject({ sqlState: FOREIGN_KEY });
  });

  it.each([
    ['an amount of 0', 'update sales set amount_cents = 0 where id = $1'],
    ['a real sale without a customer', 'update sales set customer_id = null where id = $1'],
    ['a test sale with a commission', 'update sales set is_test = true where id = $1'],
    ['an unknown commission state', `update sales set commission_state = 'lost' where id = $1`],
    ['an unknown stage', `update commissions set stage = 'gone' where sale_id = $1`],
    ['a negative commission', 'update commissions set commission_cents = -1 where sale_id = $1'],
  ])('%s is refused', async (_what, sql) => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    await expect(service.sql(sql, [saleId])).rejects.toMatchObject({ sqlState: CHECK });
  });
});

describe('a program has one active key in a place', () => {
  it('a second one is refused until the first is replaced, also for nodes that know no other place', async () => {
    const { program } = await service.program();
    const add = () =>
      service.sql(`insert into program_keys (program_id, key_hash, key_masked) values ($1, $2, 'masked')`, [
        program.id,
        newId('hash'),
      ]);
    await expect(add()).rejects.toMatchObject({ sqlState: UNIQUE, constraint: 'program_keys_in_force' });
    await service.sql('update program_keys set replaced_at = now() where program_id = $1', [program.id]);
    await add();
  });

  it('keys and links are unique across all programs', async () => {
    const [on, other] = [await service.program(), await service.program()];
    await expect(
      service.sql(
        'update program_keys set key_hash = (select key_hash from program_keys where program_id = $1) where program_id = $2',
        [on.program.id, other.program.id],
      ),
    ).rejects.toMatchObject({ sqlState: UNIQUE });
    await expect(
      service.sql('update links set short_link = $1 where short_link = $2', [on.link, other.link]),
    ).rejects.toMatchObject({ sqlState: UNIQUE });
  });
});

describe('a sale with a commission cannot move to other counts', () => {
  it.each(['partner_id', 'link_id', 'created_at'])('its %s cannot be changed', async (column) => {
    const { saleId } = await sold(service, await service.program());
    const other = column === 'created_at' ? `created_at - interval '1 day'` : 'null';
    await expect(service.sql(`update sales set ${column} = ${other} where id = $1`, [saleId])).rejects.toMatchObject({
      sqlState: CHECK,
      constraint: 'sales_with_a_commission_stay',
    });
  });
});
