export type WindowState = { count: number; resetsAt: Date };

/** Counts requests in windows of a minute, one window per key, started by its first request. */
export interface RateWindows {
  hit(key: string, now: Date): Promise<WindowState> | WindowState;
  close(): Promise<void>;
}

/** Windows that count at once. */
export interface MemoryWindows extends RateWindows {
  hit(key: string, now: Date): WindowState;
}
