import { expect, it } from 'vitest';
import { openDueWorker } from './due-work.ts';

const NOTHING = { now: () => new Date(), log: { debug() {}, info() {}, warn() {}, error() {} } };

it.each([
  ['while it works', 'process'],
  ['while it looks for the next row', 'findNextDue'],
] as const)('works on a row that is stored %s', async (_, during) => {
  const stored = ['a'];
  const worked: string[] = [];
  const storeOnce = (where: string) => {
    if (where !== during || worked.includes('b') || stored.includes('b')) return;
    stored.push('b');
    worker.wake();
  };
  const worker = openDueWorker(NOTHING, {
    failure: 'The work failed',
    process: async () => {
      worked.push(...stored.splice(0));
      storeOnce('process');
    },
    findNextDue: async () => {
      storeOnce('findNextDue');
      return null;
    },
  });
  worker.wake();
  await worker.idle();
  expect(worked).toEqual(['a', 'b']);
  await worker.close();
});

it('rests after a failure, also if it is woken meanwhile', async () => {
  let attempts = 0;
  const worker = openDueWorker(NOTHING, {
    failure: 'The work failed',
    process: async () => {
      attempts += 1;
      worker.wake();
      throw new Error('The store is gone');
    },
    findNextDue: async () => null,
  });
  worker.wake();
  await worker.idle();
  expect(attempts).toBe(1);
  await worker.close();
});
