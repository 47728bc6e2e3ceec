import type { SvcError } from './svc-error.ts';

export type Job<Result> = {
  /** How long its caller waits. */
  timeoutMs: number;
  /** Does the work. `release` lets the caller go when a wait is longer than the caller's time. */
  work(release: (waitMs: number, error: SvcError) => void): Promise<Result>;
  /** What the caller is told when it is let go. */
  whenLate(error: SvcError): Result;
  lateError(): SvcError;
  onEnd(result: Result, wasLate: boolean): void;
};

/** Runs jobs that may take longer than their jobs wait. */
export class BackgroundJobs {
  readonly #running = new Set<Promise<unknown>>();

  get size(): number {
    return this.#running.size;
  }

  /** Resolves with the result of the job, or by its timeout with what is known until then. */
  run<Result>(job: Job<Result>): Promise<Result> {
    const endsAt = performance.now() + job.timeoutMs;
    let isLate = false;
    let letGo: (result: Result) => void;
    const late = new Promise<Result>((resolve) => {
      letGo = resolve;
    });
    const release = (error: SvcError) => {
      isLate = true;
      letGo(job.whenLate(error));
    };
    const timer = setTimeout(() => release(job.lateError()), job.timeoutMs);
    const running: Promise<Result> = job
      .work((waitMs, error) => {
        if (!isLate && performance.now() + waitMs > endsAt) release(error);
        if (isLate) clearTimeout(timer);
      })
      .then((result) => {
        clearTimeout(timer);
        this.#running.delete(running);
        job.onEnd(result, isLate);
        return result;
      });
    this.#running.add(running);
    return Promise.race([running, late]);
  }

  /** Resolves when nothing is running. */
  async end(): Promise<void> {
    // The waits of jobs do not keep a process alive; this does.
    const held = setInterval(() => {}, 1000);
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    clearInterval(held);
  }
}
