import type { Event, Outcome } from './outcome.ts';
import type { SvcError } from './svc-error.ts';

/** A warning of the service: the API key has to be replaced before `rotate_by`. */
export type SvcWarning = {
  code: 'api_key_rotation_required' | (string & {});
  message: string;
  hint?: string;
  /** ISO 8601 */
  rotate_by?: string;
  docs_url?: string;
};

export type SvcOptions = {
  /** The API key of the program. By default, the variable `SVC_API_KEY`. */
  apiKey?: string;
  /** The URL of the service. By default, the variable `SVC_API_URL`. */
  apiUrl?: string;
  /** How long a caller waits at most, retries included: 3,000 by default, 30,000 for a batch. */
  timeoutMs?: number;
  /**
   * How long a call is retried in the background when its caller has stopped waiting: 120,000 by default. With 0 it ends with
   * the caller's time, for platforms that stop a server between requests.
   */
  retryForMs?: number;
  /** Whether an event that was recorded before counts as success. True by default; with false it is the error `conflict`. */
  acceptDuplicates?: boolean;
  /** Called once for each deadline of the key. By default, the warning is logged. */
  onWarning?: (warning: SvcWarning) => void;
  /** Called when an event could not be recorded. By default, the error is logged. */
  onFailure?: (error: SvcError, event: Event) => void;
  /** Called with the outcome of a call whose caller was told `pending`. */
  onOutcome?: (outcome: Outcome<unknown>, event: Event) => void;
  /** Replaces the global `fetch`. */
  fetch?: FetchLike;
};

export type CallOptions = {
  /** Replaces the client's `timeoutMs`. */
  timeoutMs?: number;
  /** Names the call, 1 to 255 printable ASCII characters. By default, a random one, the same for all retries. */
  idempotencyKey?: string;
};

/** The part of `fetch` that is used. */
export type FetchLike = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal; redirect?: 'manual' },
) => Promise<{ status: number; headers: { get(name: string): string | null }; json(): Promise<unknown> }>;
