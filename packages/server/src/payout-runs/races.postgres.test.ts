import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn } from '@svc/testkit/service/payments/paid.ts';
import { draft, payee, sentRun } from '@svc/testkit/service/payments/payees.ts';
import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { Sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const nodes = useTwoNodes();
const [service] = nodes;

/** A program that owes two partners three commissions of 20.00 each. */
async function owing() {
  const made = await ownedProgram(service);
  const sales: Sold[] = [];
  for (const partner of [await payee(service, made), await payee(service, made)]) {
    for (let sale = 0; sale < 3; sale += 1) sales.push(await approvedSale(service, partner));
  }
  // The second node has a clock of its own.
  nodes[1].time = service.time;
  return { made, sales };
}

const send = (made: OwnedProgram, rest: string, body?: object) => (node: (typeof nodes)[number]) =>
  node.call('POST', manage(made, rest), { key: made.owner.token, body });

/** What commissions have in payouts is what the lines of payouts say that hold them. */
async function expectCoverage(made: OwnedProgram): Promise<void> {
  const wrong = await service.sql(
    `select m.id from commissions m where program_id = $1 and (settled_cents > 2000 or settled_cents <> (
       select coalesce(sum(l.amount_cents), 0) from payout_lines l join payouts o on o.id = l.payout_id
       where l.commission_id = m.id and o.status in ('open', 'sent', 'paid')))`,
    [made.program.id],
  );
  expect(wrong).toEqual([]);
}

it('of many who make a run at once, one gets everything; numbers have no gaps', async () => {
  const { made } = await owing();
  const answers = await atOnce(nodes, 8, send(made, '/payout-runs', {}));
  expect(statusCounts(answers)).toEqual({ 201: 1, 409: 7 });
  const { data } = answers.find(({ status }) => status === 201)?.body ?? {};
  expect(data).toMatchObject({ number: 1, totals: [{ amount_cents: 12_000, payouts: 2 }] });
  await expectCoverage(made);
  await approvedSale(service, await payee(service, made));
  expect((await draft(service, made)).number).toBe(2);
});

it('runs and single payouts at once take every cent once', async () => {
  const { made } = await owing();
  const answers = await atOnce(nodes, 8, (node, index) =>
    index % 2 === 0 ? send(made, '/payout-runs', {})(node) : send(made, '/payouts', {})(node),
  );
  const counts = statusCounts(answers);
  expect((counts[201] ?? 0) + (counts[409] ?? 0)).toBe(8);
  const [sum] = await service.sql('select sum(amount_cents)::bigint as cents from payouts where program_id = $1', [
    made.program.id,
  ]);
  expect(sum).toEqual({ cents: 12_000 });
  await expectCoverage(made);
});

it('a run is approved once, with one set of files', async () => {
  const { made } = await owing();
  const run = await draft(service, made);
  const answers = await atOnce(nodes, 6, send(made, `/payout-runs/${run.id}/approve`));
  expect(statusCounts(answers)).toEqual({ 200: 1, 409: 5 });
  const files = await service.sql('select name from payout_files where run_id = $1 order by name', [run.id]);
  expect(files).toEqual([{ name: 'payouts.csv' }, { name: 'paypal.csv' }]);
});

it('a run is approved or cancelled, never both', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { made, sales } = await owing();
    const run = await draft(service, made);
    const steps = ['approve', 'cancel'];
    const answers = await atOnce(nodes, 2, (node, index) =>
      send(made, `/payout-runs/${run.id}/${steps[(index + round) % 2]}`)(node),
    );
    const found = (await asOwner(service, made, 'GET', `/payout-runs/${run.id}`)).body.data;
    // Cancelling is possible before and after the approval.
    expect(found.status).toBe('cancelled');
    expect(answers.map(({ status }) => status).sort()).toEqual(found.approved_at === null ? [200, 409] : [200, 200]);
    expect(await dueOn(service, sales[0] as Sold)).toEqual({ stage: 'approved', due: 2_000 });
    await expectCoverage(made);
  }
});

it('a refund stops the approval, or is deducted from a later payout', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { made, sales } = await owing();
    const run = await draft(service, made);
    const { transactionId } = sales[0] as Sold;
    const [approved, refunded] = await Promise.all([
      send(made, `/payout-runs/${run.id}/approve`)(nodes[round % 2] as (typeof nodes)[number]),
      nodes[1].refund({ transaction_id: transactionId, refund_amount_cents: 1_000 }, { key: made.apiKey }),
    ]);
    expect(refunded.status).toBe(200);
    if (approved.status === 409) {
      expect(approved.body.error.details.differences).toMatchObject([{ amount_cents: 6_000, now_cents: 5_800 }]);
    } else {
      expect(approved.status).toBe(200);
    }
    expect(await dueOn(service, sales[0] as Sold)).toEqual({ stage: 'approved', due: -200 });
  }
});

it('payouts are settled once, however many say so, and what failed is due once', async () => {
  const { made, sales } = await owing();
  const run = await sentRun(service, made);
  const payouts = run.payouts.map(({ id }: { id: number }) => id);
  const answers = await atOnce(nodes, 8, (node, index) => {
    const status = index % 2 === 0 ? 'paid' : 'failed';
    return send(made, `/payout-runs/${run.id}/settle`, {
      payouts: payouts.map((id: number) => ({ id, status })),
    })(node);
  });
  expect(statusCounts(answers)).toEqual({ 200: 1, 409: 7 });
  const found = (await asOwner(service, made, 'GET', `/payout-runs/${run.id}`)).body.data;
  const [{ status }] = found.payouts;
  expect(found).toMatchObject({ status: 'settled', payouts: [{ status }, { status }] });
  for (const sale of sales) {
    expect(await dueOn(service, sale)).toEqual(
      status === 'paid' ? { stage: 'paid', due: 0 } : { stage: 'approved', due: 2_000 },
    );
  }
  await expectCoverage(made);
});
