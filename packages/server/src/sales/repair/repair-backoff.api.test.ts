import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { soldOwing, storedSale } from '@svc/testkit/service/sold.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { repairCommissions } from '../../jobs/repair-commissions.ts';
import { MAX_REPAIR_ATTEMPTS } from './repair-schedule.ts';

const service = useService();

// A commission still owed after one test would be repaired in the next.
afterEach(() => service.sql(`update sales set commission_state = 'none' where commission_state = 'owed'`));

/** Sales of a program whose commissions cannot be created until the returned function is called. */
async function stuckSales(count: number) {
  const on = await service.program();
  const sales = [];
  for (let index = 0; index < count; index += 1) sales.push(await soldOwing(service, on));
  return { on, sales, release: await refuseCommissionsOf(on) };
}

async function refuseCommissionsOf({ program }: TestProgram) {
  await service.sql(`alter table commissions add constraint stuck check (program_id <> ${program.id}) not valid`);
  return () => service.sql('alter table commissions drop constraint stuck');
}

/** Runs the job and returns the lines that it logged. */
async function linesOfRun(): Promise<Record<string, unknown>[]> {
  const before = service.logLines.length;
  await repairCommissions.run(service.ctx);
  return service.logLines.slice(before).map((line) => JSON.parse(line));
}

const attemptsOf = async (saleId: number) =>
  (await service.sql<{ attempts: number }>('select repair_attempts as attempts from sales where id = $1', [saleId]))[0]
    ?.attempts;

describe('an owed commission that cannot be created', () => {
  it('does not hold up the others, and one log line reports all failures', async () => {
    const { sales, release } = await stuckSales(3);
    const fine = await soldOwing(service, await service.program());
    const lines = await linesOfRun().finally(release);
    expect(lines).toMatchObject([{ level: 50, job: 'repair-commissions', created: 1, failed: 3, gaveUp: 0 }]);
    expect((await storedSale(service, fine.saleId)).commission).toMatchObject({ commission_cents: 2_000 });
    for (const { saleId } of sales) {
      expect(await storedSale(service, saleId)).toMatchObject({
        sale: { commission_state: 'owed' },
        commission: undefined,
      });
    }
  });

  it('is retried with exponential backoff, and created once that is possible', async () => {
    const { sales, release } = await stuckSales(1);
    const { saleId } = sales[0]!;
    const attempts = [];
    for (let minute = 0; minute <= 8; minute += 1) {
      await repairCommissions.run(service.ctx);
      attempts.push(await attemptsOf(saleId));
      service.advance({ seconds: 60 });
    }
    await release();
    // After the first minute, after two more, and after four more.
    expect(attempts).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4]);
    expect(await repairCommissions.run(service.ctx)).toBeNull();
    service.advance({ seconds: 8 * 60 });
    expect(await repairCommissions.run(service.ctx)).toBe('created 1 owed commissions');
  });

  it('is given up after a bounded number of attempts, is listed as such, and can be repaired by hand', async () => {
    const { sales, release } = await stuckSales(1);
    const { saleId } = sales[0]!;
    const lines = [];
    for (let run = 0; run < MAX_REPAIR_ATTEMPTS + 3; run += 1) {
      lines.push(...(await linesOfRun()));
      service.advance({ days: 1 });
    }
    await release();
    expect(lines.map(({ gaveUp }) => gaveUp)).toEqual([...Array(MAX_REPAIR_ATTEMPTS - 1).fill(0), 1]);

    service.advance({ days: 1_000 });
    expect(await repairCommissions.run(service.ctx)).toBeNull();
    expect(await storedSale(service, saleId)).toMatchObject({ sale: { commission_state: 'owed' } });
    expect(await runOperator(service, 'list-owed')).toMatchObject({
      data: [{ id: saleId, attempts: MAX_REPAIR_ATTEMPTS, gaveUp: true }],
      text: expect.stringMatching(/gave up after 15 failed attempts; fix the cause, then run repair-owed/),
    });
    expect((await runOperator(service, 'repair-owed')).data).toEqual([{ sale_id: saleId, result: 'repaired' }]);
    expect((await storedSale(service, saleId)).commission).toMatchObject({ commission_cents: 2_000 });
  });

  it('is listed with its attempts while it is retried', async () => {
    const { release } = await stuckSales(1);
    await repairCommissions.run(service.ctx).finally(release);
    const { data, text } = await runOperator(service, 'list-owed');
    expect(data).toMatchObject([{ attempts: 1, gaveUp: false }]);
    expect(text).toMatch(/10000 USD {2}1 failed attempt$/);
  });
});
