import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon } from '../coupons/add-coupon.ts';
import type { Program } from '../programs/program.ts';
import { recordSales } from './record-sales.ts';
import type { NewSale, SaleAttempt } from './sale.ts';

const service = useService();

const SALE_FAILED = platformError(500, 'InternalServerError', 'Sale tracking failed');

async function programWithCoupon(settings: Partial<Program> = {}) {
  const made = await service.program(settings);
  const ben = await service.partner(made.program);
  await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben.partnerId }, OPERATOR);
  return { ...made, ben: ben.partnerId };
}

const saleWithCoupon = (program: Program): SaleAttempt => {
  const sale: NewSale = {
    transactionId: newId('order'),
    customerKey: 'user-1',
    clickId: undefined,
    couponCode: 'BEN20',
    amountCents: 10_000,
    currency: 'USD',
    saleType: 'payment',
    isRecurring: false,
    isTest: false,
    source: 'api',
    requestId: null,
  };
  return { program, sale };
};

/** Records a sale. After it was judged and before it is written, `meanwhile` happens once. */
async function recordWhile(attempt: SaleAttempt, meanwhile: () => Promise<unknown>) {
  const { db } = service.ctx;
  let transactions = 0;
  const transaction: typeof db.transaction = async (work) => {
    transactions += 1;
    if (transactions === 1) await meanwhile();
    return db.transaction(work);
  };
  const [outcome] = await recordSales({ ...service.ctx, db: { ...db, transaction } }, [attempt]);
  return { outcome, transactions };
}

const decisionsOn = (program: Program) =>
  service.sql(
    `select d.reason, d.partner_id as partner, d.facts -> 'coupon_loser_id' as loser, t.sale_id = d.sale_id as is_claimed
     from decisions d join transactions t on t.processor_event_id = d.transaction_id
     where d.program_id = $1 and d.kind = 'sale' order by d.id`,
    [program.id],
  );

describe('a sale whose coupon takes a customer is judged again', () => {
  it('if the customer was given to another partner meanwhile', async () => {
    const { program, ben, ...made } = await programWithCoupon({ couponsWin: true });
    await service.customer({ program, ...made }, 'user-1');
    const rival = await service.partner(program);
    const { outcome, transactions } = await recordWhile(saleWithCoupon(program), () =>
      service.sql('update customers set partner_id = $2 where program_id = $1', [program.id, rival.partnerId]),
    );
    expect(outcome).toMatchObject({ is: 'recorded', attributed: true });
    expect(transactions).toBe(2);
    expect(await decisionsOn(program)).toEqual([
      { reason: 'sale_attributed', partner: ben, loser: rival.partnerId, is_claimed: true },
    ]);
    expect(await service.counts(program.id)).toMatchObject({ sales: 1, commissions: 1 });
  });

  it('if a new customer was added meanwhile, who is added once', async () => {
    const { program, ben } = await programWithCoupon();
    const { outcome, transactions } = await recordWhile(saleWithCoupon(program), () =>
      recordSales(service.ctx, [saleWithCoupon(program)]),
    );
    expect(outcome).toMatchObject({ is: 'recorded', attributed: true });
    expect(transactions).toBe(2);
    const credited = { reason: 'sale_attributed', partner: ben, loser: null, is_claimed: true };
    expect(await decisionsOn(program)).toEqual([credited, credited]);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, sales: 2, commissions: 2 });
  });
});

describe('a sale whose transaction loses a deadlock', () => {
  /** Refuses sales of the program as the loser of a deadlock, so many times. */
  async function whileLosing<Result>({ program }: TestProgram, times: number, work: () => Promise<Result>) {
    await service.ctx.db.query(`
      create sequence lost_deadlocks;
      create function lose_deadlock() returns trigger language plpgsql as $$ begin
        if nextval('lost_deadlocks') <= ${times} then raise exception 'lost' using errcode = '40P01'; end if;
        return new;
      end $$;
      create trigger lose before insert on sales for each row when (new.program_id = ${program.id})
        execute function lose_deadlock()`);
    try {
      return await work();
    } finally {
      await service.ctx.db.query('drop function lose_deadlock cascade; drop sequence lost_deadlocks');
    }
  }

  const buy = ({ apiKey }: TestProgram) =>
    service.sale({ transaction_id: newId('order'), amount_cents: 1_000, customer_key: 'user-1' }, { key: apiKey });

  it('is recorded by a later attempt, with its commission and one decision', async () => {
    const made = await service.program();
    await service.customer(made, 'user-1');
    const { status } = await whileLosing(made, 4, () => buy(made));
    expect(status).toBe(200);
    expect(await service.counts(made.program.id)).toMatchObject({ sales: 1, commissions: 1 });
    expect(await decisionsOn(made.program)).toMatchObject([{ reason: 'sale_attributed', is_claimed: true }]);
  });

  it('fails if it loses every time, and no other sale fails with it', async () => {
    const [losing, working] = [await service.program(), await service.program()];
    for (const made of [losing, working]) await service.customer(made, 'user-1');
    const answers = await whileLosing(losing, 1_000, () => Promise.all([working, losing, working].map(buy)));
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
    expect(answers[1]?.body).toEqual(SALE_FAILED);
    expect(await service.counts(losing.program.id)).toMatchObject({ sales: 0, commissions: 0 });
    expect(await service.counts(working.program.id)).toMatchObject({ sales: 2, commissions: 2 });
  });
});

describe('sales of one new customer in a group', () => {
  const refusing = async <Result>(table: string, condition: string, work: () => Promise<Result>): Promise<Result> => {
    await service.sql(`alter table ${table} add constraint refused check (not (${condition})) not valid`);
    return work().finally(() => service.sql(`alter table ${table} drop constraint refused`));
  };

  it('are answered each for itself if a later one cannot be recorded', async () => {
    const { program, apiKey, ben } = await programWithCoupon();
    const orders = [newId('order'), newId('refused'), newId('order')];
    const buy = (transactionId: string) =>
      service.sale(
        { transaction_id: transactionId, amount_cents: 1_000, customer_key: 'user-1', coupon_code: 'BEN20' },
        { key: apiKey },
      );
    const answers = await refusing('sales', `processor_event_id = '${orders[1]}'`, () => Promise.all(orders.map(buy)));
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
    expect(answers[1]?.body).toEqual(SALE_FAILED);
    const credited = { reason: 'sale_attributed', partner: ben, loser: null, is_claimed: true };
    expect(await decisionsOn(program)).toEqual([credited, credited]);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, sales: 2, commissions: 2 });
  });

  it('owe no commission because the one of the first cannot be created', async () => {
    const { program } = await programWithCoupon({ commissionType: 'percent', commissionRate: '20' });
    const [first, second] = [saleWithCoupon(program), saleWithCoupon(program)];
    first.sale.amountCents = 12_300;
    const { db } = service.ctx;
    /** As soon as the first attempt has failed, another node adds the customer. */
    let transactions = 0;
    const transaction: typeof db.transaction = (work) => {
      transactions += 1;
      if (transactions > 1) return db.transaction(work);
      return db.transaction(work).catch(async (error) => {
        await recordSales(service.ctx, [saleWithCoupon(program)]);
        throw error;
      });
    };
    const outcomes = await refusing('commissions', `program_id = ${program.id} and commission_cents = 2460`, () =>
      recordSales({ ...service.ctx, db: { ...db, transaction } }, [first, second]),
    );
    expect(outcomes).toMatchObject([
      { is: 'refused', reason: 'commission_failed' },
      { is: 'recorded', earned: { cents: 2_000 } },
    ]);
  });
});
