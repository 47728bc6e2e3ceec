import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { manyPayees } from '@svc/testkit/service/payments/many-payees.ts';
import { draft, runCall } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import {
  fullScansOf,
  indexConditionsOf,
  indexScansOf,
  pairwiseJoinsOf,
  sortsOf,
} from '@svc/testkit/service/stores/full-scans.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { insertOpeningBalances, listDifferences } from '../books/book-store.ts';
import type { Context } from '../context.ts';
import type { Db, Queryable } from '../db/db.ts';
import { approveRun } from './approve-run.ts';
import { cancelRun } from './cancel-run.ts';
import { makeRun } from './make-run.ts';
import { readReport } from './read-report.ts';
import { sendRun } from './send-run.ts';
import { settleRun } from './settle-run.ts';

// Nothing listens on this port: the mail waits in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' });

const EVERYBODY = { cutoffAt: null, currency: null, partnerIds: null, excludedPartnerIds: [], exclusionNotes: {} };

/** The service, and the statements that its transactions have run. */
function recorded(): { ctx: typeof service.ctx; statements: string[] } {
  const statements: string[] = [];
  const recording = <Connection extends Queryable>(connection: Connection): Connection =>
    new Proxy(connection, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return (sql: string, params?: unknown[]) => {
          // How many mails wait is counted again every few seconds.
          if (!sql.includes('from mails')) statements.push(sql);
          return target.query(sql, params);
        };
      },
    });
  const db: Db = new Proxy(service.ctx.db, {
    get(target, name) {
      if (name === 'transaction')
        return (work: Parameters<Db['transaction']>[0]) => target.transaction((tx) => work(recording(tx)));
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const ctx = { ...service.ctx, db } satisfies Context;
  return { ctx, statements };
}

/** What a report of PayPal says about these payouts: every second one failed. */
const reportOf = (ids: number[]) =>
  Buffer.from(
    `Customer ID,Status\n${ids.map((id, index) => `P${id},${index % 2 ? 'Failed' : 'Completed'}\n`).join('')}`,
  );

/** Locking the run, four to choose, three to write the slice, and one to note it. */
const STATEMENTS_OF_A_SLICE = 9;

/** The statements of each step of a run with so many partners. */
async function statementsFor(partners: number): Promise<Record<string, string[]>> {
  const made = await ownedProgram(service);
  await manyPayees(service, made, partners);
  const steps: Record<string, string[]> = {};
  const { ctx, statements } = recorded();
  const record = async <Result>(name: string, step: () => Promise<Result>): Promise<Result> => {
    const before = statements.length;
    const result = await step();
    steps[name] = statements.slice(before);
    return result;
  };
  const { id: first } = await record('make', () => makeRun(ctx, made.program, EVERYBODY, OPERATOR));
  await record('cancel', () => cancelRun(ctx, made.program, first, OPERATOR));
  const { id } = await makeRun(ctx, made.program, EVERYBODY, OPERATOR);
  await record('approve', () => approveRun(ctx, made.program, id, OPERATOR));
  await record('send', () => sendRun(ctx, made.program, id, OPERATOR));
  await record('settle', () => settleRun(ctx, made.program, id, { allPaid: true, reference: null }, OPERATOR));
  const { id: again } = await makeRunOfAll(made);
  const payouts = await service.sql<{ id: number }>('select id from payouts where run_id = $1 order by id', [again]);
  const bytes = reportOf(payouts.map((payout) => payout.id));
  await record('report', () => readReport(ctx, made.program, again, { format: 'paypal', bytes }, OPERATOR));
  return steps;
}

/** Another sent run, of what everybody has earned since. */
async function makeRunOfAll(made: OwnedProgram): Promise<{ id: number }> {
  await service.sql(
    `insert into commissions (program_id, partner_id, kind, commission_type, commission_rate, commission_cents, currency,
       reason, stage, approve_after, approved_at, created_at)
     select program_id, partner_id, kind, commission_type, commission_rate, commission_cents, currency, reason, 'approved',
       approve_after, approved_at, created_at
     from commissions where program_id = $1`,
    [made.program.id],
  );
  const run = await makeRun(service.ctx, made.program, EVERYBODY, OPERATOR);
  await approveRun(service.ctx, made.program, run.id, OPERATOR);
  await sendRun(service.ctx, made.program, run.id, OPERATOR);
  return run;
}

it('the statements of a run do not depend on how many partners it pays, besides those of each slice', async () => {
  const counts = async (partners: number) =>
    Object.entries(await statementsFor(partners)).map(([step, statements]) => ({ step, count: statements.length }));
  const few = await counts(2);
  expect(await counts(60)).toEqual(few);
  for (const { count } of few) expect(count).toBeLessThan(40);
  // The first slice is full, so that there are two.
  const [made, ...steps] = await counts(260);
  expect(steps).toEqual(few.slice(1));
  expect((made?.count ?? 0) - (few[0]?.count ?? 0)).toBe(STATEMENTS_OF_A_SLICE);
});

const GROWING = [
  ...[
    'book_entries',
    'commissions',
    'customers',
    'memberships',
    'outbox',
    'partners',
    'payout_lines',
    'payout_methods',
  ],
  ...['payouts', 'sales', 'users'],
];

it('no statement of a run reads a whole index, planned while the database knows nothing of the tables', async () => {
  const scans: object[] = [];
  for (const [step, statements] of Object.entries(await statementsFor(2))) {
    for (const sql of new Set(statements)) {
      const found = await indexScansOf(service.ctx.db, sql, GROWING);
      if (found.length > 0) scans.push({ step, sql, found });
    }
  }
  expect(scans).toEqual([]);
});

it.each([
  // It estimates from their size how many rows they have.
  ['the database knows nothing of the tables', ''],
  ['all it knows is that some of them are empty', 'analyze'],
])('no statement of a run reads a whole table, even if it is planned while %s', async (_known, sql) => {
  if (sql) await service.sql(sql);
  const scans: object[] = [];
  for (const [step, statements] of Object.entries(await statementsFor(2))) {
    for (const sql of new Set(statements)) {
      const found = await fullScansOf(service.ctx.db, sql, GROWING);
      if (found.length > 0) scans.push({ step, sql, found });
    }
  }
  expect(scans).toEqual([]);
});

it('no statement of a run reads a whole table, planned while the tables of others grow', async () => {
  const steps = Object.entries(await statementsFor(2));
  const other = await ownedProgram(service);
  const scans: object[] = [];
  // At each size, other indexes look cheap.
  for (const partners of [250, 250, 500, 1_000, 2_000]) {
    await manyPayees(service, other, partners);
    for (const [step, statements] of steps) {
      for (const sql of new Set(statements)) {
        const found = await fullScansOf(service.ctx.db, sql, GROWING);
        if (found.length > 0) scans.push({ step, partners, sql, found });
      }
    }
  }
  expect(scans).toEqual([]);
});

it('what is due is looked up by partner, and not among everything that was ever earned', async () => {
  const { make = [] } = await statementsFor(2);
  const reading = make.filter((sql) => sql.includes('m.due_cents as "dueCents"'));
  expect(reading).not.toEqual([]);
  for (const sql of reading) {
    expect(await indexConditionsOf(service.ctx.db, sql, 'commissions')).toEqual([
      expect.stringContaining('partner_id = i.partner_id'),
    ]);
  }
});

it('of the partners that were asked for, a slice reads only what it takes, not what is due to all of them', async () => {
  const made = await ownedProgram(service);
  await manyPayees(service, made, 2);
  const asked = 'select partner_id as id from commissions where program_id = $1';
  const partnerIds = (await service.sql<{ id: number }>(asked, [made.program.id])).map(({ id }) => id);
  const { ctx, statements } = recorded();
  await makeRun(ctx, made.program, { ...EVERYBODY, partnerIds }, OPERATOR);
  const reading = [...new Set(statements)].filter((sql) => sql.includes('limit $5'));
  expect(reading).not.toEqual([]);
  for (const sql of reading) expect(await sortsOf(service.ctx.db, sql, 'commissions')).toEqual([]);
});

it('a slice ends after so many commissions, so that refunds of them do not wait long', async () => {
  const slicesOf = async (commissionsEach: number) => {
    const made = await ownedProgram(service);
    await manyPayees(service, made, 4);
    await service.sql(
      `insert into commissions (program_id, partner_id, kind, commission_type, commission_rate, commission_cents, currency,
         reason, stage, approve_after, approved_at, created_at)
       select program_id, partner_id, kind, commission_type, commission_rate, commission_cents, currency, reason, stage,
         approve_after, approved_at, created_at
       from commissions, generate_series(2, $2) where program_id = $1`,
      [made.program.id, commissionsEach],
    );
    const { ctx, statements } = recorded();
    const { id } = await makeRun(ctx, made.program, EVERYBODY, OPERATOR);
    const [run] = await service.sql(
      `select count(distinct o.id)::int as payouts, count(*)::int as lines
       from payouts o join payout_lines l on l.payout_id = o.id where o.run_id = $1`,
      [id],
    );
    expect(run).toEqual({ payouts: 4, lines: 4 * commissionsEach });
    return statements.filter((sql) => sql.includes('insert into payouts')).length;
  };
  expect(await slicesOf(240)).toBe(1);
  expect(await slicesOf(400)).toBe(2);
  // At least one partner, however many commissions they have.
  expect(await slicesOf(1_100)).toBe(4);
});

it('no statement of a run compares the rows of a slice pairwise', async () => {
  const joins: object[] = [];
  for (const [step, statements] of Object.entries(await statementsFor(2))) {
    for (const sql of new Set(statements)) {
      const found = await pairwiseJoinsOf(service.ctx.db, sql);
      if (found.length > 0) joins.push({ step, sql, found });
    }
  }
  expect(joins).toEqual([]);
});

// The long form takes several statements for each kind of row.
const MANY = process.env.SVC_TEST_LONG ? 5_200 : 450;

it('more partners than a request for payouts can pay are in one run, from draft to settled', async () => {
  const made = await ownedProgram(service);
  await manyPayees(service, made, MANY);
  await insertOpeningBalances(service.ctx.db, made.program.id, service.time);
  const cancelled = await draft(service, made);
  expect((await runCall(service, made, 'POST', `/${cancelled.id}/cancel`)).body.data.status).toBe('cancelled');
  const run = await draft(service, made);
  expect(run.totals).toEqual([{ currency: 'USD', amount_cents: MANY * 2_000, payouts: MANY }]);
  const { body } = await runCall(service, made, 'POST', `/${run.id}/approve`);
  const rows = body.data.files.map((file: { rows: number }) => file.rows);
  expect(rows).toEqual(MANY > 5_000 ? [5_000, MANY - 5_000, MANY] : [MANY, MANY]);
  await runCall(service, made, 'POST', `/${run.id}/mark-sent`);
  const settled = await runCall(service, made, 'POST', `/${run.id}/settle`, { all: 'paid' });
  expect(settled.body.data.status).toBe('settled');
  const [stored] = await service.sql(
    `select count(*) as lines, count(distinct m.id) filter (where m.stage = 'paid' and m.due_cents = 0) as paid
     from payout_lines l join payouts o on o.id = l.payout_id join commissions m on m.id = l.commission_id
     where o.run_id = $1 and o.amount_cents = l.amount_cents and o.partner_id = m.partner_id`,
    [run.id],
  );
  expect(stored).toEqual({ lines: MANY, paid: MANY });
  expect(await listDifferences(service.ctx.db, made.program.id)).toEqual([]);
});
