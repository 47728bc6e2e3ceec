import type { DbError, Trouble } from '../../db.ts';

/** How long writes have failed without a single commit before that counts as trouble, and how often at least. */
const FAILING_MS = 5_000;
const FAILURES_OF_TROUBLE = 3;
/** One row that is locked makes one statement fail, however often it is tried. */
const KINDS_OF_TROUBLE = 2;
/**
 * A balancer sends nothing to a node in trouble. Without this nothing would be written there, and the trouble never be over. A failure
 * after such a time has nothing to do with those before.
 */
const QUIET_MS = 30_000;

/** Out of resources, cancelled at the time limit, and faults of the server's disk or of the server itself. */
const FAILURES = /^(53|57014|58|XX)/;

export type WriteWatch = {
  /** Why nothing is written; null while something is, or while nobody tries. */
  trouble(): string | null;
  /** Something was committed. */
  noteCommit(): void;
  /** A statement that writes, or its commit, has failed. */
  noteFailure(error: DbError, sql: string): void;
};

type Options = {
  /** Whether the log has a line about the server already. */
  isKnown: () => boolean;
  /** Called with the trouble when it begins, and with null when something was committed again. */
  onTrouble: (trouble: Trouble | null) => void;
  now?: () => number;
};

/** Failures since the last commit, with what failed: statements, and the tables that they write. */
type Failing = { since: number; last: number; failures: number; statements: Set<string>; tables: Set<string> };

/** Notices that nothing is committed while writes fail, whatever the reason. Only a commit ends it. */
export function watchWrites({ isKnown, onTrouble, now = () => performance.now() }: Options): WriteWatch {
  let committedAt: number | null = null;
  let failing: Failing | null = null;
  let isAnnounced = false;

  function trouble(): string | null {
    const time = now();
    if (!failing || failing.last - failing.since < FAILING_MS || time - failing.last > QUIET_MS) return null;
    const { failures, statements, tables } = failing;
    if (failures < FAILURES_OF_TROUBLE || Math.max(statements.size, tables.size) < KINDS_OF_TROUBLE) return null;
    return `Nothing has been committed for ${Math.floor((time - (committedAt ?? failing.since)) / 1000)} seconds.`;
  }

  return {
    trouble,
    noteCommit() {
      committedAt = now();
      failing = null;
      if (!isAnnounced) return;
      isAnnounced = false;
      onTrouble(null);
    },
    noteFailure(error, sql) {
      if (!FAILURES.test(error.sqlState ?? '')) return;
      const time = now();
      if (!failing || time - failing.last > QUIET_MS) {
        failing = { since: time, last: time, failures: 0, statements: new Set(), tables: new Set() };
      }
      failing.last = time;
      failing.failures += 1;
      failing.statements.add(sql);
      for (const table of tablesOf(sql)) failing.tables.add(table);
      const message = trouble();
      if (!message || isAnnounced || isKnown()) return;
      isAnnounced = true;
      onTrouble({ message, cause: error.message });
    },
  };
}

const WRITES = /\b(insert\s+into|delete\s+from|merge\s+into|(?<!for\s+|for\s+no\s+key\s+)update\s)/i;
const WRITTEN =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|(?<!for\s+|for\s+no\s+key\s+|\bdo\s+)update)\s+(?:only\s+)?([\w.]+)/gi;

const tablesOf = (sql: string) => [...sql.matchAll(WRITTEN)].map(([, table]) => table as string);

const known = new Map<string, boolean>();

/** Whether a statement writes rows, and does not only read or lock them. */
export function isWrite(sql: string): boolean {
  let answer = known.get(sql);
  if (answer === undefined) {
    answer = WRITES.test(sql);
    known.set(sql, answer);
  }
  return answer;
}
