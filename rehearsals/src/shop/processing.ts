import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Queryable } from '@svc/server/db/db';
import type { Program } from './programs.ts';

/** Connects a program to an account of the platform. Every release with payment processors has these columns. */
export async function connectAccount(db: Db, program: Program): Promise<Program> {
  const account = `acct_${program.id}`;
  await db.query(
    `insert into processor_connections (program_id, provider, account_id, connected_at) values ($1, 'stripe', $2, now())`,
    [program.id, account],
  );
  await db.query(
    'insert into processor_accounts (account_id, advertiser_id) select $2, advertiser_id from programs where id = $1',
    [program.id, account],
  );
  return { ...program, account };
}

/** Waits until every event of the payment processor has been processed. */
export async function untilProcessed(db: Queryable): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const due = await db.query(`select 1 from processor_events where state = 'waiting' limit 1`, []);
    if (due.length === 0) return;
    await sleep(200);
  }
}
