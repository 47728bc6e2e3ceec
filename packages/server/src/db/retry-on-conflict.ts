import { isConcurrencyConflict, isUniqueViolation } from './db.ts';

const MAX_ATTEMPTS = 5;

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
