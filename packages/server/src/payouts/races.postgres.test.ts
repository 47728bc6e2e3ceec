import { manage, memberOf, newOwner, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { approvedSale, asOwner, dueOn, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { Answer } from '@svc/testkit/service/service.ts';
import { type Sold, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const nodes = useTwoNodes();
const [service] = nodes;

describe('concurrent requests on two nodes', () => {
  it('every cent goes into one payout, however many requests create payouts', async () => {
    const made = await ownedProgram(service);
    for (let sale = 0; sale < 12; sale += 1) await approvedSale(service, made);
    const path = manage(made, '/payouts');
    const answers = await atOnce(nodes, 10, (node) => node.call('POST', path, { key: made.owner.token, body: {} }));
    expect(statusCounts(answers)).toEqual({ 201: 10 });
    const payouts = answers.flatMap(({ body }) => body.data);
    expect(payouts).toMatchObject([{ amount_cents: 24_000 }]);
    const [lines] = await service.sql('select count(*) as lines, sum(amount_cents)::bigint as cents from payout_lines');
    expect(lines).toEqual({ lines: 12, cents: 24_000 });
  });

  it('refunds during the creation and cancellation of payouts are neither lost nor counted twice', async () => {
    const made = await ownedProgram(service);
    const sales: Sold[] = [];
    for (let sale = 0; sale < 10; sale += 1) sales.push(await approvedSale(service, made));
    const key = made.owner.token;
    await atOnce(nodes, 40, async (node, index) => {
      if (index % 4 !== 0) {
        const { transactionId = '' } = sales[index % 10] ?? {};
        return node.refund({ transaction_id: transactionId, refund_amount_cents: 100 }, { key: made.apiKey });
      }
      const created = await node.call('POST', manage(made, '/payouts'), { key, body: {} });
      const [payout] = created.body.data;
      if (!payout || index % 8 !== 0) return created;
      return node.call('POST', manage(made, `/payouts/${payout.id}/cancel`), { key });
    });
    await paidOut(service, made);
    const [row] = (await asOwner(service, made, 'GET', '/earnings')).body.data;
    const refunded = 30 * 20;
    expect(row).toMatchObject({ reversed_cents: refunded });
    expect(row.in_payouts_cents + row.approved_cents + row.carried_cents).toBe(20_000 - refunded);
    const wrong = await service.sql(
      `select m.id from commissions m where program_id = $1 and settled_cents <> (
         select coalesce(sum(l.amount_cents), 0) from payout_lines l join payouts o on o.id = l.payout_id
         where l.commission_id = m.id and o.status <> 'cancelled')`,
      [made.program.id],
    );
    expect(wrong).toEqual([]);
  });

  it('a commission whose rejection is undone while its sale is refunded loses its share of every refund', async () => {
    const made = await ownedProgram(service);
    const { commissionId, transactionId } = await approvedSale(service, made);
    const key = made.owner.token;
    await atOnce(nodes, 24, (node, index) => {
      if (index % 3 === 0) {
        return node.refund({ transaction_id: transactionId, refund_amount_cents: 100 }, { key: made.apiKey });
      }
      const verb = index % 3 === 1 ? 'reject' : 'restore';
      return node.call('POST', manage(made, `/commissions/${commissionId}/${verb}`), { key });
    });
    await asOwner(service, made, 'POST', `/commissions/${commissionId}/restore`);
    const rows = await service.sql('select stage, deducted_cents, due_cents from commissions where id = $1', [
      commissionId,
    ]);
    expect(rows).toEqual([{ stage: 'approved', deducted_cents: 160, due_cents: 1_840 }]);
  });

  it('a payout is either paid or cancelled, once', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await approvedSale(service, made);
    const [payout] = await paidOut(service, made);
    const answers = await atOnce(nodes, 8, (node, index) =>
      node.call('POST', manage(made, `/payouts/${payout?.id}/${index % 4 < 2 ? 'mark-paid' : 'cancel'}`), {
        key: made.owner.token,
      }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 409: 7 });
    const { status } = answers.find((answer) => answer.status === 200)?.body.data ?? {};
    const [commission] = await service.sql('select stage, due_cents as due from commissions where id = $1', [
      commissionId,
    ]);
    expect(commission).toEqual(status === 'paid' ? { stage: 'paid', due: 0 } : { stage: 'approved', due: 2_000 });
  });

  it('a commission is rejected or put into a payout, never both', async () => {
    const made = await ownedProgram(service);
    const sales: Sold[] = [];
    for (let sale = 0; sale < 6; sale += 1) sales.push(await approvedSale(service, made));
    const key = made.owner.token;
    const ids = sales.map(({ commissionId }) => commissionId);
    await atOnce(nodes, 6, (node, index) =>
      index % 2 === 0
        ? node.call('POST', manage(made, '/payouts'), { key, body: {} })
        : node.call('POST', manage(made, '/commissions/reject'), { key, body: { ids } }),
    );
    const [counts] = await service.sql<{ rejected: number; in_payouts: number }>(
      `select count(*) filter (where stage = 'rejected' and settled_cents = 0) as rejected,
         count(*) filter (where stage = 'approved' and settled_cents = 2000) as in_payouts
       from commissions where program_id = $1`,
      [made.program.id],
    );
    expect((counts?.rejected ?? 0) + (counts?.in_payouts ?? 0)).toBe(6);
  });

  it('one of two owners who remove each other stays', async () => {
    const one = await newOwner(service);
    const other = await memberOf(service, one.workspaceId);
    const answers = await atOnce(nodes, 2, (node, index) => {
      const [actor, target] = index === 0 ? [one, other] : [other, one];
      return node.call('DELETE', `/api/v1/manage/members/${target.userId}`, { key: actor.token });
    });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = await service.sql('select role from workspace_members where advertiser_id = $1', [one.workspaceId]);
    expect(owners).toEqual([{ role: 'owner' }]);
  });
});

describe('payouts that a person confirmed', () => {
  /** Asks for payouts while another transaction has changed a commission, and commits that before the answer. */
  async function payDuring(change: string, commissionId: number | null, send: () => Promise<Answer>): Promise<Answer> {
    let answer: Promise<Answer> | undefined;
    await service.ctx.db.transaction(async (tx) => {
      await tx.query(change, [commissionId]);
      answer = send();
      const waiting = 'select pid from pg_stat_activity where wait_event_type = $1 and datname = current_database()';
      await eventually(
        () => service.sql(waiting, ['Lock']),
        (rows) => rows.length > 0,
      );
    });
    return (await answer) as Answer;
  }
  const MESSAGE = 'The balances have changed: 1 can be paid out now. No payout was created. Review them and try again.';

  it('are not created if a refund becomes known while they are: no other amount than the one that was seen', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const seen = { count: 1, totals: [{ currency: 'USD', payable_cents: 2_000 }] };
    const refunded = `update commissions set deducted_cents = 200, reversal = 'partial' where id = $1`;
    const { status, body } = await payDuring(refunded, sale.commissionId, () =>
      asOwner(service, made, 'POST', '/payouts', seen),
    );
    expect([status, body.error?.message]).toEqual([409, MESSAGE]);
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 1_800 });
    expect(await service.sql('select id from payouts where program_id = $1', [made.program.id])).toEqual([]);
  });

  it('are not created for one partner if the balance of another has changed', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    const [first, second] = [await approvedSale(service, made), await approvedSale(service, other)];
    const seen = { count: 2, totals: [{ currency: 'USD', payable_cents: 4_000 }] };
    const refunded = `update commissions set deducted_cents = 200, reversal = 'partial' where id = $1`;
    const { status } = await payDuring(refunded, second.commissionId, () =>
      asOwner(service, made, 'POST', '/payouts', seen),
    );
    expect(status).toBe(409);
    expect([await dueOn(service, first), await dueOn(service, second)]).toEqual([
      { stage: 'approved', due: 2_000 },
      { stage: 'approved', due: 1_800 },
    ]);
  });

  it('do not contain a commission that was approved meanwhile', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const pending = await sold(service, made);
    const seen = { count: 1, totals: [{ currency: 'USD', payable_cents: 2_000 }] };
    // The lock on the first one lets the request wait until the second one is approved.
    let answer: Promise<Answer> | undefined;
    await service.ctx.db.transaction(async (tx) => {
      await tx.query('select id from commissions where id = $1 for update', [sale.commissionId]);
      answer = asOwner(service, made, 'POST', '/payouts', seen);
      const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await eventually(
        () => service.sql(waiting),
        (rows) => rows.length > 0,
      );
      await nodes[1].call('POST', manage(made, `/commissions/${pending.commissionId}/approve`), {
        key: made.owner.token,
      });
    });
    expect((await (answer as Promise<Answer>)).status).toBe(409);
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
  });
});
