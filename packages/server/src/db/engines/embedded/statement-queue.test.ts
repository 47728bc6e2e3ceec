import { describe, expect, it } from 'vitest';
import { StoreBusy } from '../../db.ts';
import { createStatementQueue } from './statement-queue.ts';

const WAIT_MS = 30;

/** Work that ends when it is told to. */
function holder() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end: () => end() };
}

describe('the queue of statements', () => {
  it('are taken in the order of the requests, one at a time, and a failure does not stop the next one', async () => {
    const { take } = createStatementQueue(WAIT_MS);
    const seen: string[] = [];
    const first = take(async () => {
      await new Promise(setImmediate);
      seen.push('first');
      throw new Error('refused');
    }, true);
    const second = take(async () => seen.push('second'), true);
    await expect(first).rejects.toThrow('refused');
    expect(await second).toBe(2);
    expect(seen).toEqual(['first', 'second']);
  });

  it('refuse timed work that waited too long, and what comes after it, until the store is free', async () => {
    const { take } = createStatementQueue(WAIT_MS);
    const { work, end } = holder();
    const seen: string[] = [];
    const running = take(work, false);
    const patient = take(async () => seen.push('patient'), false);
    await expect(take(async () => seen.push('late'), true)).rejects.toBeInstanceOf(StoreBusy);
    const next = take(async () => seen.push('later'), true).catch((error: Error) => error);
    const atOnce = await Promise.race([next, new Promise((resolve) => setImmediate(resolve, 'waits'))]);
    expect(atOnce).toBeInstanceOf(StoreBusy);
    end();
    await Promise.all([running, patient]);
    await take(async () => seen.push('next'), true);
    expect(seen).toEqual(['patient', 'next']);
  });

  it('let the one that kept others waiting go on as soon as it is done', async () => {
    const { take } = createStatementQueue(WAIT_MS);
    const { work, end } = holder();
    const goingOn = take(work, true).then(() => take(async () => 'gone on', true));
    await expect(take(async () => {}, true)).rejects.toBeInstanceOf(StoreBusy);
    end();
    await expect(goingOn).resolves.toBe('gone on');
  });

  it('let timed work run as long as it takes once it has begun', async () => {
    const { take } = createStatementQueue(WAIT_MS);
    const { work, end } = holder();
    const running = take(work, true);
    // One that came later has waited in vain by then.
    await expect(take(async () => {}, true)).rejects.toBeInstanceOf(StoreBusy);
    end();
    await expect(running).resolves.toBeUndefined();
  });
});
