import { expect, it } from 'vitest';
import { createLag } from './lag.ts';

it('is unknown until the replica has replayed something that the primary is known to have written', () => {
  const lag = createLag();
  expect(lag.behindSeconds(0)).toBeNull();
  lag.noteWritten('0/2000', 1_000);
  lag.noteReplayed('0/1FFF');
  expect(lag.behindSeconds(1_000)).toBeNull();
  lag.noteReplayed('0/2000');
  expect(lag.behindSeconds(1_500)).toBe(0.5);
});

it('is the time since the primary was where the replica is, also if the replica hears of nothing', () => {
  const lag = createLag();
  lag.noteWritten('0/FFFFFFFF', 1_000);
  lag.noteWritten('1/0', 2_000);
  lag.noteWritten('1/A0', 3_000);
  lag.noteReplayed('1/9F');
  expect(lag.behindSeconds(4_000)).toBe(2);
  lag.noteReplayed('1/9F');
  expect(lag.behindSeconds(60_000)).toBe(58);
});

it('is small while the primary writes nothing', () => {
  const lag = createLag();
  for (const atMs of [1_000, 2_000, 3_000]) lag.noteWritten('A/0', atMs);
  lag.noteReplayed('A/0');
  expect(lag.behindSeconds(3_200)).toBe(0.2);
});

it('starts over with another primary whose log ends earlier', () => {
  const lag = createLag();
  lag.noteWritten('0/9000', 1_000);
  lag.noteReplayed('0/8000');
  lag.noteWritten('0/7000', 2_000);
  lag.noteReplayed('0/8000');
  expect(lag.behindSeconds(2_000)).toBe(0);
});
