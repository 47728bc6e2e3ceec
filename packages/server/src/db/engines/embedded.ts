import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Db, Transaction, Trouble } from '../db.ts';
import { collectSent } from '../sent-statements.ts';
import type { Engine } from './embedded/engine.ts';
import { createStatementQueue } from './embedded/statement-queue.ts';
import { type Limits, superviseEngine } from './embedded/supervise-engine.ts';
import { STATEMENT_SETTINGS, setForSession } from './planner-settings.ts';

/** A store without data, created by the build: copying it takes a tenth of the time of creating a new one. */
const EMPTY_STORE = fileURLToPath(new URL('../../../dist/empty-store.tar.gz', import.meta.url));

/** A request has to be answered within ten seconds, and the process has to end within 25. */
const LIMITS: Limits = { answerMs: 7_000, stuckMs: 60_000, closeMs: 6_000 };

export type EmbeddedOptions = {
  /** What a new store starts as a copy of; with null, it starts from nothing. */
  template?: string | null;
  /** Whether commits are flushed to the disk before they are answered, so that they survive a power cut. */
  isSynced?: boolean;
  /** Called when something begins to be wrong with the store, and with null when it works again. */
  onTrouble?: (trouble: Trouble | null) => void;
  limits?: Partial<Limits>;
  /** After how many segments of the log, of 16 MiB each, the store is brought up to date with it. */
  checkpointSegments?: number;
};

type Listener = { onMessage: (payload: string) => void; onGap: () => void };

/** Opens the embedded Postgres in a folder, or in memory for `memory://`. One process at a time may hold a folder. */
export async function openEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Db> {
  const { template = EMPTY_STORE, isSynced = true, checkpointSegments = 16, onTrouble = () => {} } = options;
  const limits = { ...LIMITS, ...options.limits };
  const listeners = new Map<string, Listener[]>();
  const supervisor = await superviseEngine({
    dataDir,
    template,
    isSynced,
    checkpointSegments,
    settings: setForSession(STATEMENT_SETTINGS),
    limits,
    onTrouble,
    onNotification(channel, payload) {
      for (const { onMessage } of listeners.get(channel) ?? []) onMessage(payload);
    },
    onReopened: listenAgain,
  });
  const queue = createStatementQueue(limits.answerMs);

  async function listenAgain(engine: Engine): Promise<void> {
    for (const [channel, known] of listeners) {
      await engine.send({ listen: channel });
      for (const { onGap } of known) onGap();
    }
  }

  /** The first statement also begins the transaction, which saves a message. */
  async function runTransaction<Result>(work: (tx: Transaction) => Promise<Result>, isTimed: boolean): Promise<Result> {
    let begins = true;
    let hasFailed = false;
    let ending = 'commit';
    const sent = collectSent((sql, params) => tx.query(sql, params));
    const afterwards: (() => void)[] = [];
    const session = supervisor.session();
    const tx: Transaction = {
      rollBack() {
        ending = 'rollback';
      },
      afterCommit: (work) => void afterwards.push(work),
      query<Row>(sql: string, params?: unknown[]) {
        const request = { sql, params, begins };
        begins = false;
        const answer = supervisor.send(request, isTimed, session) as Promise<Row[]>;
        answer.catch(() => {
          hasFailed = true;
        });
        return answer;
      },
      send: sent.send,
    };
    try {
      const result = await work(tx);
      await Promise.all(sent.statements);
      // Committing would commit nothing, without a word, unless the work has gone back to before the failure.
      if (hasFailed && ending === 'commit') await supervisor.send({ sql: 'select 1' }, isTimed, session);
      if (!begins) await supervisor.send({ sql: ending }, isTimed, session);
      if (ending === 'commit') for (const work of afterwards) work();
      return result;
    } catch (error) {
      if (!begins) await supervisor.send({ sql: 'rollback' }, isTimed, session).catch(() => undefined);
      throw error;
    }
  }

  const createDb = (isTimed: boolean): Db => ({
    kind: 'embedded',
    query: <Row>(sql: string, params?: unknown[]) =>
      queue.take(() => supervisor.send({ sql, params }, isTimed), isTimed) as Promise<Row[]>,
    transaction: (work) => queue.take(() => runTransaction(work, isTimed), isTimed),
    get untimed() {
      return isTimed ? createDb(false) : this;
    },
    trouble: supervisor.trouble,
    async onOneNode(_name, work) {
      await work(new AbortController().signal);
      return true;
    },
    async listen(channel, onMessage, onGap) {
      const others = listeners.get(channel);
      listeners.set(channel, [...(others ?? []), { onMessage, onGap }]);
      if (!others) await queue.take(() => supervisor.send({ listen: channel }, isTimed), isTimed);
    },
    isHearing: () => true,
    async close() {
      const free = queue.take(async () => undefined, false);
      await Promise.race([free, sleep(limits.closeMs, undefined, { ref: false })]);
      await supervisor.close();
    },
  });
  return createDb(true);
}
