import type pg from 'pg';
import { serverUrls } from './servers.ts';
import { createSingleConnection, type SingleConnection } from './single-connection.ts';

const LIMITS = { connectionMs: 2_500, answerMs: 2_500 };

/**
 * Whether the address leads to a pooler that gives each transaction another connection to the server. A server tells a client
 * the number of its process; a pooler tells it one of its own. In session mode, nobody else is given the same process meanwhile. A server
 * that does not answer is none.
 */
export async function isTransactionPooler(databaseUrl: string): Promise<boolean> {
  for (const url of serverUrls(databaseUrl) ?? []) {
    const isPooler = await isOne(url).catch(() => null);
    if (isPooler !== null) return isPooler;
  }
  return false;
}

async function isOne(url: string): Promise<boolean> {
  const opened: SingleConnection[] = [];
  const open = async () => {
    const connection = createSingleConnection(url, 'svc', LIMITS);
    opened.push(connection);
    connection.client.on('error', () => undefined);
    await connection.client.connect();
    return connection.client;
  };
  try {
    const first = await open();
    const process = await processOf(first);
    // The driver knows the number, but its types do not.
    if (process === (first as pg.Client & { processID: number }).processID) return false;
    const second = await open();
    await second.query('begin');
    return process === (await processOf(second)) || process !== (await processOf(first));
  } finally {
    for (const { drop } of opened) drop();
  }
}

async function processOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
