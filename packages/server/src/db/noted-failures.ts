import { defineRequestState, hasRequestState, runWithRequestState } from '@better-auth/core/context';
import { DbError, type Queryable } from './db.ts';

/**
 * What failed first in a call of the sign-in library, which keeps such a state for each call anyway: calls at the same time do not
 * mix, and no promise is followed for it. An error that the library recognizes would not do: most of its routes catch whatever the
 * lookup of their session throws.
 */
const failure = defineRequestState<DbError | null>(() => null);

/** The store for what the library runs, hooks included. Notes for `throwingFailures` what a statement failed with. */
export function notingFailures(db: Queryable): Queryable {
  return { query: <Row>(sql: string, params?: unknown[]) => db.query<Row>(sql, params).catch(noteAndThrow) };
}

async function noteAndThrow(error: unknown): Promise<never> {
  if (error instanceof DbError && (await hasRequestState()) && !(await failure.get())) await failure.set(error);
  throw error;
}

/**
 * Calls the sign-in library, and throws what a statement failed with meanwhile. The library hides it, and not always behind an error:
 * when it cannot look up a session it may go on as if there were none, and when it cannot delete one it says that it has.
 */
export async function throwingFailures<Result>(call: () => Promise<Result>): Promise<Result> {
  const state = new WeakMap<object, DbError | null>();
  const [outcome] = await Promise.allSettled([runWithRequestState(state, call)]);
  const failed = state.get(failure.ref);
  if (failed) throw failed;
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
