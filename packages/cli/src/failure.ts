export type FailureParts = {
  /** The HTTP status of an error response. */
  status?: number;
  /** The stable code of the typed envelope. */
  code?: string;
  /** What to do about it. */
  hint?: string;
  requestId?: string;
  retryAfterSeconds?: number;
  exitCode?: number;
};

/** An error whose message is meant for the user: one line, no stack trace. */
export class Failure extends Error {
  readonly parts: FailureParts;

  constructor(message: string, parts: FailureParts = {}) {
    super(message);
    this.name = 'Failure';
    this.parts = parts;
  }
}

export const FAILED = 1;
export const WRONG_USAGE = 2;
/** The exit code that shells report for a program interrupted with Ctrl-C. */
export const CANCELLED = 130;

export const wrongUsage = (message: string, hint?: string) => new Failure(message, { hint, exitCode: WRONG_USAGE });

/** Turns anything thrown into a failure without a stack trace. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const { code, path, message } = thrown as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new Failure(`No permission to write ${path ?? ''}`);
  return new Failure(message || String(thrown));
}
