import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { importedRow, sendRows } from '@svc/testkit/service/imports.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { countCoupons, listCouponsByKey } from '../coupons/imported-coupon-store.ts';
import { listSoughtCustomers } from '../customers/imported-customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { listPartnersByExternalId } from './import-store.ts';

const service = useService();

const many = (count: number) =>
  Array.from({ length: count }, () =>
    importedRow({
      coupons: [newId('SAVE')],
      customers: [{ external_id: newId('user'), processor_customer_id: newId('cus'), email: `${newId('a')}@b.test` }],
    }),
  );

/** The most rows that a part of the plan of any of the statements has read. */
async function mostRowsRead(work: (db: Queryable) => Promise<unknown>): Promise<number> {
  const read: number[] = [];
  const query = async (sql: string, params?: unknown[]) => {
    const lines = await service.ctx.db.query<Record<string, string>>(`explain analyze ${sql}`, params);
    const plan = lines.flatMap((line) => Object.values(line)).join('\n');
    for (const [, rows] of plan.matchAll(/actual time=\S+ rows=(\d+)/g)) read.push(Number(rows));
    for (const [, rows] of plan.matchAll(/Rows Removed by Filter: (\d+)/g)) read.push(Number(rows));
    return [];
  };
  await work({ query } as unknown as Queryable);
  return Math.max(...read);
}

it('what an import looks up it finds through indexes, however many the program has already', async () => {
  const made = await ownedProgram(service);
  const programId = made.program.id;
  for (let request = 0; request < 2; request += 1) await sendRows(service, made, many(500));
  const names = Array.from({ length: 20 }, () => newId('new'));
  const sought = names.map((key) => ({ key, references: [key], emailHash: key }));
  const reads = {
    customers: await mostRowsRead((db) => listSoughtCustomers(db, programId, sought)),
    partners: await mostRowsRead((db) => listPartnersByExternalId(db, { programId, source: 'rewardful' }, names)),
    coupons: await mostRowsRead((db) => listCouponsByKey(db, programId, names)),
    couponCounts: await mostRowsRead((db) => countCoupons(db, programId, [1, 2, 3])),
  };
  for (const [what, rows] of Object.entries(reads)) expect([what, rows <= 40]).toEqual([what, true]);
});
