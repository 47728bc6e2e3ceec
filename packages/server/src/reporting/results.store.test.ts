import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { HOUR_MS } from '../time.ts';
import type { PerformanceRow } from './performance.ts';
import { findPerformance } from './performance-store.ts';

const service = useService();

const WHOLE = { partnerId: null, linkId: null };
const rollUp = () => rollUpCounts.run(service.ctx);

/** The results of a period that ends now, from the report. */
async function lastHours({ program }: OwnedProgram, hours: number) {
  const period = { from: new Date(service.time.getTime() - hours * HOUR_MS), to: service.time };
  const rows = await findPerformance(service.ctx.db, program.id, period, WHOLE, 'total');
  const sum = (of: keyof PerformanceRow) => rows.reduce((total, row) => total + Number(row[of]), 0);
  return [
    sum('leads'),
    sum('firstSales'),
    sum('sales'),
    sum('revenueCents'),
    sum('refundedCents'),
    sum('commissionCents'),
  ];
}

/** The same results, counted from the rows. */
async function lastHoursOfRows({ program }: OwnedProgram, hours: number) {
  const [row] = await service.sql<Record<string, number>>(
    `select coalesce(sum(leads), 0)::int as a, coalesce(sum(first_sales), 0)::int as b, coalesce(sum(sales), 0)::int as c,
       coalesce(sum(revenue_cents), 0)::int as d, coalesce(sum(refunded_cents), 0)::int as e,
       coalesce(sum(commission_cents), 0)::int as f
     from results where program_id = $1 and at >= $2 and at < $3`,
    [program.id, new Date(service.time.getTime() - hours * HOUR_MS), service.time],
  );
  return Object.values(row ?? {});
}

const post = (made: OwnedProgram, rest: string) =>
  service.call('POST', manage(made, rest), { key: made.owner.token, body: {} });

describe('results by day', () => {
  it.each([
    ['rolled up', rollUp],
    ['not rolled up yet', async () => {}],
  ])('include a refund of an old sale that is %s', async (_state, rollUpFirst) => {
    const made = await ownedProgram(service);
    const { transactionId } = await sold(service, made);
    await rollUpFirst();
    service.advance({ days: 100 });
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 0, 2_000]);
    await service.refund({ transaction_id: transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 2_500, 1_500]);
    await rollUp();
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 2_500, 1_500]);
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 10_000, 0]);
  });

  it('do not count rejected commissions, whatever their day', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await sold(service, made);
    service.advance({ days: 3 });
    await rollUp();
    expect((await post(made, `/commissions/${commissionId}/reject`)).status).toBe(200);
    expect(await lastHours(made, 96)).toEqual([1, 1, 1, 10_000, 0, 0]);
    await rollUp();
    expect(await lastHours(made, 96)).toEqual([1, 1, 1, 10_000, 0, 0]);
  });

  it('disappear when the rows are deleted', async () => {
    const made = await ownedProgram(service);
    const { saleId } = await sold(service, made);
    await rollUp();
    await service.sql('delete from commissions where sale_id = $1', [saleId]);
    await service.sql('delete from sales where id = $1', [saleId]);
    await service.sql('delete from customers where program_id = $1', [made.program.id]);
    service.advance({ days: 2 });
    expect(await lastHours(made, 72)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('do not include test events', async () => {
    const made = await ownedProgram(service);
    const test = { test_mode: true, program_id: made.program.id };
    await service.sale(
      { transaction_id: newId('order'), amount_cents: 100, customer_key: 'a', additional_data: test },
      { key: made.apiKey },
    );
    service.advance({ days: 2 });
    expect(await lastHours(made, 72)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('match the rows after any events and rollups, for any period', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('buy' as const), cents: fc.integer({ min: 1, max: 9_999 }) }),
      fc.record({ do: fc.constant('refund' as const), which: fc.nat(9), cents: fc.integer({ min: 1, max: 5_000 }) }),
      fc.record({ do: fc.constantFrom('approve' as const, 'reject' as const), which: fc.nat(9) }),
      fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ do: fc.constant('roll up' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 14 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 3, maxLength: 3 }),
        async (steps, periods) => {
          const made = await ownedProgram(service);
          const sales: { transactionId: string; commissionId: number | null }[] = [];
          for (const one of steps) {
            const sale = 'which' in one ? sales[one.which % Math.max(1, sales.length)] : undefined;
            if (one.do === 'buy') sales.push(await sold(service, made, { amount_cents: one.cents }));
            else if (one.do === 'wait') service.advance({ seconds: one.hours * 3600 });
            else if (one.do === 'roll up') await rollUp();
            else if (sale && one.do === 'refund') {
              const refund = {
                transaction_id: sale.transactionId,
                refund_amount_cents: one.cents,
                refund_id: newId('refund'),
              };
              await service.refund(refund, { key: made.apiKey });
            } else if (sale) await post(made, `/commissions/${sale.commissionId}/${one.do}`);
          }
          service.advance({ seconds: 1 });
          for (const hours of periods) expect(await lastHours(made, hours)).toEqual(await lastHoursOfRows(made, hours));
          await expectResultsToAgree(service.ctx.db);
        },
      ),
      { numRuns: 25 },
    );
  });
});
