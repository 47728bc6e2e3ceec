import { within } from './within.ts';

export type Cache<Value> = {
  get(key: string): Promise<Value | null>;
  /**
   * As `get`, for callers who cannot wait: if the load takes longer than `ms`, or fails, it is the last value that was loaded,
   * however old, and undefined if there is none. With no time at all, nothing is loaded.
   */
  getWithin(ms: number, key: string): Promise<Value | null | undefined>;
  drop(key: string): void;
  /** Drops every value, or miss (null), that matches. */
  dropWhere(matches: (value: Value | null) => boolean): void;
  clear(): void;
  /** Loads every value again before it is next used. */
  expire(): void;
};

type Entry<Value> = { value: Value | null; expiresAt: number };

type Options<Value> = {
  load: (key: string) => Promise<Value | null>;
  now: () => Date;
  /** Whether changes are heard of, so that values can be dropped in time. */
  isHearing?: () => boolean;
  ttlMs?: number;
  maxEntries?: number;
};

/** For how long a value is kept while changes are not heard of. */
const UNHEARD_MS = 300;

/**
 * Caches what `load` finds, including misses, so that repeated lookups cost no query. Entries are removed when they are
 * dropped or, oldest first, when there are too many. Those that have expired are loaded again.
 */
export function createCache<Value>(options: Options<Value>): Cache<Value> {
  const { load, now, isHearing = () => true, ttlMs = 30_000, maxEntries = 50_000 } = options;
  const entries = new Map<string, Entry<Value>>();
  const loading = new Map<string, Promise<Value | null>>();

  function fresh(key: string): Entry<Value> | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const expiresAt = isHearing() ? entry.expiresAt : entry.expiresAt - ttlMs + UNHEARD_MS;
    return expiresAt > now().getTime() ? entry : undefined;
  }

  function store(key: string, value: Value | null) {
    entries.delete(key);
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
      const entry = fresh(key);
      return entry ? entry.value : loadOnce(key);
    },
    async getWithin(ms, key) {
      const entry = fresh(key);
      if (entry) return entry.value;
      const loaded = ms > 0 ? await within(ms, loadOnce(key)).catch(() => undefined) : undefined;
      return loaded === undefined ? entries.get(key)?.value : loaded;
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
    expire() {
      for (const entry of entries.values()) entry.expiresAt = 0;
      loading.clear();
    },
  };
}
