import { isConcurrencyConflict, isLockConflict, isUniqueViolation } from './db.ts';
import type { Rest } from './rest.ts';

const MAX_ATTEMPTS = 5;
const MAX_LOCK_ATTEMPTS = 30;

/**
 * Retries a transaction that failed because of a concurrent one: a deadlock, a serialization failure, or a unique value
 * that the other one took first. The new attempt sees what the other one wrote.
 */
export async function retryOnConflict<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(isConcurrencyConflict(error) || isUniqueViolation(error))) throw error;
    }
  }
}

/** Retries a transaction that gave up waiting for a lock, after a rest in which others have their turn. */
export async function retryWhileLocked<Result>(transaction: () => Promise<Result>, rest: Rest): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === MAX_LOCK_ATTEMPTS || !isLockConflict(error)) throw error;
      await rest();
    }
  }
}
