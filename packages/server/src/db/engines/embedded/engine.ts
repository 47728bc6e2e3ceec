import { Worker } from 'node:worker_threads';
import { DbError } from '../../db.ts';

export type Rows = Record<string, unknown>[];

export type EngineOptions = {
  dataDir: string;
  /** What a new store starts as a copy of. */
  template: string | null;
  /** Statements for the connection. */
  settings: string;
  /** Whether the log is flushed to the disk before a commit is answered. */
  isSynced: boolean;
  /** After how many segments of the log the engine makes a checkpoint. */
  checkpointSegments: number;
};

type Reply = {
  id?: number;
  rows?: Rows;
  error?: { message: string; code?: string; constraint?: string };
  channel?: string;
  payload?: string;
  isReady?: boolean;
  crash?: string;
};

type PendingRequest = { resolve(rows: Rows): void; reject(error: Error): void };

/** A running embedded Postgres in a thread of its own. */
export type Engine = {
  /** Resolves once the store is open, rejects if it cannot be opened. */
  ready: Promise<void>;
  /** Resolves with the reason when the thread has ended. */
  ended: Promise<string>;
  send(request: object): Promise<Rows>;
  /** Fails all requests that wait for an answer. The engine may still carry them out. */
  giveUp(error: Error): void;
  /** How many requests the engine has not answered, including those that were given up. */
  unanswered(): number;
  /** A number that changes when the engine answers, and another that changes when it uses a file. */
  progress(): { answers: number; fileUses: number };
  /** Ends the thread at once. It does not end while it is stuck in the operating system. */
  terminate(): void;
};

/** Starts the embedded Postgres. Notifications arrive at `onNotification`. */
export function startEngine(
  { dataDir, template, settings, isSynced, checkpointSegments }: EngineOptions,
  onNotification: (channel: string, payload: string) => void,
): Engine {
  const fileUses = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { dataDir, template, settings, isSynced, checkpointSegments, fileUses };
  const worker = new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData });
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let answers = 0;
  let reason = 'The embedded store has stopped';
  let isOver = false;

  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (reply: Reply) => {
      if (reply.isReady) resolve();
      else if (reply.crash !== undefined) reason = reply.crash;
      else if (reply.channel !== undefined) onNotification(reply.channel, reply.payload ?? '');
      else answer(reply);
    });
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', () => reject(new DbError(reason)));
  });
  const ended = new Promise<string>((resolve) => {
    worker.on('exit', () => {
      isOver = true;
      giveUp(new DbError(reason));
      resolve(reason);
    });
  });

  function answer({ id = 0, rows = [], error }: Reply): void {
    answers += 1;
    const request = pending.get(id);
    pending.delete(id);
    if (error) request?.reject(new DbError(error.message, error.code, error.constraint));
    else request?.resolve(rows);
  }

  function giveUp(error: Error): void {
    for (const request of pending.values()) request.reject(error);
    pending.clear();
  }

  return {
    ready,
    ended,
    send(request) {
      if (isOver) return Promise.reject(new DbError(reason));
      return new Promise((resolve, reject) => {
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        worker.postMessage({ id: lastId, ...request });
      });
    },
    giveUp,
    unanswered: () => lastId - answers,
    progress: () => ({ answers, fileUses: Atomics.load(fileUses, 0) }),
    terminate: () => void worker.terminate(),
  };
}
