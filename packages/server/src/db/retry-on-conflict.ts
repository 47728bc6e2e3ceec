import { isUniqueViolation, lostToAnother } from './db.ts';

const MAX_ATTEMPTS = 5;

/**
 * Runs a transaction again when it lost to another one at the same time: a deadlock, or a unique value that the other took
 * first. The new attempt sees what the other one wrote.
 */
export async function retryOnConflict<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(lostToAnother(error) || isUniqueViolation(error))) throw error;
    }
  }
}
