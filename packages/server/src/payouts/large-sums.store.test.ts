import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** The largest amount of one sale, all of it commission. */
const LARGEST = { amount_cents: Number.MAX_SAFE_INTEGER };
const ALL_OF_IT = { commissionRate: '100' };

/** The text of an answer: as JavaScript numbers, the sums would lose their last digits. */
async function textOf(made: OwnedProgram, rest: string): Promise<string> {
  const { status, text } = await service.call('GET', manage(made, rest), { key: made.owner.token });
  expect({ rest, status, text: status === 200 ? '' : text }).toEqual({ rest, status: 200, text: '' });
  return text;
}

describe('sums of more than 2^53', () => {
  it('are exact in balances, earnings and performance', async () => {
    const made = await ownedProgram(service, ALL_OF_IT);
    for (let count = 0; count < 3; count += 1) await approvedSale(service, made, LARGEST);
    await sold(service, made, LARGEST);
    await sold(service, made, LARGEST);
    // 3 and 2 times 9007199254740991.
    expect(await textOf(made, '/balances')).toContain(
      '"approved_cents":27021597764222973,"carried_cents":0,"pending_cents":18014398509481982,"payable_cents":27021597764222973',
    );
    expect(await textOf(made, '/earnings')).toContain(
      '"pending_cents":18014398509481982,"approved_cents":27021597764222973',
    );
    service.advance({ seconds: 1 });
    for (const query of ['', '?group_by=partner', '?group_by=link']) {
      const text = await textOf(made, `/performance${query}`);
      const sums = text.match(
        /"revenue_cents":45035996273704955,"refunded_cents":0,"commission_cents":45035996273704955/g,
      );
      expect(sums?.length).toBe(query === '' ? 2 : 3);
    }
  });

  it('are exact even beyond the largest integer of the database', async () => {
    const made = await ownedProgram(service, ALL_OF_IT);
    const { saleId } = await sold(service, made, LARGEST);
    // Inserted directly: too many sales to send each.
    await service.sql(
      `with more as (
         insert into sales (processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, currency,
           sale_type, is_recurring, commission_state, created_at)
         select processor_event_id || '-' || n, program_id, customer_id, partner_id, link_id, amount_cents, currency,
           sale_type, is_recurring, commission_state, created_at
         from sales, generate_series(1, 1100) n where id = $1 returning id)
       insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
         currency, approve_after, created_at)
       select more.id, m.program_id, m.partner_id, m.commission_type, m.commission_rate, m.commission_cents,
         m.currency, m.approve_after, m.created_at
       from more, commissions m where m.sale_id = $1`,
      [saleId],
    );
    service.advance({ seconds: 1 });
    // 1101 times 9007199254740991.
    expect(await textOf(made, '/balances')).toContain('"pending_cents":9916926379469831091');
    expect(await textOf(made, '/performance')).toContain('"commission_cents":9916926379469831091');
  });

  it('are split over several payouts, and do not block those of other partners', async () => {
    const made = await ownedProgram(service, ALL_OF_IT);
    for (let count = 0; count < 3; count += 1) await approvedSale(service, made, LARGEST);
    const other = { ...made, ...(await service.partner(made.program)) };
    await approvedSale(service, other, { amount_cents: 500 });
    const { status, body } = await asOwner(service, made, 'POST', '/payouts', {});
    expect(status).toBe(201);
    const paid = body.data.map(({ partner_id, amount_cents }: Record<string, number>) => [partner_id, amount_cents]);
    expect(paid).toEqual([
      [made.partnerId, Number.MAX_SAFE_INTEGER],
      [made.partnerId, Number.MAX_SAFE_INTEGER],
      [made.partnerId, Number.MAX_SAFE_INTEGER],
      [other.partnerId, 500],
    ]);
    expect(body.meta).toEqual({ more: false });
    expect(await textOf(made, '/earnings')).toContain('"in_payouts_cents":27021597764223473');
    expect(await textOf(made, '/balances')).toContain('"data":[]');
  });
});
