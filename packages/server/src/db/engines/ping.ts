import type { Db } from '../db.ts';

const TIMEOUT_MS = 2_000;

/** Whether the store answers a query within two seconds. */
export async function isReachable(db: Db): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), TIMEOUT_MS).unref();
  });
  const answered = db.query('select 1', []).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, timeout]);
}
