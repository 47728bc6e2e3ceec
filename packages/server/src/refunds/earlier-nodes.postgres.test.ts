import { MIGRATIONS, openStoreBefore } from '@svc/testkit/service/stores/earlier-store.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../db/db.ts';
import { migrate } from '../db/migrate.ts';

describe('refunds that an earlier upgrade left wrong', () => {
  let db: Db;
  beforeAll(async () => {
    ({ db } = await openStoreBefore('0016'));
  });
  afterAll(() => db.close());

  type Refund = [amount: number, deduction: number, reported: number, source?: 'processor'];

  /** A sale of 10,000 with a commission of 2,000 and these refunds. */
  async function insertSale(refunds: Refund[], stage = 'pending'): Promise<number> {
    const total = refunds.reduce((sum, [amount]) => sum + amount, 0);
    const deducted = refunds.reduce((sum, [, deduction]) => sum + deduction, 0);
    const [sale] = await db.query<{ id: number }>(
      `insert into sales (processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, refunded_cents,
         currency, sale_type, is_recurring, commission_state, created_at)
       select gen_random_uuid()::text, p.id, c.id, r.id, 1, 10000, $1, 'USD', 'payment', false, 'created', now()
       from programs p, customers c, partners r returning id`,
      [total],
    );
    const id = sale?.id as number;
    await db.query(
      `insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
         deducted_cents, reversal, currency, stage, approve_after, created_at)
       select id, program_id, partner_id, 'percent', 20, 2000, $2, 'partial', 'USD', $3, now(), now() from sales where id = $1`,
      [id, deducted, stage],
    );
    for (const [amount, deduction, reported, source = 'api'] of refunds) {
      await db.query(
        `insert into refunds (sale_id, program_id, amount_cents, deduction_cents, reported_cents, source, status, created_at)
         select id, program_id, $2::bigint, $3, $4, $5, case when $2 < 0 then 'restored' else 'partially_reversed' end, now()
         from sales where id = $1`,
        [id, amount, deduction, reported, source],
      );
    }
    return id;
  }

  const after = async (id: number) => {
    const [sums] = await db.query<{ refunded: number; deducted: number; reversal: string }>(
      `select refunded_cents as refunded, deducted_cents as deducted, reversal from sales s
       join commissions m on m.sale_id = s.id where s.id = $1`,
      [id],
    );
    const refunds = await db.query<{ amount: number; deduction: number; reported: number }>(
      `select amount_cents as amount, deduction_cents as deduction, reported_cents as reported from refunds
       where sale_id = $1 order by id`,
      [id],
    );
    return { ...sums, refunds: refunds.map(({ amount, deduction, reported }) => [amount, deduction, reported]) };
  };

  it('are repaired by the migration, each as if it had known the ones before it', async () => {
    await db.query(`
      insert into advertisers (name) values ('Acme');
      insert into programs (advertiser_id, name, slug, domain, commission_type, commission_rate, commission_base)
        select id, 'Acme', 'acme', 'acme.test', 'percent', 20, 'gross' from advertisers;
      insert into partners (advertiser_id, name, email) select id, 'Jane', 'jane@acme.test' from advertisers;
      insert into customers (program_id, clicked_at, created_at) select id, now(), now() from programs`);
    const only = await insertSale([[2_000, 400, 0]]);
    const tooLittle = await insertSale([
      [5_000, 1_000, 0],
      [0, 0, 1_000],
      [0, 0, 333],
    ]);
    const thenAll = await insertSale([
      [2_000, 400, 0],
      [0, 0, 1_500],
      [8_000, 1_600, 8_500],
    ]);
    const tooMuch = await insertSale([
      [8_000, 1_600, 0],
      [0, 0, 5_000],
    ]);
    const twiceAll = await insertSale([
      [10_000, 2_000, 0],
      [0, 0, 10_000],
    ]);
    const followed = await insertSale([
      [2_000, 400, 0],
      [0, 0, 1_500],
      [1_500, 300, 0, 'processor'],
    ]);
    const restored = await insertSale([
      [2_000, 400, 0],
      [-2_000, -400, 0, 'processor'],
    ]);
    const rejected = await insertSale(
      [
        [2_000, 0, 0],
        [0, 0, 1_500],
      ],
      'rejected',
    );
    const right = await insertSale([
      [2_000, 400, 2_000],
      [1_500, 300, 1_500],
    ]);
    expect(await migrate(db)).toEqual(MIGRATIONS.filter((name) => name >= '0016'));

    const partial = { reversal: 'partial' };
    expect(await after(only)).toEqual({ refunded: 2_000, deducted: 400, ...partial, refunds: [[2_000, 400, 2_000]] });
    expect(await after(tooLittle)).toEqual({
      refunded: 6_333,
      deducted: 1_267,
      ...partial,
      refunds: [
        [5_000, 1_000, 5_000],
        [1_000, 200, 1_000],
        [333, 67, 333],
      ],
    });
    expect(await after(thenAll)).toMatchObject({ refunded: 10_000, deducted: 2_000 });
    expect((await after(thenAll)).refunds.map(([, , reported]) => reported)).toEqual([2_000, 1_500, 6_500]);
    expect(await after(tooMuch)).toEqual({
      refunded: 10_000,
      deducted: 2_000,
      reversal: 'full',
      refunds: [
        [8_000, 1_600, 8_000],
        [2_000, 400, 2_000],
      ],
    });
    expect(await after(twiceAll)).toMatchObject({
      refunded: 10_000,
      deducted: 2_000,
      refunds: [[10_000, 2_000, 10_000]],
    });
    expect(await after(followed)).toMatchObject({ refunded: 3_500, deducted: 700 });
    expect(await after(restored)).toMatchObject({ refunded: 2_000, deducted: 400 });
    expect(await after(rejected)).toMatchObject({ refunded: 3_500, deducted: 0 });
    expect(await after(right)).toMatchObject({ refunded: 3_500, deducted: 700 });

    const corrected = await db.query(
      `select sale_id, (facts ->> 'refunded_cents')::int as cents, (facts ->> 'deduction_cents')::int as deduction
       from decisions where reason = 'refund_corrected' order by id`,
      [],
    );
    expect(corrected).toEqual([
      { sale_id: tooLittle, cents: 1_000, deduction: 200 },
      { sale_id: tooLittle, cents: 333, deduction: 67 },
      { sale_id: tooMuch, cents: 2_000, deduction: 400 },
      { sale_id: restored, cents: 2_000, deduction: 400 },
      { sale_id: rejected, cents: 1_500, deduction: 0 },
    ]);
  });
});
