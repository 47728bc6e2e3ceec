import type { Db } from './db.ts';

/** What was read, and by how many seconds it may be behind. Null if it was read from the store itself. */
export type Read<Result> = { result: Result; behindSeconds: number | null };

/** Whether the replica answers, and by how many seconds it may be behind; null while that is not known. */
export type ReplicaState = { isUsed: boolean; behindSeconds: number | null };

/** Reads what may lack the last moments: reports, totals and exports. Never what decides something or says what is owed. */
export type ReportReader = {
  /** Runs `work`, which only reads, on the replica. If there is none, or it is away or far behind, on the store itself. */
  read<Result>(work: (db: Db) => Promise<Result>): Promise<Read<Result>>;
  /** Null without a replica. */
  replica(): ReplicaState | null;
  close(): Promise<void>;
};

/** Reads from the store itself. */
export function withoutReplica(db: Db): ReportReader {
  return {
    read: async (work) => ({ result: await work(db), behindSeconds: null }),
    replica: () => null,
    close: async () => {},
  };
}
