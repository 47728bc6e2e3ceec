import { isRefusedStatement } from './db.ts';

export type GroupCommit<Row, Result> = {
  /** Resolves once the row's own group has committed. Throws `GroupFull` when too many rows wait already. */
  submit(row: Row): Promise<Result>;
  /** How many rows wait for a group. */
  waiting(): number;
};

export class GroupFull extends Error {}

type Waiting<Row, Result> = { row: Row; resolve(result: Result): void; reject(error: unknown): void };

type Options<Row, Result> = {
  /** Writes the rows in one go and answers each, in order; an error is the answer to its own row alone. */
  write: (rows: Row[]) => Promise<(Result | Error)[]>;
  maxGroup?: number;
  maxWaiting?: number;
  onGroup?: (size: number, seconds: number) => void;
};

/**
 * Writes rows in groups, one group at a time: what arrives while a group is being written goes into the next. The more
 * callers there are, the larger the groups, so that the cost of a commit is shared just when it matters.
 */
export function createGroupCommit<Row, Result>(options: Options<Row, Result>): GroupCommit<Row, Result> {
  const { write, maxGroup = 500, maxWaiting = 10_000, onGroup } = options;
  let queue: Waiting<Row, Result>[] = [];
  let writing = false;

  async function writeGroups() {
    writing = true;
    // Everything that this turn of the event loop brings in shares the first group.
    await new Promise(setImmediate);
    while (queue.length > 0) {
      const group = queue.slice(0, maxGroup);
      queue = queue.slice(maxGroup);
      const startedAt = performance.now();
      const answer = await writeGroup(group);
      // The next group goes to the database before the callers of this one are answered.
      setImmediate(answer);
      onGroup?.(group.length, (performance.now() - startedAt) / 1000);
    }
    writing = false;
  }

  /** Writes the group; what it returns tells the members how they fared. */
  async function writeGroup(group: Waiting<Row, Result>[]): Promise<() => void> {
    try {
      const results = await write(group.map(({ row }) => row));
      return () => {
        for (const [index, { resolve, reject }] of group.entries()) {
          const result = results[index] as Result | Error;
          if (result instanceof Error) reject(result);
          else resolve(result);
        }
      };
    } catch (error) {
      if (group.length > 1 && isRefusedStatement(error)) {
        // One bad row must harm nobody else: each now stands for itself.
        for (const member of group) (await writeGroup([member]))();
        return () => {};
      }
      return () => {
        for (const { reject } of group) reject(error);
      };
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
