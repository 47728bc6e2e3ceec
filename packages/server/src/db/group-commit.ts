import { DbError, isRefusedStatement } from './db.ts';

export type GroupCommit<Row, Result> = {
  /**
   * Resolves once the row's group has committed. Rejects with `GroupFull` when too many rows are already waiting, or when the
   * row has waited too long for its turn: `maxWaitMs`, for callers who give up earlier than others.
   */
  submit(row: Row, maxWaitMs?: number): Promise<Result>;
  /** How many rows are waiting for a group. */
  waiting(): number;
};

export class GroupFull extends Error {}

type Waiting<Row, Result> = { row: Row; until: number; resolve(result: Result): void; reject(error: unknown): void };

type Options<Row, Result> = {
  /** Writes the rows together and returns one result per row, in order. An `Error` rejects only its own row. */
  write: (rows: Row[]) => Promise<(Result | Error)[]>;
  maxGroup?: number;
  maxWaiting?: number;
  /**
   * How many callers get their answers in one turn of the event loop. If all do, their next requests arrive together and
   * keep the loop busy while the database waits for it. That costs a `write` with several round trips the most.
   */
  answersPerTurn?: number;
  /** How long a row may wait for its group to begin. */
  maxWaitMs?: number;
  /** How long a group may take before its callers are told that it failed. It may still be stored. Null: no limit. */
  maxWriteMs?: number | null;
  onGroup?: (size: number, seconds: number) => void;
};

/** Together less than ten seconds: whatever the database does, a caller gets an answer by then. */
const MAX_WAIT_MS = 3_500;
const MAX_WRITE_MS = 5_000;

/**
 * Writes rows in groups, one group at a time: rows that arrive while a group is being written go into the next one. The
 * more callers there are, the larger the groups, so the cost of a commit is shared when it matters most.
 */
export function createGroupCommit<Row, Result>(options: Options<Row, Result>): GroupCommit<Row, Result> {
  const { write, maxGroup = 500, maxWaiting = 10_000, answersPerTurn = maxGroup, onGroup } = options;
  const { maxWaitMs = MAX_WAIT_MS, maxWriteMs = MAX_WRITE_MS } = options;
  let queue: Waiting<Row, Result>[] = [];
  let writing = false;

  async function writeGroups() {
    writing = true;
    // Rows submitted in the same turn of the event loop share the first group.
    await new Promise(setImmediate);
    while (queue.length > 0) {
      const startedAt = performance.now();
      refuseLate(startedAt);
      const group = queue.slice(0, maxGroup);
      queue = queue.slice(maxGroup);
      if (group.length === 0) continue;
      const answerCallers = await writeGroup(group);
      // The next group is sent to the database before the callers of this one get their answers.
      setImmediate(answerCallers);
      onGroup?.(group.length, (performance.now() - startedAt) / 1000);
    }
    writing = false;
  }

  /** Refuses the rows that were to be written earlier. */
  function refuseLate(time: number): void {
    if (queue.every(({ until }) => until >= time)) return;
    for (const { until, reject } of queue) if (until < time) reject(new GroupFull());
    queue = queue.filter(({ until }) => until >= time);
  }

  function writeInTime(rows: Row[]): Promise<(Result | Error)[]> {
    const written = write(rows);
    if (maxWriteMs === null) return written;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new DbError('The store did not answer in time')), maxWriteMs);
    });
    return Promise.race([written, timeout]).finally(() => clearTimeout(timer));
  }

  /** Writes the group and returns a function that answers its callers. */
  async function writeGroup(group: Waiting<Row, Result>[]): Promise<() => void> {
    try {
      const results = await writeInTime(group.map(({ row }) => row));
      return () => void answer(group, results);
    } catch (error) {
      if (group.length > 1 && isRefusedStatement(error)) {
        // One bad row must not fail the others, so each row is now written on its own.
        for (const member of group) (await writeGroup([member]))();
        return () => {};
      }
      return () => {
        for (const { reject } of group) reject(error);
      };
    }
  }

  async function answer(group: Waiting<Row, Result>[], results: (Result | Error)[]): Promise<void> {
    for (const [index, { resolve, reject }] of group.entries()) {
      if (index > 0 && index % answersPerTurn === 0) await new Promise(setImmediate);
      const result = results[index] as Result | Error;
      if (result instanceof Error) reject(result);
      else resolve(result);
    }
  }

  return {
    submit(row, ownMaxWaitMs = maxWaitMs) {
      if (queue.length >= maxWaiting) return Promise.reject(new GroupFull());
      return new Promise((resolve, reject) => {
        queue.push({ row, until: performance.now() + ownMaxWaitMs, resolve, reject });
        if (!writing) void writeGroups();
      });
    },
    waiting: () => queue.length,
  };
}
