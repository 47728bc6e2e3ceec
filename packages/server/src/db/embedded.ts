import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Db, DbError, type Queryable } from './db.ts';
import { PLANNER_SETTINGS } from './planner-settings.ts';

type Reply = {
  id?: number;
  rows?: Record<string, unknown>[];
  error?: { message: string; code?: string; constraint?: string };
  channel?: string;
  payload?: string;
};

type PendingRequest = { resolve(rows: Record<string, unknown>[]): void; reject(error: Error): void };

/** A store without data, created by the build: copying it takes a tenth of the time of creating a new one. */
const EMPTY_STORE = fileURLToPath(new URL('../../dist/empty-store.tar.gz', import.meta.url));

/**
 * Opens the embedded Postgres in a folder, or in memory for `memory://`. One process at a time may hold a folder. A new store
 * starts as a copy of `template`, or from nothing where that is null or missing.
 */
export async function openEmbedded(dataDir: string, template: string | null = EMPTY_STORE): Promise<Db> {
  const worker = new Worker(new URL('./embedded-worker.js', import.meta.url), {
    workerData: { dataDir, template, settings: PLANNER_SETTINGS },
  });
  const pending = new Map<number, PendingRequest>();
  const listeners = new Map<string, ((payload: string) => void)[]>();
  let lastId = 0;
  let stopped: Error | undefined;

  await once(worker, 'message');
  worker.on('message', (reply: Reply) => {
    if (reply.channel !== undefined) {
      for (const listener of listeners.get(reply.channel) ?? []) listener(reply.payload ?? '');
      return;
    }
    const request = pending.get(reply.id ?? 0);
    pending.delete(reply.id ?? 0);
    if (reply.error) request?.reject(new DbError(reply.error.message, reply.error.code, reply.error.constraint));
    else request?.resolve(reply.rows ?? []);
  });
  worker.on('error', (error) => failAll(error));
  worker.on('exit', () => failAll(new DbError('The embedded store has stopped')));

  function failAll(error: Error) {
    stopped = error;
    for (const request of pending.values()) request.reject(error);
    pending.clear();
  }

  function send(request: object): Promise<Record<string, unknown>[]> {
    if (stopped) return Promise.reject(stopped);
    return new Promise((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, ...request });
    });
  }

  // The store has one connection, so everything else waits while a transaction runs.
  let lastWork: Promise<unknown> = Promise.resolve();
  function runExclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = lastWork.then(work);
    lastWork = result.catch(() => undefined);
    return result;
  }

  const direct: Queryable = {
    query: <Row>(sql: string, params?: unknown[]) => send({ sql, params }) as Promise<Row[]>,
  };

  /** The first statement also begins the transaction, which saves a message. */
  async function runTransaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    let begins = true;
    const tx: Queryable = {
      query<Row>(sql: string, params?: unknown[]) {
        const request = { sql, params, begins };
        begins = false;
        return send(request) as Promise<Row[]>;
      },
    };
    try {
      const result = await work(tx);
      if (!begins) await direct.query('commit');
      return result;
    } catch (error) {
      if (!begins) await direct.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  return {
    kind: 'embedded',
    query: (sql, params) => runExclusively(() => direct.query(sql, params)),
    transaction: (work) => runExclusively(() => runTransaction(work)),
    async listen(channel, onMessage) {
      const others = listeners.get(channel);
      listeners.set(channel, [...(others ?? []), onMessage]);
      if (!others) await runExclusively(() => send({ listen: channel }));
    },
    async close() {
      if (stopped) return;
      await runExclusively(() => send({ close: true }));
      await worker.terminate();
    },
  };
}
