export type Cache<Value> = {
  get(key: string): Promise<Value | null>;
  drop(key: string): void;
  /** Drops every value, or miss (null), that matches. */
  dropWhere(matches: (value: Value | null) => boolean): void;
  clear(): void;
};

type Entry<Value> = { value: Value | null; expiresAt: number };

type Options<Value> = {
  load: (key: string) => Promise<Value | null>;
  now: () => Date;
  ttlMs?: number;
  maxEntries?: number;
};

/**
 * Caches what `load` finds, including misses, so that repeated lookups cost no query. Entries are removed when they are
 * dropped, when they expire, or, oldest first, when there are too many.
 */
export function createCache<Value>({ load, now, ttlMs = 30_000, maxEntries = 50_000 }: Options<Value>): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const loading = new Map<string, Promise<Value | null>>();

  function store(key: string, value: Value | null) {
    if (entries.size >= maxEntries) {
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    }
    entries.set(key, { value, expiresAt: now().getTime() + ttlMs });
  }

  async function loadOnce(key: string): Promise<Value | null> {
    const current = loading.get(key);
    if (current !== undefined) return current;
    const started = load(key);
    loading.set(key, started);
    try {
      const value = await started;
      // If the key was dropped during the load, the value may be from before the change and is not kept.
      if (loading.get(key) === started) store(key, value);
      return value;
    } finally {
      if (loading.get(key) === started) loading.delete(key);
    }
  }

  return {
    async get(key) {
      const entry = entries.get(key);
      if (entry && entry.expiresAt > now().getTime()) return entry.value;
      entries.delete(key);
      return loadOnce(key);
    },
    drop(key) {
      entries.delete(key);
      loading.delete(key);
    },
    dropWhere(matches) {
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key);
      loading.clear();
    },
    clear() {
      entries.clear();
      loading.clear();
    },
  };
}
