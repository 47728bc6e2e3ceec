import { readFile } from 'node:fs/promises';
import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from './audit/audit-store.ts';
import { addCoupon } from './coupons/add-coupon.ts';

const service = useService();

/** The cells of the table in docs/attribution.md that has this heading, row by row. */
async function tableOf(heading: string): Promise<string[][]> {
  const text = await readFile(new URL('../../../docs/attribution.md', import.meta.url), 'utf8');
  const [, after = ''] = text.split(new RegExp(`^\\| ${heading} .*\\n\\|[ -|]+\\n`, 'm'));
  const [table = ''] = after.split('\n\n');
  return table.split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const centsOf = (text: string) => Math.round(Number(/[−\d.]+/.exec(text)?.[0].replace('−', '-')) * 100);

it('the examples of coupons are what happens', async () => {
  const rows = await tableOf('The customer');
  expect(rows.length).toBeGreaterThan(3);
  for (const [customer = '', couponsWin, credited = ''] of rows) {
    const made = await service.program({ couponsWin: couponsWin === '`true`' });
    const ben = await service.partner(made.program);
    await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben.partnerId }, OPERATOR);
    const days = /(\d+) days ago/.exec(customer)?.[1];
    const click_id = days && (await service.clickId(made.link));
    if (days) service.advance({ days: Number(days) });
    const sale = { transaction_id: newId('order'), amount_cents: 10_000, coupon_code: 'ben20' };
    await service.sale({ ...sale, ...(click_id ? { click_id } : { customer_key: 'user-1' }) }, { key: made.apiKey });
    const paid = await service.sql(
      'select partner_id, commission_cents as cents from commissions where program_id = $1',
      [made.program.id],
    );
    const partner_id = credited.startsWith('Ben') ? ben.partnerId : made.partnerId;
    expect([customer, couponsWin, paid]).toEqual([customer, couponsWin, [{ partner_id, cents: centsOf(credited) }]]);
  }
});

it('the examples of bonuses and adjustments are what happens', async () => {
  const made = await ownedProgram(service);
  const rows = await tableOf('Step');
  expect(rows.length).toBeGreaterThan(3);
  for (const [step = '', payable = ''] of rows) {
    const cents = centsOf(step);
    if (step.includes('sale')) {
      for (let sold = step.startsWith('two') ? 0 : 1; sold < 2; sold += 1) {
        await approvedSale(service, made, { amount_cents: cents });
      }
    } else {
      const body = { partner_id: made.partnerId, amount_cents: cents, currency: 'USD', reason: step };
      expect((await asOwner(service, made, 'POST', '/adjustments', body)).status).toBe(201);
    }
    const [earned] = (await asOwner(service, made, 'GET', '/earnings')).body.data;
    expect([step, earned.payable_cents]).toEqual([step, centsOf(payable)]);
  }
});
