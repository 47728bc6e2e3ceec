import type { Db } from './db.ts';

/** Runs `work` unless another node is running it. An embedded store has only one node, so there it always runs. */
export async function runOnOneNode(db: Db, name: string, work: () => Promise<void>): Promise<boolean> {
  if (db.kind === 'embedded') {
    await work();
    return true;
  }
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('svc job ' || $1, 0)) as taken`,
      [name],
    );
    if (!lock?.taken) return false;
    await work();
    return true;
  });
}
