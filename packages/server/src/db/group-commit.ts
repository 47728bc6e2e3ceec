import { isRefusedStatement } from './db.ts';

export type GroupCommit<Row, Result> = {
  /** Resolves once the row's group has committed. Rejects with `GroupFull` when too many rows are already waiting. */
  submit(row: Row): Promise<Result>;
  /** How many rows are waiting for a group. */
  waiting(): number;
};

export class GroupFull extends Error {}

type Waiting<Row, Result> = { row: Row; resolve(result: Result): void; reject(error: unknown): void };

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
  onGroup?: (size: number, seconds: number) => void;
};

/**
 * Writes rows in groups, one group at a time: rows that arrive while a group is being written go into the next one. The
 * more callers there are, the larger the groups, so the cost of a commit is shared when it matters most.
 */
export function createGroupCommit<Row, Result>(options: Options<Row, Result>): GroupCommit<Row, Result> {
  const { write, maxGroup = 500, maxWaiting = 10_000, answersPerTurn = maxGroup, onGroup } = options;
  let queue: Waiting<Row, Result>[] = [];
  let writing = false;

  async function writeGroups() {
    writing = true;
    // Rows submitted in the same turn of the event loop share the first group.
    await new Promise(setImmediate);
    while (queue.length > 0) {
      const group = queue.slice(0, maxGroup);
      queue = queue.slice(maxGroup);
      const startedAt = performance.now();
      const answerCallers = await writeGroup(group);
      // The next group is sent to the database before the callers of this one get their answers.
      setImmediate(answerCallers);
      onGroup?.(group.length, (performance.now() - startedAt) / 1000);
    }
    writing = false;
  }

  /** Writes the group and returns a function that answers its callers. */
  async function writeGroup(group: Waiting<Row, Result>[]): Promise<() => void> {
    try {
      const results = await write(group.map(({ row }) => row));
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
    submit(row) {
      if (queue.length >= maxWaiting) return Promise.reject(new GroupFull());
      return new Promise((resolve, reject) => {
        queue.push({ row, resolve, reject });
        if (!writing) void writeGroups();
      });
    },
    waiting: () => queue.length,
  };
}
