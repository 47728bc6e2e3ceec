import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { manyPayees } from '@svc/testkit/service/payments/many-payees.ts';
import { approvedSale, asOwner, dueOn } from '@svc/testkit/service/payments/paid.ts';
import { draft, type MethodKind, payee, sentRun } from '@svc/testkit/service/payments/payees.ts';
import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import { type Answer, TestService } from '@svc/testkit/service/service.ts';
import type { Sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { type DueCommission, takeDue } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/db.ts';
import { withoutRest } from '../db/rest.ts';
import { eraseAccount } from '../privacy/erase-account.ts';
import { markPaidIn, type PaidPayout } from './close-payout.ts';
import { makeRun, startRun } from './make-run.ts';
import { prepareRun } from './prepare-run.ts';

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

it('a file is not given out by a run that is being cancelled', async () => {
  const { made } = await owing();
  const run = await sentRun(service, made, 'approved');
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const path = manage(made, `/payout-runs/${run.id}/files/paypal.csv`);
  const { download, isDecided } = await nodes[1].ctx.db.transaction(async (tx) => {
    await tx.query(`update payout_runs set status = 'cancelled', cancelled_at = now() where id = $1`, [run.id]);
    let isAnswered = false;
    const asked = service.call('GET', path, { key: made.owner.token }).finally(() => {
      isAnswered = true;
    });
    const isWaiting = async () => isAnswered || (await service.sql(waiting)).length > 0;
    return { download: asked.then(({ status }) => status), isDecided: await eventually(isWaiting, Boolean) };
  });
  expect([isDecided, await download]).toEqual([true, 404]);
  const taken = `select 1 from audit_events where action = 'payout_run.file_downloaded' and subject_id = $1`;
  expect(await service.sql(taken, [String(run.id)])).toEqual([]);
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

it('of nodes that make a run of several slices at once, one gets everything, whoever writes which slice', async () => {
  const made = await ownedProgram(service);
  await manyPayees(service, made, 300);
  nodes[1].time = service.time;
  const answers = await atOnce(nodes, 4, send(made, '/payout-runs', {}));
  expect(statusCounts(answers)).toEqual({ 201: 1, 409: 3 });
  const { data } = answers.find(({ status }) => status === 201)?.body ?? {};
  expect(data).toMatchObject({ number: 1, totals: [{ amount_cents: 300 * 2_000, payouts: 300 }] });
  await expectCoverage(made);
});

it('a run of several slices and single payouts at once take every cent once', async () => {
  const made = await ownedProgram(service);
  await manyPayees(service, made, 300);
  nodes[1].time = service.time;
  const answers = await atOnce(nodes, 4, (node, index) =>
    send(made, index % 2 === 0 ? '/payout-runs' : '/payouts', {})(node),
  );
  const counts = statusCounts(answers);
  expect((counts[201] ?? 0) + (counts[409] ?? 0)).toBe(4);
  const stored = await service.sql(
    'select count(*) as payouts, sum(amount_cents)::bigint as cents from payouts where program_id = $1',
    [made.program.id],
  );
  expect(stored).toEqual([{ payouts: 300, cents: 300 * 2_000 }]);
  await expectCoverage(made);
});

const EVERYBODY = { cutoffAt: null, currency: null, partnerIds: null, excludedPartnerIds: [], exclusionNotes: {} };

it('a payout of a draft that is shown at this moment is not closed by itself', async () => {
  const { made } = await owing();
  let closed: PaidPayout[] = [];
  await makeRun(service.ctx, made.program, EVERYBODY, OPERATOR, async () => {
    const payouts = await service.sql<{ id: number; runId: number }>(
      'select id, run_id as "runId" from payouts where program_id = $1',
      [made.program.id],
    );
    const [payout] = payouts;
    if (!payout || closed.length > 0) return;
    closed = await service.ctx.db.transaction((tx) => {
      const shownNext = afterFirst(tx, () => prepareRun(nodes[1].ctx, payout.runId, withoutRest));
      const ids = payouts.map(({ id }) => id);
      return markPaidIn(shownNext, service.ctx, made.program, ids, { reference: null, actor: OPERATOR });
    });
  });
  expect(closed.map(({ outcome }) => outcome)).toEqual(['not_found', 'not_found']);
  const stored = await service.sql('select distinct status from payouts where program_id = $1', [made.program.id]);
  expect(stored).toEqual([{ status: 'open' }]);
});

/** The transaction, in which something else happens between its first statement and the second. */
function afterFirst(tx: Transaction, happens: () => Promise<unknown>): Transaction {
  let isFirst = true;
  return new Proxy(tx, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return async (sql: string, params?: unknown[]) => {
        const rows = await target.query(sql, params);
        if (isFirst) {
          isFirst = false;
          await happens();
        }
        return rows;
      };
    },
  });
}

/** More rows than fit into the pages of a table that is nearly empty. */
const MOST_MOVES = 2_000;

it('what a run takes is locked in the order of ids, so that an approval and a run cannot wait for each other', async () => {
  const { made } = await owing();
  const due = await service.sql<DueCommission>(
    `select id, partner_id as "partnerId", currency, due_cents as "dueCents" from commissions
     where program_id = $1 order by id`,
    [made.program.id],
  );
  const [lowest, ...others] = due.map(({ id }) => id);
  // Rows that change move, until this one is the last in the table.
  const move = `update commissions set reason = reason where id = $1
    returning ctid > (select max(ctid) from commissions where id = any ($2::bigint[])) as "isLast"`;
  await service.ctx.db.transaction(async (tx) => {
    // In one transaction, so that none of the places that it leaves is taken again.
    for (let moves = 0; moves < MOST_MOVES; moves += 1) {
      const [row] = await tx.query<{ isLast: boolean }>(move, [lowest, others]);
      if (row?.isLast) return;
    }
    throw new Error('The commission is still not the last one in the table');
  });
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const { taken, free } = await nodes[1].ctx.db.transaction(async (tx) => {
    await tx.query('select from commissions where id = $1 for update', [lowest]);
    const isTaken = service.ctx.db.transaction(async (own) => {
      // A plan that reads the table in its own order.
      await own.query('set local enable_nestloop = off');
      for (const allowed of ['hashjoin', 'seqscan']) await own.query(`set local enable_${allowed} = on`);
      await takeDue(own, due);
    });
    await eventually(
      () => service.sql(waiting),
      (rows) => rows.length > 0,
    );
    const unlocked = `select id from commissions where id = any ($1::bigint[]) order by id for update skip locked`;
    return { taken: isTaken, free: await tx.query<{ id: number }>(unlocked, [others]) };
  });
  await taken;
  expect(free.map(({ id }) => id)).toEqual(others);
});

/** A context in which something happens before the first statement of a transaction that contains this text. */
function before(ctx: Context, text: string, happens: (tx: Transaction) => Promise<unknown>): Context {
  let isNext = true;
  const watched = (tx: Transaction): Transaction =>
    Object.assign(Object.create(tx) as Transaction, {
      async query(sql: string, params?: unknown[]) {
        if (isNext && sql.includes(text)) {
          isNext = false;
          await happens(tx);
        }
        return tx.query(sql, params);
      },
    });
  const transaction: Db['transaction'] = (work) => ctx.db.transaction((tx) => work(watched(tx)));
  return { ...ctx, db: Object.assign(Object.create(ctx.db) as Db, { transaction }) };
}

/** Resolves when this work about payouts is over, or waits for the transaction, as the numbering of events may, too. */
async function overOrBehind(tx: Transaction, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  const [{ pid }] = (await tx.query('select pg_backend_pid() as pid')) as [{ pid: number }];
  const waiting = `select 1 from pg_stat_activity where query like '%payout%' and $1 = any (pg_blocking_pids(pid))`;
  const isHeld = async () => isOver || (await service.sql(waiting, [pid])).length > 0;
  expect(await eventually(isHeld, Boolean)).toBe(true);
}

describe('an account that is erased meanwhile', () => {
  /** Two partners to whom 20.00 are due each, and a run that is started. */
  async function started() {
    const made = await ownedProgram(service);
    const [jane, joan] = [await payee(service, made), await payee(service, made)];
    for (const partner of [jane, joan]) await approvedSale(service, partner);
    nodes[1].time = service.time;
    const run = await service.ctx.db.transaction((tx) => startRun(tx, service.ctx, made.program, EVERYBODY, OPERATOR));
    return { made, jane, joan, runId: (run as { id: number }).id };
  }

  const storedPayouts = ({ program }: OwnedProgram) =>
    service.sql(
      `select partner_id as "partnerId", method_id is null as "isOfNoMethod", method_masked as masked from payouts
       where program_id = $1 order by partner_id`,
      [program.id],
    );

  it('gets no payout if it is already being erased', async () => {
    const { made, jane, joan, runId } = await started();
    let prepared: Promise<boolean> | undefined;
    const ctx = before(service.ctx, 'delete from users', (tx) => {
      prepared = prepareRun(nodes[1].ctx, runId, withoutRest);
      return overOrBehind(tx, prepared);
    });
    expect(await eraseAccount(ctx, jane.account.userId, OPERATOR)).toBe(true);
    expect(await prepared).toBe(true);
    expect(await storedPayouts(made)).toEqual([
      { partnerId: joan.partnerId, isOfNoMethod: false, masked: 'paypal****' },
    ]);
    const run = await asOwner(service, made, 'GET', `/payout-runs/${runId}`);
    expect(run.body.data.left_out).toMatchObject([{ partner_id: jane.partnerId, reason: 'no_method' }]);
    await expectCoverage(made);
  });

  it('leaves nothing of where a payout went that was being made', async () => {
    const { made, jane, joan, runId } = await started();
    let erased: Promise<boolean> | undefined;
    const ctx = before(nodes[1].ctx, 'insert into payouts', (tx) => {
      erased = eraseAccount(service.ctx, jane.account.userId, OPERATOR);
      return overOrBehind(tx, erased);
    });
    expect(await prepareRun(ctx, runId, withoutRest)).toBe(true);
    expect(await erased).toBe(true);
    expect(await storedPayouts(made)).toEqual([
      { partnerId: jane.partnerId, isOfNoMethod: true, masked: null },
      { partnerId: joan.partnerId, isOfNoMethod: false, masked: 'paypal****' },
    ]);
    await expectCoverage(made);
  });

  it('does not wait for the steps of runs in which it is paid', async () => {
    const { made, jane, runId } = await started();
    await prepareRun(service.ctx, runId, withoutRest);
    const erased = await nodes[1].ctx.db.transaction(async (tx) => {
      await tx.query('select from payout_runs where id = $1 for update', [runId]);
      return eraseAccount(service.ctx, jane.account.userId, OPERATOR);
    });
    expect(erased).toBe(true);
    expect((await storedPayouts(made))[0]).toEqual({ partnerId: jane.partnerId, isOfNoMethod: true, masked: null });
  });

  /** A run whose only payout is that of an account, which has also made the run. */
  async function ownRun(upTo: 'draft' | 'approved' | 'sent', kind: MethodKind = 'paypal') {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, kind);
    await approvedSale(service, jane);
    const run = upTo === 'draft' ? await draft(service, made) : await sentRun(service, made, upTo);
    await service.sql('update payout_runs set made_by = $2 where id = $1', [run.id, jane.account.userId]);
    return { made, jane, run, payoutId: run.payouts[0].id };
  }

  type OwnRun = Awaited<ReturnType<typeof ownRun>>;

  /** A node that never notices that two wait for each other, so that the other one of them does. */
  const patient = new TestService();
  beforeAll(async () => {
    const [{ name }] = (await service.sql('select current_database() as name')) as [{ name: string }];
    const url = new URL(`/${name}`, inject('postgresUrl'));
    url.searchParams.set('options', '-c deadlock_timeout=60s');
    await patient.open({ DATABASE_URL: url.href });
  });
  afterAll(() => patient.service?.close());

  const step =
    (name: string, body?: object) =>
    (node: TestService, { made, run }: OwnRun) =>
      asOwner(node, made, 'POST', `/payout-runs/${run.id}/${name}`, body);

  const report = (node: TestService, { made, run, payoutId }: OwnRun) =>
    node.call('POST', manage(made, `/payout-runs/${run.id}/status-report`), {
      key: made.owner.token,
      headers: { 'content-type': 'text/csv' },
      body: `Customer ID,Status\nP${payoutId},Completed\n`,
    });

  const STEPS = [
    { what: 'is cancelled', upTo: 'draft', send: step('cancel') },
    { what: 'is marked as sent', upTo: 'approved', send: step('mark-sent') },
    { what: 'is settled', upTo: 'sent', send: step('settle', { all: 'paid' }) },
    { what: 'gets a report', upTo: 'sent', send: report },
    // Why no file holds a payout is stored with the approval. Once the account is erased, there is no method any more.
    { what: 'is approved', upTo: 'draft', kind: 'other', send: step('approve'), afterErasure: 409 },
    {
      what: 'has a payout that is marked as paid',
      upTo: 'sent',
      send: (node: TestService, { made, payoutId }: OwnRun) =>
        asOwner(node, made, 'POST', `/payouts/${payoutId}/mark-paid`, {}),
    },
  ] as const;

  it.each(
    STEPS.flatMap((each) => [
      // Who first notices that both wait is interrupted, and tries again after the other.
      {
        ...each,
        first: 'the erasure',
        node: service,
        noticesAfter: '60s',
        status: 'afterErasure' in each ? each.afterErasure : 200,
      },
      { ...each, first: 'the run', node: patient, noticesAfter: '10ms', status: 200 },
    ]),
  )('and a run of its own that $what do not fail, though each waits for the other: $first is first', async (row) => {
    const own = await ownRun(row.upTo, 'kind' in row ? row.kind : 'paypal');
    patient.time = service.time;
    let answer: Promise<Answer> | undefined;
    const ctx = before(nodes[1].ctx, 'delete from users', async (tx) => {
      await tx.query(`set local deadlock_timeout = '${row.noticesAfter}'`);
      answer = row.send(row.node, own);
      await overOrBehind(tx, answer);
    });
    expect(await eraseAccount(ctx, own.jane.account.userId, OPERATOR)).toBe(true);
    expect((await answer)?.status).toBe(row.status);
  });
});
