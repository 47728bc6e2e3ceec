import { expect, it } from 'vitest';
import { restWhileBusy } from './rest-while-busy.ts';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it.each([
  ['postgres', 5],
  ['embedded', 9],
] as const)('while clicks wait, work on %s rests %i times as long as it took', async (kind, times) => {
  const rest = restWhileBusy({ db: { kind }, clicks: { waiting: () => 1 } });
  const startedAt = performance.now();
  work(20);
  await rest();
  // Timers may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(20 + 20 * times - 2);
});

it.each(['postgres', 'embedded'] as const)(
  'work on %s rests longer where requests take all the time there is',
  async (kind) => {
    const rest = restWhileBusy({ db: { kind }, clicks: { waiting: () => 1 } });
    let isOver = false;
    const answer = () => {
      work(2);
      if (!isOver) setImmediate(answer);
    };
    work(20);
    const startedAt = performance.now();
    answer();
    await rest();
    isOver = true;
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(20 * 14 - 2);
  },
);

it('a rest ends with the time that the work has, however long the work took', async () => {
  const startedAt = performance.now();
  const rest = restWhileBusy({ db: { kind: 'embedded' }, clicks: { waiting: () => 1 } }, 250);
  work(200);
  await rest();
  // Nine times as long would be two seconds in all.
  expect(performance.now() - startedAt).toBeLessThan(1_500);
});

it('a rest ends when the service stops, and there are no more', async () => {
  const stopping = new AbortController();
  const startedAt = performance.now();
  const rest = restWhileBusy({
    db: { kind: 'embedded' },
    clicks: { waiting: () => 1 },
    stopping: stopping.signal,
  });
  work(500);
  const resting = rest();
  // It looks around for a moment before it rests.
  setTimeout(() => stopping.abort(), 50);
  await resting;
  work(500);
  await rest();
  // Nine times as long would be nine seconds.
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});

it('work that has the service to itself hardly rests, even if it keeps the service busy', async () => {
  const rest = restWhileBusy({ db: { kind: 'embedded' }, clicks: { waiting: () => 0 } });
  let restedMs = 0;
  for (let piece = 0; piece < 10; piece += 1) {
    work(50);
    const startedAt = performance.now();
    await rest();
    restedMs += performance.now() - startedAt;
  }
  // Resting nine times as long after each piece would be 4.5 seconds.
  expect(restedMs).toBeLessThan(2_250);
});
