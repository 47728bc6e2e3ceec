import { newToken, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn } from '@svc/testkit/service/payments/paid.ts';
import {
  approveAs,
  colleague,
  draft,
  payee,
  removeMethod,
  runCall,
  sentRun,
  setMethod,
} from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const approve = (made: OwnedProgram, id: number) => runCall(service, made, 'POST', `/${id}/approve`);
const statusOf = async (made: OwnedProgram, id: number) =>
  (await runCall(service, made, 'GET', `/${id}`)).body.data.status;

async function draftForJane() {
  const made = await ownedProgram(service);
  const jane = await payee(service, made);
  const sale = await approvedSale(service, jane);
  return { made, jane, sale, run: await draft(service, made) };
}

describe('a run that has changed since it was made', () => {
  it('409 with the difference after a refund, and stays a draft; made again, it is approved', async () => {
    const { made, jane, sale, run } = await draftForJane();
    await service.refund({ transaction_id: sale.transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    const { status, body } = await approve(made, run.id);
    expect([status, body.error.message, body.error.details]).toEqual([
      409,
      'Balances or payout methods have changed since payout run 1 was made. It was not approved. Cancel it and make another.',
      {
        differences: [
          {
            partner_id: jane.partnerId,
            partner_name: 'Jane',
            currency: 'USD',
            amount_cents: 2_000,
            now_cents: 1_500,
            reason: 'balance_changed',
          },
        ],
      },
    ]);
    expect(await statusOf(made, run.id)).toBe('draft');
    expect(await service.sql('select 1 from payout_files where run_id = $1', [run.id])).toEqual([]);
    expect((await runCall(service, made, 'POST', `/${run.id}/cancel`)).body.data.status).toBe('cancelled');
    const again = await draft(service, made);
    expect(again.payouts).toMatchObject([{ amount_cents: 1_500 }]);
    expect((await approve(made, again.id)).status).toBe(200);
  });

  it('what was earned meanwhile is no difference', async () => {
    const { made, jane, run } = await draftForJane();
    await approvedSale(service, jane);
    expect((await approve(made, run.id)).status).toBe(200);
  });

  it.each([
    ['method_changed', (userId: string) => setMethod(service, userId, 'wise')],
    ['method_removed', (userId: string) => removeMethod(service, userId)],
    [
      'method_held',
      (userId: string) =>
        service.sql(`update payout_methods set usable_from = $2 where user_id = $1 and replaced_at is null`, [
          userId,
          new Date(service.time.getTime() + 1),
        ]),
    ],
  ])('409 with %s', async (reason, change) => {
    const { made, jane, run } = await draftForJane();
    await change(jane.account.userId);
    const { status, body } = await approve(made, run.id);
    expect(status).toBe(409);
    expect(body.error.details.differences).toMatchObject([{ amount_cents: 2_000, now_cents: 2_000, reason }]);
    expect(await statusOf(made, run.id)).toBe('draft');
  });

  it('409 when the partner is blocked', async () => {
    const { made, jane, run } = await draftForJane();
    await asOwner(service, made, 'PATCH', `/partners/${jane.partnerId}`, { status: 'blocked' });
    const { body } = await approve(made, run.id);
    expect(body.error.details.differences).toMatchObject([{ reason: 'partner_not_active' }]);
  });
});

describe('two persons', () => {
  const need = (made: OwnedProgram, two_persons: boolean) =>
    asOwner(service, made, 'PUT', '/payout-settings', { two_persons });

  it('403 for the person who made it, with any token; somebody else may', async () => {
    const made = await ownedProgram(service);
    await need(made, true);
    await approvedSale(service, await payee(service, made));
    const run = await draft(service, made);
    expect(run.two_persons).toBe(true);
    for (const token of [made.owner.token, await newToken(service, made.owner.userId)]) {
      const { status, body } = await approveAs(service, made, run.id, token);
      expect([status, body.error.message]).toEqual([403, 'You made this run. Someone else has to approve it.']);
    }
    const { token, userId } = await colleague(service, made);
    const approved = await approveAs(service, made, run.id, token);
    expect(approved.body.data).toMatchObject({ status: 'approved', approved_by: { user_id: userId } });
  });

  it('hold for a draft from before, and for one that was made while they did', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made);
    await approvedSale(service, jane);
    const before = await draft(service, made);
    await need(made, true);
    await approvedSale(service, jane);
    const meanwhile = await draft(service, made);
    expect((await approve(made, before.id)).status).toBe(403);
    await need(made, false);
    expect((await approve(made, meanwhile.id)).status).toBe(403);
    expect((await approve(made, before.id)).status).toBe(200);
  });

  it('only an owner switches them off', async () => {
    const made = await ownedProgram(service);
    await need(made, true);
    const { token } = await colleague(service, made);
    const path = `/api/v1/manage/programs/${made.program.id}/payout-settings`;
    expect((await service.call('PUT', path, { key: token, body: { two_persons: false } })).status).toBe(403);
    expect((await service.call('GET', path, { key: token })).body.data.two_persons).toBe(true);
  });
});

describe('one payout of a run', () => {
  const verbs = ['mark-paid', 'mark-failed', 'cancel'];
  const close = (made: OwnedProgram, id: number, verb: string) =>
    asOwner(service, made, 'POST', `/payouts/${id}/${verb}`, { reason: 'It came back' });

  it.each(verbs)('409 for %s while the run is a draft: it would go around the approval', async (verb) => {
    const { made, sale, run } = await draftForJane();
    const { status, body } = await close(made, run.payouts[0].id, verb);
    expect([status, body.error.message]).toEqual([
      409,
      'The payout is part of payout run 1, which is not approved yet. Cancel the run instead.',
    ]);
    const bulk = await asOwner(service, made, 'POST', '/bulk/payouts/mark-paid', { ids: [run.payouts[0].id] });
    expect(bulk.body.data).toEqual({ changed: 0, skipped: [{ reason: 'in_draft', count: 1 }] });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 0 });
  });

  it.each(verbs)('409 for %s while a file holds it that may still be uploaded', async (verb) => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, await payee(service, made));
    const run = await sentRun(service, made, 'approved');
    const { status, body } = await close(made, run.payouts[0].id, verb);
    expect([status, body.error.message]).toEqual([
      409,
      verb === 'cancel'
        ? 'The payout is part of payout run 1, and a file may hold it. Cancel the run while it is not sent, or mark the payout as failed afterwards.'
        : 'A file of payout run 1 holds the payout, and the run is not sent yet. Mark the run as sent first, or cancel it.',
    ]);
    const bulk = await asOwner(service, made, 'POST', '/bulk/payouts/mark-paid', { ids: [run.payouts[0].id] });
    expect(bulk.body.data).toEqual({ changed: 0, skipped: [{ reason: 'not_sent', count: 1 }] });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 0 });
    expect((await runCall(service, made, 'GET', `/${run.id}`)).body.data.payouts).toMatchObject([{ status: 'open' }]);
  });

  it('is paid or fails by itself before the run is sent if no file holds it', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'iban');
    const sale = await approvedSale(service, jane, { currency: 'EUR' });
    const first = await sentRun(service, made, 'approved');
    expect(first.payouts).toMatchObject([{ not_in_file: expect.stringMatching(/IBAN/) }]);
    expect((await close(made, first.payouts[0].id, 'mark-failed')).body.data).toMatchObject({ status: 'failed' });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
    const second = await sentRun(service, made, 'approved');
    expect((await close(made, second.payouts[0].id, 'mark-paid')).body.data).toMatchObject({ status: 'paid' });
    expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: 0 });
  });

  it('settles the run when it is the last one', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, await payee(service, made));
    const run = await sentRun(service, made);
    await close(made, run.payouts[0].id, 'mark-paid');
    expect(await statusOf(made, run.id)).toBe('settled');
  });
});

describe('cancelling a run', () => {
  it.each(['draft', 'approved'] as const)(
    '%s: every payout is cancelled, and what it covers is due again',
    async (state) => {
      const made = await ownedProgram(service);
      const sale = await approvedSale(service, await payee(service, made));
      const run = state === 'draft' ? await draft(service, made) : await sentRun(service, made, 'approved');
      const { body } = await runCall(service, made, 'POST', `/${run.id}/cancel`);
      expect(body.data).toMatchObject({ status: 'cancelled', payouts: [{ status: 'cancelled' }] });
      expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
      for (const step of ['approve', 'cancel', 'mark-sent']) {
        const { status, body: refused } = await runCall(service, made, 'POST', `/${run.id}/${step}`);
        expect([status, refused.error.message]).toEqual([409, expect.stringContaining('Payout run 1 is cancelled')]);
      }
      expect((await draft(service, made)).number).toBe(2);
    },
  );

  it('409 once it is sent, or when something of it is paid', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'iban');
    await approvedSale(service, jane, { currency: 'EUR' });
    const sent = await sentRun(service, made);
    expect((await runCall(service, made, 'POST', `/${sent.id}/cancel`)).body.error.message).toBe(
      'Payout run 1 is sent and cannot be cancelled',
    );
    await approvedSale(service, jane, { currency: 'EUR' });
    const approved = await sentRun(service, made, 'approved');
    await asOwner(service, made, 'POST', `/payouts/${approved.payouts[0].id}/mark-paid`, {});
    const { status, body } = await runCall(service, made, 'POST', `/${approved.id}/cancel`);
    expect([status, body.error.message]).toEqual([
      409,
      '1 of the payouts of payout run 2 is paid, so it cannot be cancelled. Mark it as sent, then the others as failed.',
    ]);
  });
});
