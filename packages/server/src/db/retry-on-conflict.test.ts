import { describe, expect, it } from 'vitest';
import { DbError } from './db.ts';
import { withoutRest } from './rest.ts';
import { retryOnConflict, retryWhileLocked } from './retry-on-conflict.ts';

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

describe('retryWhileLocked', () => {
  it.each(['55P03', '40P01'])('rests and retries after %s', async (sqlState) => {
    const { attempts, work } = failing(2, new DbError('locked', sqlState));
    const restedAfter: number[] = [];
    expect(await retryWhileLocked(work, async () => void restedAfter.push(attempts.made))).toBe('done');
    expect(restedAfter).toEqual([1, 2]);
  });

  it('gives up after thirty attempts and throws the last error', async () => {
    const error = new DbError('locked', '55P03');
    const { attempts, work } = failing(Number.POSITIVE_INFINITY, error);
    await expect(retryWhileLocked(work, withoutRest)).rejects.toBe(error);
    expect(attempts.made).toBe(30);
  });

  it('throws any other error immediately', async () => {
    const error = new DbError('serialization', '40001');
    const { attempts, work } = failing(1, error);
    await expect(retryWhileLocked(work, withoutRest)).rejects.toBe(error);
    expect(attempts.made).toBe(1);
  });
});
