import { describe, expect, it, onTestFinished } from 'vitest';
import { DbError } from './db.ts';
import { createGroupCommit, GroupFull } from './group-commit.ts';

/** A write that is held until the test releases it, and records the groups it was given. */
function heldWrite() {
  const groups: string[][] = [];
  const gates: (() => void)[] = [];
  const started: (() => void)[] = [];
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
    for (const open of gates.splice(0)) open();
  });
  return {
    groups,
    write: async (rows: string[]) => {
      groups.push(rows);
      started.shift()?.();
      if (!isOver) await new Promise<void>((resolve) => gates.push(resolve));
      return rows.map((row) => `stored ${row}`);
    },
    /** Resolves when the next group starts being written. */
    nextStart: () => new Promise<void>((resolve) => started.push(resolve)),
    release: () => gates.shift()?.(),
  };
}

const turn = () => new Promise(setImmediate);

describe('grouping', () => {
  it('writes the rows of one turn of the event loop as one group and returns each caller its own result', async () => {
    const groups: number[][] = [];
    const commit = createGroupCommit({
      write: async (rows: number[]) => {
        groups.push(rows);
        return rows.map((row) => row * 10);
      },
    });
    expect(await Promise.all([3, 1, 2].map((row) => commit.submit(row)))).toEqual([30, 10, 20]);
    expect(groups).toEqual([[3, 1, 2]]);
  });

  it('keeps rows that arrive while a group is being written for the next group, in order', async () => {
    const held = heldWrite();
    const commit = createGroupCommit({ write: held.write });
    const begun = held.nextStart();
    const first = commit.submit('a');
    await begun;
    const later = ['b', 'c', 'd'].map((row) => commit.submit(row));
    expect(commit.waiting()).toBe(3);
    await turn();
    expect(held.groups).toEqual([['a']]);

    const second = held.nextStart();
    held.release();
    expect(await first).toBe('stored a');
    await second;
    expect(commit.waiting()).toBe(0);
    held.release();
    expect(await Promise.all(later)).toEqual(['stored b', 'stored c', 'stored d']);
    expect(held.groups).toEqual([['a'], ['b', 'c', 'd']]);
  });

  it('answers no more callers in one turn of the event loop than allowed', async () => {
    const commit = createGroupCommit({ write: async (rows: number[]) => rows, answersPerTurn: 2 });
    let answered = 0;
    const all = [1, 2, 3, 4, 5].map((row) => commit.submit(row).then(() => (answered += 1)));
    const steps = [0];
    while (answered < all.length) {
      await turn();
      steps.push(answered);
    }
    const mostInOneTurn = Math.max(...steps.map((count, index) => count - (steps[index - 1] ?? 0)));
    expect(mostInOneTurn).toBe(2);
  });

  it('answers no caller before its group has been written', async () => {
    const held = heldWrite();
    const commit = createGroupCommit({ write: held.write });
    const begun = held.nextStart();
    const answered: string[] = [];
    const first = commit.submit('a').then((answer) => answered.push(answer));
    await begun;
    await turn();
    expect(answered).toEqual([]);
    held.release();
    await first;
    expect(answered).toEqual(['stored a']);
  });

  it('splits waiting rows into groups of at most maxGroup, in order', async () => {
    const groups: number[][] = [];
    const commit = createGroupCommit({
      maxGroup: 2,
      write: async (rows: number[]) => {
        groups.push(rows);
        return rows;
      },
    });
    await Promise.all([1, 2, 3, 4, 5].map((row) => commit.submit(row)));
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('starts again after being idle, and reports the size of each group', async () => {
    const sizes: number[] = [];
    const commit = createGroupCommit({
      write: async (rows: number[]) => rows,
      onGroup: (size, seconds) => {
        sizes.push(size);
        expect(seconds).toBeGreaterThanOrEqual(0);
      },
    });
    await Promise.all([commit.submit(1), commit.submit(2)]);
    await turn();
    expect(await commit.submit(3)).toBe(3);
    await turn();
    expect(sizes).toEqual([2, 1]);
  });
});

describe('the limit of waiting rows', () => {
  it('rejects a row with GroupFull when maxWaiting rows are waiting, and loses none of those', async () => {
    const held = heldWrite();
    const commit = createGroupCommit({ write: held.write, maxWaiting: 2 });
    const begun = held.nextStart();
    const first = commit.submit('a');
    await begun;
    const waiting = [commit.submit('b'), commit.submit('c')];
    await expect(commit.submit('d')).rejects.toBeInstanceOf(GroupFull);
    expect(commit.waiting()).toBe(2);

    const second = held.nextStart();
    held.release();
    await second;
    const fits = commit.submit('e');
    const third = held.nextStart();
    held.release();
    await third;
    held.release();
    expect(await Promise.all([first, ...waiting, fits])).toEqual(['stored a', 'stored b', 'stored c', 'stored e']);
    expect(held.groups).toEqual([['a'], ['b', 'c'], ['e']]);
  });
});

describe('a group that fails', () => {
  const refusing = (bad: (row: number) => boolean, groups: number[][] = []) => ({
    groups,
    write: async (rows: number[]) => {
      groups.push(rows);
      if (rows.some(bad)) throw new DbError('numeric field overflow', '22003');
      return rows.map((row) => row * 10);
    },
  });

  it('is written row by row when the database refused it, so that one bad row does not fail the others', async () => {
    const { groups, write } = refusing((row) => row === 2);
    const commit = createGroupCommit({ write });
    const results = await Promise.allSettled([1, 2, 3].map((row) => commit.submit(row)));
    expect(results).toEqual([
      { status: 'fulfilled', value: 10 },
      { status: 'rejected', reason: expect.objectContaining({ sqlState: '22003' }) },
      { status: 'fulfilled', value: 30 },
    ]);
    expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('is not retried when it had only one row', async () => {
    const { groups, write } = refusing(() => true);
    const commit = createGroupCommit({ write });
    await expect(commit.submit(1)).rejects.toMatchObject({ sqlState: '22003' });
    expect(groups).toEqual([[1]]);
  });

  it.each([
    ['a lost connection, which has no SQL state', new DbError('Connection terminated unexpectedly')],
    ['08006 connection failure', new DbError('connection failure', '08006')],
    ['53100 disk full', new DbError('could not extend file', '53100')],
    ['57P01 admin shutdown', new DbError('terminating connection', '57P01')],
    ['58030 I/O error', new DbError('could not read block', '58030')],
    ['XX000 internal error', new DbError('cache lookup failed', 'XX000')],
    ['a bug in the code', new TypeError('undefined is not a function')],
  ])('rejects all its rows, and later groups work: %s', async (_what, error) => {
    const groups: number[][] = [];
    let isDown = true;
    const commit = createGroupCommit({
      write: async (rows: number[]) => {
        groups.push(rows);
        if (isDown) throw error;
        return rows;
      },
    });
    const results = await Promise.allSettled([commit.submit(1), commit.submit(2)]);
    expect(results).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ]);
    expect(groups).toEqual([[1, 2]]);
    isDown = false;
    expect(await Promise.all([commit.submit(3), commit.submit(4)])).toEqual([3, 4]);
    expect(commit.waiting()).toBe(0);
  });

  it('also rejects its rows when the write throws synchronously', async () => {
    const commit = createGroupCommit<number, number>({
      write: () => {
        throw new DbError('no connection');
      },
    });
    await expect(commit.submit(1)).rejects.toThrow('no connection');
    await expect(commit.submit(2)).rejects.toThrow('no connection');
  });

  it('keeps the rows that waited behind it in order', async () => {
    const { groups, write } = refusing((row) => row === 2);
    const commit = createGroupCommit({ write, maxGroup: 3 });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((row) => commit.submit(row)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(groups).toEqual([[1, 2, 3], [1], [2], [3], [4, 5]]);
  });
});

describe('a store that hangs', () => {
  it('fails a group that takes too long, and refuses rows that have waited too long for their turn', async () => {
    const held = heldWrite();
    const commit = createGroupCommit({ write: held.write, maxWriteMs: 60, maxWaitMs: 20 });
    const begun = held.nextStart();
    const first = commit.submit('a');
    await begun;
    const late = commit.submit('b');
    const [failed, refused] = await Promise.allSettled([first, late]);
    expect(failed).toMatchObject({ reason: { message: 'The store did not answer in time' } });
    expect(refused).toMatchObject({ reason: expect.any(GroupFull) });
    expect(held.groups).toEqual([['a']]);

    const again = held.nextStart();
    const next = commit.submit('c');
    await again;
    held.release();
    held.release();
    expect(await next).toBe('stored c');
  });

  it('gives up a row whose caller waits less than others, and writes the others', async () => {
    const held = heldWrite();
    const commit = createGroupCommit({ write: held.write });
    const begun = held.nextStart();
    const first = commit.submit('a');
    await begun;
    const hasty = commit.submit('b', 0).catch((error) => error);
    const patient = commit.submit('c');
    await turn();
    const next = held.nextStart();
    held.release();
    await next;
    held.release();
    expect(await Promise.all([first, hasty, patient])).toEqual(['stored a', expect.any(GroupFull), 'stored c']);
    expect(held.groups).toEqual([['a'], ['c']]);
  });
});
