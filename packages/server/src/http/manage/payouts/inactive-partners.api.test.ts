import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { approveCommissions } from '../../../jobs/approve-commissions.ts';

const service = useService();

const setStatus = (made: OwnedProgram, partnerId: number, status: string) =>
  asOwner(service, made, 'PATCH', `/partners/${partnerId}`, { status });

describe('partners who are not active', () => {
  it.each(['blocked', 'removed'])('are not paid with the others, unless it is asked for: %s', async (status) => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    await approvedSale(service, made);
    const sale = await approvedSale(service, other);
    await setStatus(made, other.partnerId, status);

    const listed = await asOwner(service, made, 'GET', '/balances');
    const rows = listed.body.data.map((row: Record<string, unknown>) => [row.partner_id, row.partner_status]);
    expect(rows).toEqual([
      [made.partnerId, 'active'],
      [other.partnerId, status],
    ]);
    const preview = await asOwner(service, made, 'GET', '/balances?payable=true&totals=true');
    expect([preview.body.meta.count, preview.body.data.length]).toEqual([1, 1]);
    const others = await asOwner(service, made, 'GET', '/balances?payable=false');
    expect(others.body.data.map((row: { partner_id: number }) => row.partner_id)).toEqual([other.partnerId]);

    const seen = { count: 1, totals: [{ currency: 'USD', payable_cents: 2_000 }] };
    const paid = await asOwner(service, made, 'POST', '/payouts', seen);
    expect(paid.body.data).toMatchObject([{ partner_id: made.partnerId }]);
    expect((await asOwner(service, made, 'POST', '/payouts', { partner_id: other.partnerId })).body.data).toEqual([]);
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });

    const all = await asOwner(service, made, 'GET', '/balances?payable=true&include_inactive=true&totals=true');
    expect(all.body.meta.count).toBe(1);
    const asked = await asOwner(service, made, 'POST', '/payouts', { ...seen, include_inactive: true });
    expect(asked.body.data).toMatchObject([{ partner_id: other.partnerId, amount_cents: 2_000 }]);
  });
});

describe('the hold of a blocked partner’s commissions', () => {
  const heldOf = async (made: OwnedProgram) => {
    const { body } = await asOwner(service, made, 'GET', '/commissions');
    return body.data.map((row: Record<string, unknown>) => [row.status, row.hold_reason]);
  };
  const runJob = async () => {
    service.advance({ days: 31 });
    await approveCommissions.run(service.ctx);
  };

  it('does not end until the partner is restored', async () => {
    const made = await ownedProgram(service);
    await sold(service, made);
    await setStatus(made, made.partnerId, 'blocked');
    expect(await heldOf(made)).toEqual([['pending', 'partner_blocked']]);
    await runJob();
    expect(await heldOf(made)).toEqual([['pending', 'partner_blocked']]);
    await setStatus(made, made.partnerId, 'active');
    expect(await heldOf(made)).toEqual([['pending', null]]);
    await runJob();
    expect(await heldOf(made)).toEqual([['approved', null]]);
  });

  it('is held by the job too, where a commission was created after the partner was blocked', async () => {
    const made = await ownedProgram(service);
    await sold(service, made);
    await setStatus(made, made.partnerId, 'blocked');
    await service.sql('update commissions set hold_reason = null where program_id = $1', [made.program.id]);
    await runJob();
    expect(await heldOf(made)).toEqual([['pending', 'partner_blocked']]);
  });

  it('keeps another reason, and ends for partners who were removed or when a person approves it', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await sold(service, made);
    await service.sql(`update commissions set hold_reason = 'self_referral' where id = $1`, [commissionId]);
    await sold(service, made);
    await setStatus(made, made.partnerId, 'blocked');
    expect(await heldOf(made)).toEqual([
      ['pending', 'partner_blocked'],
      ['pending', 'self_referral'],
    ]);
    await asOwner(service, made, 'POST', `/commissions/${commissionId}/approve`);
    await setStatus(made, made.partnerId, 'removed');
    await runJob();
    expect(await heldOf(made)).toEqual([
      ['approved', null],
      ['approved', null],
    ]);
  });
});
