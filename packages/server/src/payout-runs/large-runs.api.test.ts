import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { manyPayees } from '@svc/testkit/service/payments/many-payees.ts';
import { draft, runCall } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Db, Queryable } from '../db/db.ts';
import { approveRun } from './approve-run.ts';
import { cancelRun } from './cancel-run.ts';
import { makeRun } from './make-run.ts';
import { sendRun } from './send-run.ts';
import { settleRun } from './settle-run.ts';

// Nothing listens on this port: the mail waits in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' });

const EVERYBODY = { cutoffAt: null, currency: null, partnerIds: null, excludedPartnerIds: [], exclusionNotes: {} };

/** The service, and how many statements its transactions have run. */
function counted(): { ctx: typeof service.ctx; statements: () => number } {
  let count = 0;
  const counting = <Connection extends Queryable>(connection: Connection): Connection =>
    new Proxy(connection, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return (sql: string, params?: unknown[]) => {
          // How many mails wait is counted again every few seconds.
          if (!sql.includes('from mails')) count += 1;
          return target.query(sql, params);
        };
      },
    });
  const db: Db = new Proxy(service.ctx.db, {
    get(target, name) {
      if (name === 'transaction')
        return (work: Parameters<Db['transaction']>[0]) => target.transaction((tx) => work(counting(tx)));
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const ctx = { ...service.ctx, db } satisfies Context;
  return { ctx, statements: () => count };
}

/** The number of statements of each step of a run with so many partners. */
async function statementsFor(partners: number): Promise<Record<string, number>> {
  const made = await ownedProgram(service);
  await manyPayees(service, made, partners);
  const steps: Record<string, number> = {};
  const { ctx, statements } = counted();
  const count = async <Result>(name: string, step: () => Promise<Result>): Promise<Result> => {
    const before = statements();
    const result = await step();
    steps[name] = statements() - before;
    return result;
  };
  const { id: first } = await count('make', () => makeRun(ctx, made.program, EVERYBODY, OPERATOR));
  await count('cancel', () => cancelRun(ctx, made.program, first, OPERATOR));
  const { id } = await makeRun(ctx, made.program, EVERYBODY, OPERATOR);
  await count('approve', () => approveRun(ctx, made.program, id, OPERATOR));
  await count('send', () => sendRun(ctx, made.program, id, OPERATOR));
  await count('settle', () => settleRun(ctx, made.program, id, { allPaid: true, reference: null }, OPERATOR));
  return steps;
}

it('the statements of a run do not depend on how many partners it pays', async () => {
  const few = await statementsFor(2);
  expect(await statementsFor(60)).toEqual(few);
  for (const count of Object.values(few)) expect(count).toBeLessThan(30);
});

it('more partners than a request for payouts can pay are in one run', async () => {
  const made = await ownedProgram(service);
  await manyPayees(service, made, 450);
  const run = await draft(service, made);
  expect(run.totals).toEqual([{ currency: 'USD', amount_cents: 900_000, payouts: 450 }]);
  const { body } = await runCall(service, made, 'POST', `/${run.id}/approve`);
  expect(body.data.files).toMatchObject([{ name: 'paypal.csv', rows: 450, amount_cents: 900_000 }, { rows: 450 }]);
});
