import { everythingStored, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { manyPayees } from '@svc/testkit/service/payments/many-payees.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { colleague, payee, runCall } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { type Actor, OPERATOR } from '../audit/audit-store.ts';
import { insertOpeningBalances, listDifferences } from '../books/book-store.ts';
import { takeDue } from '../commissions/payout-coverage-store.ts';
import type { Db } from '../db/db.ts';
import { withoutRest } from '../db/rest.ts';
import { preparePayoutRuns } from '../jobs/prepare-payout-runs.ts';
import { eraseAccount } from '../privacy/erase-account.ts';
import { makeRun, startRun } from './make-run.ts';
import { prepareRun } from './prepare-run.ts';
import { prepareScheduledRuns } from './prepare-scheduled-runs.ts';
import type { RunRequest } from './run-store.ts';

const service = useService();

const EVERYBODY = { cutoffAt: null, currency: null, partnerIds: null, excludedPartnerIds: [], exclusionNotes: {} };
/** Two slices. */
const MANY = 300;

async function owing(partners: number): Promise<OwnedProgram> {
  const made = await ownedProgram(service);
  await manyPayees(service, made, partners);
  await insertOpeningBalances(service.ctx.db, made.program.id, service.time);
  return made;
}

const start = (made: OwnedProgram, actor: Actor = OPERATOR, request: RunRequest = EVERYBODY) =>
  service.ctx.db.transaction((tx) => startRun(tx, service.ctx, made.program, request, actor));

/** What commissions have in payouts is what the lines of payouts hold, no more than they are worth, and the books say so. */
async function expectCoverage({ program }: OwnedProgram): Promise<void> {
  const wrong = await service.sql(
    `select m.id from commissions m where program_id = $1
       and (settled_cents > commission_cents or settled_cents <> (
         select coalesce(sum(l.amount_cents), 0) from payout_lines l join payouts o on o.id = l.payout_id
         where l.commission_id = m.id and o.status in ('open', 'sent', 'paid')))`,
    [program.id],
  );
  expect(wrong).toEqual([]);
  expect(await listDifferences(service.ctx.db, program.id)).toEqual([]);
}

const storedPayouts = async ({ program }: OwnedProgram) => {
  const rows = await service.sql<{ id: number; runId: number }>(
    'select id, run_id as "runId" from payouts where program_id = $1 order by id',
    [program.id],
  );
  return rows;
};

const eventsOf = async ({ program }: OwnedProgram) => {
  await service.service.ctx.numbering.idle();
  const [{ count }] = (await service.sql(
    `select (select count(*) from outbox where program_id = $1 and type = 'payout.created')
       + (select count(*) from feed_events where program_id = $1 and type = 'payout.created') as count`,
    [program.id],
  )) as [{ count: number }];
  return Number(count);
};

it('nobody sees a run before everybody is in it, and at every moment the books and the balances agree', async () => {
  const made = await owing(MANY);
  const stored: number[] = [];
  const preparing: object[] = [];
  const run = await makeRun(service.ctx, made.program, EVERYBODY, OPERATOR, async () => {
    const payouts = await storedPayouts(made);
    stored.push(payouts.length);
    preparing.push((await runCall(service, made, 'GET')).body.meta);
    const isSliceWritten = payouts.length > 0 && stored.length < 4;
    if (!isSliceWritten) return;
    const [{ id, runId }] = payouts as [{ id: number; runId: number }];
    expect((await runCall(service, made, 'GET')).body.data).toEqual([]);
    const listed = await asOwner(service, made, 'GET', '/payouts?totals=true');
    expect(listed.body).toMatchObject({ data: [], meta: { count: 0, totals: [] } });
    const asked: [string, string, object?][] = [
      ['GET', `/payout-runs/${runId}`],
      ['POST', `/payout-runs/${runId}/approve`],
      ['POST', `/payout-runs/${runId}/cancel`],
      ['GET', `/payouts/${id}`],
      ['GET', `/payouts/${id}/statement.pdf`],
      ['POST', `/payouts/${id}/mark-paid`, {}],
      ['POST', `/payouts/${id}/mark-failed`, { reason: 'The account is closed' }],
      ['POST', `/payouts/${id}/cancel`],
    ];
    for (const [method, path, body] of asked) {
      expect({ path, status: (await asOwner(service, made, method, path, body)).status }).toEqual({
        path,
        status: 404,
      });
    }
    const commissions = await asOwner(service, made, 'GET', '/commissions?limit=100');
    expect(new Set(commissions.body.data.map((row: { payout_id: number | null }) => row.payout_id))).toEqual(
      new Set([null]),
    );
    expect(await eventsOf(made)).toBe(0);
    const [earned] = (await asOwner(service, made, 'GET', '/earnings')).body.data;
    expect(earned).toMatchObject({
      in_payouts_cents: payouts.length * 2_000,
      payable_cents: (MANY - payouts.length) * 2_000,
    });
    await expectCoverage(made);
  });
  // After the start and each slice.
  expect(stored).toEqual([0, 250, MANY]);
  const page = { next_cursor: null, limit: 25 };
  const preparation = { started_at: service.time.toISOString(), partners_total: MANY };
  expect(preparing).toEqual(
    [0, 250, MANY].map((done) => ({ ...page, preparing: { ...preparation, partners_done: done } })),
  );
  expect((await runCall(service, made, 'GET')).body.meta).toEqual({ ...page, preparing: null });
  const { body } = await runCall(service, made, 'GET', `/${run.id}`);
  expect(body.data).toMatchObject({
    number: 1,
    status: 'draft',
    totals: [{ currency: 'USD', amount_cents: MANY * 2_000, payouts: MANY }],
  });
  expect(await eventsOf(made)).toBe(MANY);
  await expectCoverage(made);
});

it('a refund and a payout between two slices are taken into account, and nothing is paid twice', async () => {
  const made = await owing(251);
  const last = await payee(service, made);
  const sale = await approvedSale(service, last);
  let rests = 0;
  const run = await makeRun(service.ctx, made.program, EVERYBODY, OPERATOR, async () => {
    rests += 1;
    if (rests !== 2) return;
    const [{ partner }] = (await service.sql(
      `select partner_id as partner from commissions where program_id = $1 and due_cents > 0 and kind = 'bonus'`,
      [made.program.id],
    )) as [{ partner: number }];
    const paid = await asOwner(service, made, 'POST', '/payouts', { partner_id: partner });
    expect(paid.body.data).toMatchObject([{ partner_id: partner, amount_cents: 2_000 }]);
    const refund = { transaction_id: sale.transactionId, refund_amount_cents: 5_000 };
    expect((await service.refund(refund, { key: made.apiKey })).status).toBe(200);
  });
  const { body } = await runCall(service, made, 'GET', `/${run.id}`);
  expect(body.data.totals).toEqual([{ currency: 'USD', amount_cents: 250 * 2_000 + 1_000, payouts: 251 }]);
  await expectCoverage(made);
});

it('who asks for a run while another is prepared waits for it, and gets what it has left', async () => {
  const made = await owing(MANY);
  const asked: number[] = [];
  const run = await makeRun(service.ctx, made.program, EVERYBODY, OPERATOR, async () => {
    if (asked.length === 0) asked.push((await runCall(service, made, 'POST', '', {})).status);
  });
  expect(asked).toEqual([409]);
  expect((await runCall(service, made, 'GET')).body.data).toMatchObject([{ id: run.id, number: 1 }]);
  expect(await storedPayouts(made)).toHaveLength(MANY);
  expect(await eventsOf(made)).toBe(MANY);
  await expectCoverage(made);
});

it('a run whose node is gone is prepared by the next one, once, and in the name of the person who asked for it', async () => {
  const made = await owing(3);
  await start(made);
  expect((await runCall(service, made, 'GET')).body.data).toEqual([]);
  await Promise.all([1, 2, 3].map(() => preparePayoutRuns.run(service.ctx)));
  const [run, ...others] = (await runCall(service, made, 'GET')).body.data;
  expect(others).toEqual([]);
  expect(run).toMatchObject({ number: 1, status: 'draft', totals: [{ amount_cents: 6_000, payouts: 3 }] });
  const told = await service.sql(
    `select actor_kind, after -> 'totals' as totals from audit_events where action = 'payout_run.made' and subject_id = $1`,
    [String(run.id)],
  );
  expect(told).toEqual([{ actor_kind: 'operator', totals: [{ currency: 'USD', amount_cents: '6000', payouts: 3 }] }]);
  expect(await eventsOf(made)).toBe(3);
  await expectCoverage(made);
});

it('a run for which others have left nothing is no run, and its number is free', async () => {
  const made = await owing(3);
  const started = await start(made);
  expect((await asOwner(service, made, 'POST', '/payouts', {})).body.data).toHaveLength(3);
  expect(await prepareRun(service.ctx, (started as { id: number }).id, withoutRest)).toBe(false);
  expect((await runCall(service, made, 'POST', '', {})).status).toBe(409);
  await manyPayees(service, made, 1);
  expect((await runCall(service, made, 'POST', '', {})).body.data).toMatchObject({ number: 1, left_out: [] });
});

describe('a repeated request with its Idempotency-Key', () => {
  const REPEATED = { ...EVERYBODY, keyHash: 'a key' };

  it.each(['while it is prepared', 'after the job has completed it'])(
    'gets the run of its first attempt %s',
    async (when) => {
      const made = await owing(3);
      const started = await start(made, OPERATOR, REPEATED);
      if (when !== 'while it is prepared') await preparePayoutRuns.run(service.ctx);
      const again = await makeRun(service.ctx, made.program, REPEATED, OPERATOR);
      expect({ is: 'own', id: again.id }).toEqual(started);
      expect((await runCall(service, made, 'GET')).body.data).toMatchObject([
        { id: again.id, totals: [{ payouts: 3 }] },
      ]);
      await expectCoverage(made);
    },
  );

  it('gets no run of another key, of another request, or of a day before', async () => {
    const made = await owing(3);
    await start(made, OPERATOR, REPEATED);
    await preparePayoutRuns.run(service.ctx);
    const others = [EVERYBODY, { ...REPEATED, keyHash: 'another key' }, { ...REPEATED, currency: 'USD' }];
    for (const request of others) expect(await start(made, OPERATOR, request)).toMatchObject({ is: 'nobody' });
    service.advance({ days: 1 });
    expect(await start(made, OPERATOR, REPEATED)).toMatchObject({ is: 'nobody' });
  });
});

it('of what a run was asked for, erased customers are only removed from notes, whatever else their keys are', async () => {
  const made = await ownedProgram(service);
  // A number of five digits, which is long enough to be looked for within texts.
  await service.sql(`select setval('partners_id_seq', greatest((select max(id) from partners), 50000))`);
  const [jane, joan] = [await payee(service, made), await payee(service, made)];
  for (const partner of [jane, joan]) await approvedSale(service, partner);
  const key = newId('user');
  const request = {
    ...EVERYBODY,
    currency: 'USD',
    excludedPartnerIds: [jane.partnerId],
    exclusionNotes: { [jane.partnerId]: `Disputes the sale to ${key}` },
    keyHash: newId('hash'),
  };
  const started = await start(made, OPERATOR, request);
  for (const customerKey of [key, 'USD', String(jane.partnerId), request.keyHash]) {
    const [, id] = (await service.customer(made, customerKey)).split('_');
    expect((await asOwner(service, made, 'POST', `/customers/${id}/erase`, {})).status).toBe(200);
  }
  expect(await start(made, OPERATOR, request)).toEqual(started);
  const { id } = started as { id: number };
  expect(await prepareRun(service.ctx, id, withoutRest)).toBe(true);
  const { payouts, left_out: leftOut, request: asked } = (await runCall(service, made, 'GET', `/${id}`)).body.data;
  expect(payouts).toMatchObject([{ partner_id: joan.partnerId, currency: 'USD', amount_cents: 2_000 }]);
  expect(leftOut).toMatchObject([
    { partner_id: jane.partnerId, reason: 'excluded', note: 'Disputes the sale to [erased]' },
  ]);
  expect(asked).toEqual({
    currency: 'USD',
    partner_ids: null,
    excluded_partner_ids: [jane.partnerId],
    exclusion_notes: { [jane.partnerId]: 'Disputes the sale to [erased]' },
  });
  expect(await start(made, OPERATOR, request)).toEqual(started);
});

it('the name of a person whose account is erased while their run is prepared does not come back', async () => {
  const made = await owing(3);
  const { userId } = await colleague(service, made);
  const name = newId('Joan Vale');
  await service.sql('update users set name = $2 where id = $1', [userId, name]);
  const { id } = (await start(made, { kind: 'person', userId, id: userId, name, requestId: null })) as { id: number };
  expect(await eraseAccount(service.ctx, userId, OPERATOR)).toBe(true);
  expect(await everythingStored(service)).not.toContain(name);
  const [{ preparation }] = (await service.sql('select preparation::text from payout_runs where id = $1', [id])) as [
    { preparation: string },
  ];
  expect(preparation).not.toContain(userId);
  await preparePayoutRuns.run(service.ctx);
  const told = await service.sql(
    `select actor_kind, actor_id, actor_name from audit_events where action = 'payout_run.made' and subject_id = $1`,
    [String(id)],
  );
  expect(told).toEqual([{ actor_kind: 'person', actor_id: null, actor_name: null }]);
  expect(await everythingStored(service)).not.toContain(name);
});

it('a run that is started while the schedule is at work is completed before the next program', async () => {
  const [first, second, asked] = [await owing(1), await owing(1), await owing(1)];
  for (const { program } of [first, second]) {
    await service.sql(
      'insert into payout_settings (program_id, schedule_day, next_run_at, updated_at) values ($1, 15, $2, $2)',
      [program.id, service.time],
    );
  }
  const names = new Map(
    [first, second, asked].map(({ program }, index) => [program.id, ['first', 'second', 'asked'][index]]),
  );
  const seen: unknown[] = [];
  await prepareScheduledRuns(service.ctx, 'prepare-payout-runs', async () => {
    const rows = await service.sql<{ program: number }>(
      'select program_id as program from payout_runs where prepared_at is null order by id',
    );
    if (seen.length === 0) await start(asked);
    seen.push(rows.map(({ program }) => names.get(program)));
  });
  expect(seen).toEqual([['first'], ['first', 'asked'], ['asked'], ['second'], ['second']]);
});

it('slices do not wait for the disk, which the start and the end of a run do', async () => {
  const made = await owing(MANY);
  const waits: unknown[] = [];
  const transaction: Db['transaction'] = (work) =>
    service.ctx.db.transaction(async (tx) => {
      // The servers of tests wait for nothing by themselves.
      await tx.query('set local synchronous_commit = on');
      const result = await work(tx);
      waits.push(...(await tx.query(`select current_setting('synchronous_commit') as waits`)));
      return result;
    });
  const ctx = { ...service.ctx, db: Object.assign(Object.create(service.ctx.db) as Db, { transaction }) };
  await makeRun(ctx, made.program, EVERYBODY, OPERATOR);
  expect(waits).toEqual(['on', 'off', 'off', 'on'].map((setting) => ({ waits: setting })));
});

it('what has changed since it was read is not taken', async () => {
  const made = await owing(2);
  const due = await service.sql<{ id: number; partnerId: number; currency: string; dueCents: number }>(
    `select id, partner_id as "partnerId", currency, due_cents as "dueCents" from commissions where program_id = $1`,
    [made.program.id],
  );
  await service.sql('update commissions set deducted_cents = 500 where id = $1', [due[0]?.id]);
  const taken = service.ctx.db.transaction((tx) => takeDue(tx, due));
  await expect(taken).rejects.toMatchObject({ sqlState: '40001' });
  expect(
    await service.sql('select sum(settled_cents)::int as cents from commissions where program_id = $1', [
      made.program.id,
    ]),
  ).toEqual([{ cents: 0 }]);
});

it('a node of the release before can neither approve nor cancel a run that is being prepared', async () => {
  const made = await owing(1);
  const { id } = (await start(made)) as { id: number };
  for (const status of ['approved', 'cancelled']) {
    const taken = service.sql(`update payout_runs set status = $2, ${status}_at = now() where id = $1`, [id, status]);
    await expect(taken).rejects.toMatchObject({ constraint: 'runs_are_prepared_first' });
  }
});
