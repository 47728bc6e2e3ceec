import { expect, it } from 'vitest';
import { MAX_REPAIR_ATTEMPTS, nextRepairAt } from './repair-schedule.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const minutesAfter = (attempts: number) => ((nextRepairAt(attempts, NOW)?.getTime() ?? 0) - NOW.getTime()) / 60_000;

it('waits twice as long after each failed attempt, at most 12 hours', () => {
  expect([1, 2, 3, 4, 10, 11, 14].map(minutesAfter)).toEqual([1, 2, 4, 8, 512, 720, 720]);
});

it('gives up after a bounded number of attempts, within four days', () => {
  expect(nextRepairAt(MAX_REPAIR_ATTEMPTS - 1, NOW)).not.toBeNull();
  expect(nextRepairAt(MAX_REPAIR_ATTEMPTS, NOW)).toBeNull();
  const waits = Array.from({ length: MAX_REPAIR_ATTEMPTS - 1 }, (_, index) => minutesAfter(index + 1));
  expect(waits.reduce((sum, minutes) => sum + minutes, 0)).toBeLessThan(4 * 24 * 60);
});
