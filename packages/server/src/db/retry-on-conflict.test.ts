import { describe, expect, it } from 'vitest';
import { DbError } from './db.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

function failing(times: number, error: Error) {
  const attempts = { made: 0 };
  const work = async () => {
    attempts.made += 1;
    if (attempts.made <= times) throw error;
    return 'done';
  };
  return { attempts, work };
}

describe('retryOnConflict', () => {
  it.each(['40001', '40P01', '23505'])('retries after %s', async (sqlState) => {
    const { attempts, work } = failing(2, new DbError('conflict', sqlState));
    expect(await retryOnConflict(work)).toBe('done');
    expect(attempts.made).toBe(3);
  });

  it('gives up after five attempts and throws the last error', async () => {
    const error = new DbError('conflict', '40P01');
    const { attempts, work } = failing(Number.POSITIVE_INFINITY, error);
    await expect(retryOnConflict(work)).rejects.toBe(error);
    expect(attempts.made).toBe(5);
  });

  it.each([new DbError('refused', '23514'), new DbError('connection lost'), new Error('a bug')])(
    'throws any other error immediately: %s',
    async (error) => {
      const { attempts, work } = failing(1, error);
      await expect(retryOnConflict(work)).rejects.toBe(error);
      expect(attempts.made).toBe(1);
    },
  );
});
