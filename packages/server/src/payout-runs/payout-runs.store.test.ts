import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn, linesOf } from '@svc/testkit/service/payments/paid.ts';
import { draft, payee, runCall, sentRun } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

describe('POST /api/v1/manage/programs/:id/payout-runs', () => {
  it('answers 201 with a draft: who gets what, and what it was made with', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'paypal', { isNew: false });
    const sale = await approvedSale(service, jane);
    const { status, body } = await runCall(service, made, 'POST', '', {});
    const { id } = body.data;
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        id: expect.any(Number),
        number: 1,
        status: 'draft',
        cutoff_at: service.time.toISOString(),
        two_persons: false,
        totals: [{ currency: 'USD', amount_cents: 2_000, payouts: 1 }],
        scheduled: false,
        made_by: { user_id: made.owner.userId, name: 'Robin' },
        approved_by: null,
        created_at: service.time.toISOString(),
        approved_at: null,
        sent_at: null,
        settled_at: null,
        cancelled_at: null,
        payouts: [
          {
            id: expect.any(Number),
            partner_id: made.partnerId,
            partner_name: 'Jane',
            currency: 'USD',
            amount_cents: 2_000,
            method: { kind: 'paypal', masked: 'paypal****' },
            status: 'open',
            not_in_file: null,
            reference: null,
            failure_code: null,
            failure_reason: null,
          },
        ],
        left_out: [],
        files: [],
        request: { currency: null, partner_ids: null, excluded_partner_ids: [], exclusion_notes: {} },
        spellings: [],
      },
    });
    expect((await runCall(service, made, 'GET', `/${id}`)).body.data).toEqual(body.data);
    const [payout] = body.data.payouts;
    expect(await linesOf(service, payout.id)).toEqual({ [`${sale.commissionId}`]: 2_000 });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 0 });
    expect(await service.sql('select end_to_end_id from payouts where id = $1', [payout.id])).toEqual([
      { end_to_end_id: `P${payout.id}` },
    ]);
  });

  it('numbers the runs of a program 1, 2, 3', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made);
    const numbers: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      await approvedSale(service, jane);
      numbers.push((await draft(service, made)).number);
    }
    expect(numbers).toEqual([1, 2, 3]);
    const listed = await runCall(service, made, 'GET', '?limit=2');
    expect(listed.body.data.map(({ number }: { number: number }) => number)).toEqual([3, 2]);
    const rest = await runCall(service, made, 'GET', `?limit=2&cursor=${listed.body.meta.next_cursor}`);
    expect(rest.body.data).toMatchObject([{ number: 1, status: 'draft', left_out_count: 0 }]);
    expect((await runCall(service, made, 'GET', '?status=settled')).body.data).toEqual([]);
  });
});

describe('from draft to settled', () => {
  it('approve makes the files, mark-sent sends the payouts, settle pays them and settles the run', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'paypal');
    const sale = await approvedSale(service, jane);
    const run = await sentRun(service, made);
    expect(run).toMatchObject({
      status: 'sent',
      approved_by: { user_id: made.owner.userId },
      payouts: [{ status: 'sent' }],
      files: [
        { name: 'paypal.csv', currency: 'USD', part: 1, rows: 1, amount_cents: 2_000 },
        { name: 'payouts.csv', currency: null, part: 1, rows: 1, amount_cents: null },
      ],
    });
    expect((await asOwner(service, made, 'GET', '/earnings')).body.data).toMatchObject([{ in_payouts_cents: 2_000 }]);
    const [payout] = run.payouts;
    const settled = await runCall(service, made, 'POST', `/${run.id}/settle`, {
      payouts: [{ id: payout.id, status: 'paid', reference: 'PP-1' }],
    });
    expect(settled.body.data).toMatchObject({
      status: 'settled',
      settled_at: service.time.toISOString(),
      payouts: [{ status: 'paid', reference: 'PP-1' }],
    });
    expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: 0 });
  });

  it('partners hear of a payout once it is approved, and never of a draft that was cancelled', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'paypal');
    await approvedSale(service, jane);
    const seen = async () => {
      const key = jane.account.token;
      const listed = await service.call('GET', manage(made, '/payouts'), { key });
      return listed.body.data.map(({ id }: { id: number }) => id);
    };
    const shown = async (id: number) => {
      const one = await service.call('GET', manage(made, `/payouts/${id}`), { key: jane.account.token });
      return one.status;
    };
    const cancelled = await draft(service, made);
    const [first] = cancelled.payouts;
    expect([await seen(), await shown(first.id)]).toEqual([[], 404]);
    await runCall(service, made, 'POST', `/${cancelled.id}/cancel`);
    expect([await seen(), await shown(first.id)]).toEqual([[], 404]);
    const { id, payouts } = await draft(service, made);
    const [second] = payouts;
    await runCall(service, made, 'POST', `/${id}/approve`);
    expect([await seen(), await shown(second.id)]).toEqual([[second.id], 200]);
  });
});
