import type { Db } from '../db.ts';
import { IS_READ_ONLY, READ_ONLY } from './read-only.ts';

const TIMEOUT_MS = 2_000;
const NO_ANSWER = 'The store does not answer.';

/** Why nothing can be written to the store, as a sentence for operators; null if it works. */
export async function findTrouble(db: Db): Promise<string | null> {
  const known = db.trouble();
  if (known) return known;
  const timeout = new Promise<string>((resolve) => {
    setTimeout(() => resolve(NO_ANSWER), TIMEOUT_MS).unref();
  });
  const answered = db.query<{ is_read_only: boolean }>(IS_READ_ONLY, []).then(
    ([row]) => (row?.is_read_only ? READ_ONLY : null),
    () => db.trouble() ?? NO_ANSWER,
  );
  return Promise.race([answered, timeout]);
}
