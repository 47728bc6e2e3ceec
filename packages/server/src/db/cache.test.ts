import { describe, expect, it } from 'vitest';
import { createCache } from './cache.ts';

/** A cache over a table that can change. It records every load and has a clock that moves only in `pass`. */
function cacheOver(
  table: Record<string, string>,
  options: { ttlMs?: number; maxEntries?: number; isHearing?: () => boolean } = {},
) {
  const loads: string[] = [];
  let time = 0;
  const cache = createCache<string>({
    now: () => new Date(time),
    load: async (key) => {
      loads.push(key);
      return table[key] ?? null;
    },
    ...options,
  });
  return {
    cache,
    loads,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

/** A cache whose loads stay pending until the test ends them, listed in the order they started. */
function cacheWithPendingLoads() {
  const pending: { key: string; resolve(value: string | null): void; reject(error: Error): void }[] = [];
  const cache = createCache<string>({
    now: () => new Date(0),
    load: (key) => new Promise((resolve, reject) => void pending.push({ key, resolve, reject })),
  });
  return { cache, pending };
}

describe('a cached value', () => {
  it('is loaded on first use and not again', async () => {
    const { cache, loads } = cacheOver({ a: 'apple' });
    expect(await cache.get('a')).toBe('apple');
    expect(await cache.get('a')).toBe('apple');
    expect(loads).toEqual(['a']);
  });

  it('may be a miss, so that junk keys do not become queries', async () => {
    const { cache, loads } = cacheOver({});
    expect(await cache.get('junk')).toBeNull();
    expect(await cache.get('junk')).toBeNull();
    expect(loads).toEqual(['junk']);
  });

  it('expires, even if it is a miss, and is then loaded again', async () => {
    const table: Record<string, string> = { a: 'old' };
    const { cache, loads, pass } = cacheOver(table, { ttlMs: 1000 });
    await cache.get('a');
    await cache.get('b');
    Object.assign(table, { a: 'new', b: 'born' });
    pass(999);
    expect([await cache.get('a'), await cache.get('b')]).toEqual(['old', null]);
    pass(1);
    expect([await cache.get('a'), await cache.get('b')]).toEqual(['new', 'born']);
    expect(loads).toEqual(['a', 'b', 'a', 'b']);
  });

  it('expires counting from its last load, not from its first', async () => {
    const { cache, loads, pass } = cacheOver({ a: 'apple' }, { ttlMs: 1000 });
    await cache.get('a');
    pass(1000);
    await cache.get('a');
    pass(999);
    await cache.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('is not renewed by use', async () => {
    const { cache, loads, pass } = cacheOver({ a: 'apple' }, { ttlMs: 1000 });
    for (let step = 0; step < 4; step += 1) {
      await cache.get('a');
      pass(400);
    }
    expect(loads).toEqual(['a', 'a']);
  });
});

describe('a cached value of which no changes are heard', () => {
  it('is kept for 300 ms from its load, also if it was loaded before', async () => {
    const table: Record<string, string> = { a: 'old', b: 'berry' };
    let isHearing = true;
    const { cache, loads, pass } = cacheOver(table, { isHearing: () => isHearing });
    await cache.get('a');
    pass(400);
    await cache.get('b');
    table.a = 'new';
    isHearing = false;
    expect([await cache.get('a'), await cache.get('b')]).toEqual(['new', 'berry']);
    expect(loads).toEqual(['a', 'b', 'a']);
    pass(299);
    await cache.get('a');
    expect(loads).toEqual(['a', 'b', 'a']);
    pass(1);
    await cache.get('a');
    expect(loads).toEqual(['a', 'b', 'a', 'a']);
  });

  it('is kept as long as others once changes are heard again', async () => {
    let isHearing = false;
    const { cache, loads, pass } = cacheOver({ a: 'apple' }, { isHearing: () => isHearing });
    await cache.get('a');
    isHearing = true;
    pass(29_999);
    await cache.get('a');
    expect(loads).toEqual(['a']);
  });
});

describe('dropping', () => {
  it('makes a value load again, and no other', async () => {
    const table: Record<string, string> = { a: 'old', b: 'berry' };
    const { cache, loads } = cacheOver(table);
    await cache.get('a');
    await cache.get('b');
    table.a = 'new';
    cache.drop('a');
    expect([await cache.get('a'), await cache.get('b')]).toEqual(['new', 'berry']);
    expect(loads).toEqual(['a', 'b', 'a']);
  });

  it('makes a miss load again', async () => {
    const table: Record<string, string> = {};
    const { cache } = cacheOver(table);
    expect(await cache.get('a')).toBeNull();
    table.a = 'born';
    cache.drop('a');
    expect(await cache.get('a')).toBe('born');
  });

  it('with dropWhere affects every value that matches', async () => {
    const { cache, loads } = cacheOver({ a: 'apple', b: 'berry', c: 'cherry' });
    for (const key of ['a', 'b', 'c', 'none']) await cache.get(key);
    cache.dropWhere((value) => value?.includes('rry') ?? false);
    loads.length = 0;
    for (const key of ['a', 'b', 'c', 'none']) await cache.get(key);
    expect(loads).toEqual(['b', 'c']);
  });

  it('with dropWhere affects misses if they match', async () => {
    const { cache, loads } = cacheOver({ a: 'apple' });
    for (const key of ['a', 'none']) await cache.get(key);
    cache.dropWhere((value) => value === null);
    loads.length = 0;
    for (const key of ['a', 'none']) await cache.get(key);
    expect(loads).toEqual(['none']);
  });

  it('with clear affects every value and every miss', async () => {
    const { cache, loads } = cacheOver({ a: 'apple' });
    await cache.get('a');
    await cache.get('none');
    cache.clear();
    loads.length = 0;
    await cache.get('a');
    await cache.get('none');
    expect(loads).toEqual(['a', 'none']);
  });
});

describe('while a value is being loaded', () => {
  it('all callers share one load', async () => {
    const { cache, pending } = cacheWithPendingLoads();
    const answers = Promise.all([cache.get('a'), cache.get('a'), cache.get('a')]);
    expect(pending.map(({ key }) => key)).toEqual(['a']);
    pending[0]?.resolve('apple');
    expect(await answers).toEqual(['apple', 'apple', 'apple']);
  });

  it('other keys are loaded in parallel', async () => {
    const { cache, pending } = cacheWithPendingLoads();
    const answers = Promise.all([cache.get('a'), cache.get('b')]);
    expect(pending.map(({ key }) => key)).toEqual(['a', 'b']);
    pending[1]?.resolve('berry');
    pending[0]?.resolve('apple');
    expect(await answers).toEqual(['apple', 'berry']);
  });

  it.each([
    ['drop', (cache: ReturnType<typeof cacheWithPendingLoads>['cache']) => cache.drop('a')],
    ['dropWhere', (cache: ReturnType<typeof cacheWithPendingLoads>['cache']) => cache.dropWhere(() => true)],
    ['clear', (cache: ReturnType<typeof cacheWithPendingLoads>['cache']) => cache.clear()],
  ])('%s keeps a value that may be from before the change out of the cache', async (_what, drop) => {
    const { cache, pending } = cacheWithPendingLoads();
    const before = cache.get('a');
    drop(cache);
    pending[0]?.resolve('old');
    expect(await before).toBe('old');

    const after = cache.get('a');
    expect(pending).toHaveLength(2);
    pending[1]?.resolve('new');
    expect(await after).toBe('new');
    expect(await cache.get('a')).toBe('new');
    expect(pending).toHaveLength(2);
  });

  it('a caller after a drop gets a value loaded after it, in whatever order the loads end', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { cache, pending } = cacheWithPendingLoads();
      const before = cache.get('a');
      cache.drop('a');
      const after = cache.get('a');
      for (const index of order) pending[index]?.resolve(['old', 'new'][index] ?? null);
      expect([await before, await after, await cache.get('a')]).toEqual(['old', 'new', 'new']);
      expect(pending).toHaveLength(2);
    }
  });

  it('a failure reaches every caller and is not cached', async () => {
    const { cache, pending } = cacheWithPendingLoads();
    const answers = Promise.allSettled([cache.get('a'), cache.get('a')]);
    pending[0]?.reject(new Error('the store is down'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    const again = cache.get('a');
    pending[1]?.resolve('apple');
    expect(await again).toBe('apple');
  });
});

describe('the size limit', () => {
  it('removes the oldest entry first', async () => {
    const { cache, loads } = cacheOver({}, { maxEntries: 2 });
    for (const key of ['a', 'b', 'c']) await cache.get(key);
    loads.length = 0;
    for (const key of ['b', 'c']) await cache.get(key);
    expect(loads).toEqual([]);
    await cache.get('a');
    expect(loads).toEqual(['a']);
  });

  it('holds, however many different keys are requested', async () => {
    const { cache, loads } = cacheOver({}, { maxEntries: 10 });
    const keys = Array.from({ length: 1000 }, (_, index) => `junk-${index}`);
    await Promise.all(keys.map((key) => cache.get(key)));
    loads.length = 0;
    for (const key of keys.slice(-10)) await cache.get(key);
    expect(loads).toEqual([]);
    for (const key of keys.slice(0, 10)) await cache.get(key);
    expect(loads).toHaveLength(10);
  });

  it('is not used up by a value that is loaded again', async () => {
    const { cache, loads, pass } = cacheOver({}, { maxEntries: 2, ttlMs: 1000 });
    await cache.get('a');
    pass(500);
    await cache.get('b');
    pass(500);
    await cache.get('a');
    loads.length = 0;
    await cache.get('b');
    expect(loads).toEqual([]);
  });
});

describe('a value for a caller who cannot wait', () => {
  it('is loaded like others, and costs nothing while it is fresh', async () => {
    const { cache, loads } = cacheOver({ a: 'apple' });
    expect(await cache.getWithin(1000, 'a')).toBe('apple');
    expect(await cache.getWithin(0, 'a')).toBe('apple');
    expect(await cache.getWithin(1000, 'junk')).toBeNull();
    expect(loads).toEqual(['a', 'junk']);
  });

  it('is the last one that was loaded, however old, while loading takes too long or fails', async () => {
    const { cache, pending } = cacheWithPendingLoads();
    const first = cache.get('a');
    pending[0]?.resolve('apple');
    await first;
    cache.expire();
    expect(await cache.getWithin(1, 'a')).toBe('apple');
    const failing = cache.getWithin(10_000, 'a');
    pending[1]?.reject(new Error('no store'));
    expect(await failing).toBe('apple');
    const loaded = cache.getWithin(10_000, 'a');
    pending[2]?.resolve('pear');
    expect(await loaded).toBe('pear');
  });

  it('is undefined if there is none in time, and if it was dropped', async () => {
    const { cache, pending } = cacheWithPendingLoads();
    expect(await cache.getWithin(1, 'a')).toBeUndefined();
    pending[0]?.resolve('apple');
    expect(await cache.get('a')).toBe('apple');
    cache.drop('a');
    expect(await cache.getWithin(1, 'a')).toBeUndefined();
  });

  it('is not loaded at all without time', async () => {
    const { cache, loads } = cacheOver({ a: 'apple' });
    expect(await cache.getWithin(0, 'a')).toBeUndefined();
    expect(loads).toEqual([]);
  });
});
