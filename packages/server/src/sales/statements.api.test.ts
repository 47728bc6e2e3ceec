import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import type { Db, Queryable, Transaction } from '../db/db.ts';
import { updateProgram } from '../programs/program-store.ts';
import { recordSales } from './record-sales.ts';
import type { NewSale } from './sale.ts';

const service = useService();

const saleOf = (fields: Partial<NewSale>): NewSale => ({
  transactionId: newId('order'),
  customerKey: 'user-1',
  clickId: undefined,
  amountCents: 10_000,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  isTest: false,
  source: 'api',
  requestId: null,
  ...fields,
});

/** Records sales in a group, and says what was read before its transaction and how many statements the transaction had. */
async function recordCounted(
  sales: NewSale | NewSale[],
  program: Parameters<typeof recordSales>[1][number]['program'],
) {
  const { db } = service.ctx;
  const before: string[] = [];
  let written = 0;
  const counted: Db = {
    kind: db.kind,
    untimed: db.untimed,
    trouble: db.trouble,
    listen: db.listen.bind(db),
    isHearing: db.isHearing,
    onOneNode: db.onOneNode,
    close: db.close.bind(db),
    query(sql, params) {
      before.push(sql.includes('terms_versions') ? 'terms' : 'customers');
      return db.query(sql, params);
    },
    transaction: (work) =>
      db.transaction((tx) => {
        const query: Queryable['query'] = (sql, params) => {
          written += 1;
          return tx.query(sql, params);
        };
        const send: Transaction['send'] = (sql, params) => {
          written += 1;
          tx.send(sql, params);
        };
        return work({ ...tx, query, send });
      }),
  };
  const attempts = [sales].flat().map((sale) => ({ program, sale }));
  const outcomes = await recordSales({ ...service.ctx, db: counted }, attempts);
  return { before, written, outcomes, outcome: outcomes[0] };
}

describe('recording a sale', () => {
  it('reads no terms if it is made now: they come with the program', async () => {
    const made = await service.program();
    await service.customer(made, 'user-1');
    const { before, written } = await recordCounted(saleOf({}), made.program);
    expect(before).toEqual(['customers']);
    // Transaction ids, sales, commissions, decisions, conversions and events.
    expect(written).toBe(6);
  });

  it('reads the terms in force together with the customer if it has a time of payment', async () => {
    const made = await service.program();
    await service.customer(made, 'user-1');
    const { before, written } = await recordCounted(saleOf({ paidAt: service.time }), made.program);
    expect(before).toEqual(['customers', 'terms']);
    expect(written).toBe(6);
  });

  it('takes as many statements for thirty of different customers as for one', async () => {
    const made = await service.program();
    const keys = Array.from({ length: 30 }, (_, index) => `user-${index}`);
    for (const key of keys) await service.customer(made, key);
    const one = await recordCounted(saleOf({ customerKey: 'user-0' }), made.program);
    const thirty = await recordCounted(
      keys.map((customerKey) => saleOf({ customerKey })),
      made.program,
    );
    expect({ before: thirty.before, written: thirty.written }).toEqual({ before: one.before, written: one.written });
    expect(thirty.outcomes).toEqual(keys.map(() => expect.objectContaining({ is: 'recorded' })));
    expect(await service.counts(made.program.id)).toMatchObject({ sales: 31, commissions: 31 });
  });

  it('does not depend on the age of the cached program if it has a time of payment', async () => {
    const made = await service.program();
    await service.customer(made, 'user-1');
    await updateProgram(
      service.ctx.db,
      made.program.id,
      { commissionRate: '25' },
      { since: service.time, madeBy: 'user' },
    );
    const { outcome } = await recordCounted(saleOf({ paidAt: service.time }), made.program);
    expect(outcome).toMatchObject({ is: 'recorded', earned: { cents: 2_500 } });
  });
});
