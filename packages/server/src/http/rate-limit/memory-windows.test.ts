import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryWindows } from './memory-windows.ts';
import type { WindowState } from './windows.ts';

const START = Date.parse('2026-03-10T12:00:00.000Z');
const CALLERS = 100_000;
const at = (seconds: number) => new Date(START + seconds * 1000);

/** `hit` of these windows is synchronous. */
function openWindows() {
  const windows = createMemoryWindows();
  return (key: string, seconds: number) => windows.hit(key, at(seconds)) as WindowState;
}

describe('windows in memory', () => {
  it('start with the first request and end 60 seconds after it', () => {
    const hit = openWindows();
    expect(hit('click:ip:1', 10)).toEqual({ count: 1, resetsAt: at(70) });
    expect(hit('click:ip:1', 69.999)).toEqual({ count: 2, resetsAt: at(70) });
    expect(hit('click:ip:1', 70)).toEqual({ count: 1, resetsAt: at(130) });
  });

  it('are not extended by requests', () => {
    const hit = openWindows();
    hit('click:ip:1', 0);
    for (let second = 1; second < 60; second += 1) expect(hit('click:ip:1', second).resetsAt).toEqual(at(60));
    expect(hit('click:ip:1', 60)).toEqual({ count: 1, resetsAt: at(120) });
  });

  it('are separate for each key', () => {
    const hit = openWindows();
    hit('click:ip:1', 0);
    hit('click:ip:1', 1);
    expect(hit('lead:ip:1', 2)).toEqual({ count: 1, resetsAt: at(62) });
    expect(hit('click:ip:2', 3)).toEqual({ count: 1, resetsAt: at(63) });
    expect(hit('click:ip:1', 4).count).toBe(3);
  });

  it.each([0, 0.001, 30, 59.999, 60, 61, 119])('started %s seconds after the others are not dropped early', (start) => {
    const hit = openWindows();
    hit('other', 0);
    hit('mine', start);
    for (let second = 1; second < 60; second += 1) {
      hit('other', start + second);
      expect(hit('mine', start + second).count).toBe(second + 1);
    }
    expect(hit('mine', start + 60).count).toBe(1);
  });

  it('count like a plain list of requests, for any order of keys and pauses', () => {
    const requests = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), pause: fc.nat({ max: 45_000 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(requests, (list) => {
        const hit = openWindows();
        const open = new Map<string, { start: number; count: number }>();
        let seconds = 0;
        for (const { key, pause } of list) {
          seconds += pause / 1000;
          const time = at(seconds).getTime();
          const window = open.get(key);
          const isOpen = window !== undefined && time < window.start + 60_000;
          const expected = isOpen ? { ...window, count: window.count + 1 } : { start: time, count: 1 };
          open.set(key, expected);
          expect(hit(key, seconds)).toEqual({ count: expected.count, resetsAt: new Date(expected.start + 60_000) });
        }
      }),
    );
  });

  it('of 100,000 callers over eighty minutes are freed once they have ended', async () => {
    const [allOpen = 0, mostEnded = 0] = await bytesKept(0.0001, 0.048);
    // At least a count and an end for each.
    expect(allOpen).toBeGreaterThan(CALLERS * 16);
    // Of eighty minutes, at most the last two are kept.
    expect(mostEnded).toBeLessThan(allOpen / 4);
  }, 60_000);
});

/**
 * How many bytes windows hold after all callers, one every so many seconds, for each of these paces. Measured
 * in a process of its own: the tests of other files share this one.
 */
async function bytesKept(...secondsApart: number[]): Promise<number[]> {
  const contents = `
    import { createMemoryWindows } from './memory-windows.ts';
    async function bytesHeld() {
      for (let round = 0; round < 3; round += 1) {
        gc();
        await new Promise(setImmediate);
      }
      return process.memoryUsage().heapUsed;
    }
    // All stay referenced until the end, so that memory freed late by one is not attributed to another.
    const inUse = [];
    const kept = [];
    for (const apart of ${JSON.stringify(secondsApart)}) {
      const before = await bytesHeld();
      const windows = createMemoryWindows();
      inUse.push(windows);
      for (let caller = 0; caller < ${CALLERS}; caller += 1) {
        windows.hit('click:ip:' + caller, new Date(${START} + caller * apart * 1000));
      }
      kept.push((await bytesHeld()) - before);
    }
    const counts = inUse.map((windows, index) =>
      windows.hit('click:ip:${CALLERS - 1}', new Date(${START} + ${CALLERS} * ${JSON.stringify(secondsApart)}[index] * 1000)).count);
    console.log(JSON.stringify({ kept, counts }));`;
  const built = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['source'],
  });
  const script = built.outputFiles[0]?.text ?? '';
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(script);
  const measured = JSON.parse(await text(child.stdout)) as { kept: number[]; counts: number[] };
  expect(measured.counts).toEqual(secondsApart.map(() => 2));
  return measured.kept;
}
