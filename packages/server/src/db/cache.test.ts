import { describe, expect, it } from 'vitest';
import { createCache } from './cache.ts';

/** A memory over a table that can change, with every load on record and a clock that stands still. */
function memoryOf(table: Record<string, string>, options: { ttlMs?: number; maxEntries?: number } = {}) {
  const loads: string[] = [];
  let time = 0;
  const memory = createCache<string>({
    now: () => new Date(time),
    load: async (key) => {
      loads.push(key);
      return table[key] ?? null;
    },
    ...options,
  });
  return {
    memory,
    loads,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

/** A memory whose loads end when they are told to, in the order they were begun. */
function memoryWithOpenLoads() {
  const open: { key: string; found(value: string | null): void; failed(error: Error): void }[] = [];
  const memory = createCache<string>({
    now: () => new Date(0),
    load: (key) => new Promise((found, failed) => void open.push({ key, found, failed })),
  });
  return { memory, open };
}

describe('what is kept in memory', () => {
  it('is loaded on first use and not again', async () => {
    const { memory, loads } = memoryOf({ a: 'apple' });
    expect(await memory.get('a')).toBe('apple');
    expect(await memory.get('a')).toBe('apple');
    expect(loads).toEqual(['a']);
  });

  it('includes that there is nothing, so that junk does not become queries', async () => {
    const { memory, loads } = memoryOf({});
    expect(await memory.get('junk')).toBeNull();
    expect(await memory.get('junk')).toBeNull();
    expect(loads).toEqual(['junk']);
  });

  it('expires, misses too, and is then loaded anew', async () => {
    const table: Record<string, string> = { a: 'old' };
    const { memory, loads, pass } = memoryOf(table, { ttlMs: 1000 });
    await memory.get('a');
    await memory.get('b');
    Object.assign(table, { a: 'new', b: 'born' });
    pass(999);
    expect([await memory.get('a'), await memory.get('b')]).toEqual(['old', null]);
    pass(1);
    expect([await memory.get('a'), await memory.get('b')]).toEqual(['new', 'born']);
    expect(loads).toEqual(['a', 'b', 'a', 'b']);
  });

  it('lasts from its last load, not from its first', async () => {
    const { memory, loads, pass } = memoryOf({ a: 'apple' }, { ttlMs: 1000 });
    await memory.get('a');
    pass(1000);
    await memory.get('a');
    pass(999);
    await memory.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('is not renewed by being used', async () => {
    const { memory, loads, pass } = memoryOf({ a: 'apple' }, { ttlMs: 1000 });
    for (let step = 0; step < 4; step += 1) {
      await memory.get('a');
      pass(400);
    }
    expect(loads).toEqual(['a', 'a']);
  });
});

describe('what is dropped', () => {
  it('is loaded anew, and nothing else is', async () => {
    const table: Record<string, string> = { a: 'old', b: 'berry' };
    const { memory, loads } = memoryOf(table);
    await memory.get('a');
    await memory.get('b');
    table.a = 'new';
    memory.drop('a');
    expect([await memory.get('a'), await memory.get('b')]).toEqual(['new', 'berry']);
    expect(loads).toEqual(['a', 'b', 'a']);
  });

  it('may be a miss', async () => {
    const table: Record<string, string> = {};
    const { memory } = memoryOf(table);
    expect(await memory.get('a')).toBeNull();
    table.a = 'born';
    memory.drop('a');
    expect(await memory.get('a')).toBe('born');
  });

  it('can be all that matches', async () => {
    const { memory, loads } = memoryOf({ a: 'apple', b: 'berry', c: 'cherry' });
    for (const key of ['a', 'b', 'c', 'none']) await memory.get(key);
    memory.dropWhere((value) => value.includes('rry'));
    loads.length = 0;
    for (const key of ['a', 'b', 'c', 'none']) await memory.get(key);
    expect(loads).toEqual(['b', 'c']);
  });

  it('can be everything', async () => {
    const { memory, loads } = memoryOf({ a: 'apple' });
    await memory.get('a');
    await memory.get('none');
    memory.clear();
    loads.length = 0;
    await memory.get('a');
    await memory.get('none');
    expect(loads).toEqual(['a', 'none']);
  });
});

describe('while a value is being loaded', () => {
  it('everybody who asks for it shares the one load', async () => {
    const { memory, open } = memoryWithOpenLoads();
    const answers = Promise.all([memory.get('a'), memory.get('a'), memory.get('a')]);
    expect(open.map(({ key }) => key)).toEqual(['a']);
    open[0]?.found('apple');
    expect(await answers).toEqual(['apple', 'apple', 'apple']);
  });

  it('others are loaded beside it', async () => {
    const { memory, open } = memoryWithOpenLoads();
    const answers = Promise.all([memory.get('a'), memory.get('b')]);
    expect(open.map(({ key }) => key)).toEqual(['a', 'b']);
    open[1]?.found('berry');
    open[0]?.found('apple');
    expect(await answers).toEqual(['apple', 'berry']);
  });

  it.each([
    ['drop', (memory: ReturnType<typeof memoryWithOpenLoads>['memory']) => memory.drop('a')],
    ['dropWhere', (memory: ReturnType<typeof memoryWithOpenLoads>['memory']) => memory.dropWhere(() => true)],
    ['clear', (memory: ReturnType<typeof memoryWithOpenLoads>['memory']) => memory.clear()],
  ])('%s keeps what may be from before the change from being remembered', async (_what, drop) => {
    const { memory, open } = memoryWithOpenLoads();
    const asked = memory.get('a');
    drop(memory);
    open[0]?.found('old');
    expect(await asked).toBe('old');

    const askedAfter = memory.get('a');
    expect(open).toHaveLength(2);
    open[1]?.found('new');
    expect(await askedAfter).toBe('new');
    expect(await memory.get('a')).toBe('new');
    expect(open).toHaveLength(2);
  });

  it('whoever asks after a drop gets what was loaded after it, in whatever order the loads end', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { memory, open } = memoryWithOpenLoads();
      const before = memory.get('a');
      memory.drop('a');
      const after = memory.get('a');
      for (const index of order) open[index]?.found(['old', 'new'][index] ?? null);
      expect([await before, await after, await memory.get('a')]).toEqual(['old', 'new', 'new']);
      expect(open).toHaveLength(2);
    }
  });

  it('a failure goes to everybody who waits and is not remembered', async () => {
    const { memory, open } = memoryWithOpenLoads();
    const answers = Promise.allSettled([memory.get('a'), memory.get('a')]);
    open[0]?.failed(new Error('the store is away'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    const again = memory.get('a');
    open[1]?.found('apple');
    expect(await again).toBe('apple');
  });
});

describe('the bound', () => {
  it('lets the oldest go first', async () => {
    const { memory, loads } = memoryOf({}, { maxEntries: 2 });
    for (const key of ['a', 'b', 'c']) await memory.get(key);
    loads.length = 0;
    for (const key of ['b', 'c']) await memory.get(key);
    expect(loads).toEqual([]);
    await memory.get('a');
    expect(loads).toEqual(['a']);
  });

  it('holds however many different keys are asked for', async () => {
    const { memory, loads } = memoryOf({}, { maxEntries: 10 });
    const keys = Array.from({ length: 1000 }, (_, index) => `junk-${index}`);
    await Promise.all(keys.map((key) => memory.get(key)));
    loads.length = 0;
    for (const key of keys.slice(-10)) await memory.get(key);
    expect(loads).toEqual([]);
    for (const key of keys.slice(0, 10)) await memory.get(key);
    expect(loads).toHaveLength(10);
  });

  it('is not used up by a value that is loaded anew', async () => {
    const { memory, loads, pass } = memoryOf({}, { maxEntries: 2, ttlMs: 1000 });
    await memory.get('a');
    pass(500);
    await memory.get('b');
    pass(500);
    await memory.get('a');
    loads.length = 0;
    await memory.get('b');
    expect(loads).toEqual([]);
  });
});
