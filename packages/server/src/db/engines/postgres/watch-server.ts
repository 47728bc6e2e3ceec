import type { DbError, Trouble } from '../../db.ts';
import { isReadOnlyError, READ_ONLY } from '../read-only.ts';

const FULL = 'The disk of the database server is full. Nothing can be written until there is room.';
const UNREACHABLE = 'The database server accepts no connections.';
const NOT_ANSWERING = 'The database server does not answer.';

export type ServerWatch = {
  /** Why the server does not work as it should; null while it does. */
  trouble(): string | null;
  /** Whether statements wait for a server that does not answer. Each that gives up leaves a process behind on the server. */
  isStuck(): boolean;
  /** Judges a statement that failed. */
  noteFailedStatement(error: DbError): void;
  /** Judges an attempt to connect that failed. */
  noteFailedConnection(error: DbError): void;
  /** Nothing is heard from the server, not even on a connection that has nothing else to do. */
  noteSilence(error: DbError): void;
  close(): void;
};

/** For a server that is only read from. */
export const NOT_WATCHED: ServerWatch = {
  trouble: () => null,
  isStuck: () => false,
  noteFailedStatement: () => {},
  noteFailedConnection: () => {},
  noteSilence: () => {},
  close: () => {},
};

type Options = {
  /** Resolves when something was committed on a new connection. Until then it says why that is not possible, on each server. */
  probe: (signal: AbortSignal, onFailure: (reasons: DbError[]) => void) => Promise<void>;
  /** Called with the trouble when it begins or changes, and with null when the server works again. */
  onTrouble: (trouble: Trouble | null) => void;
};

/**
 * Notices from failed statements that nothing can be written, and probes the server until something can. What succeeds
 * meanwhile says little: reads still work on a read-only server, and while it waits for its standby.
 */
export function watchServer({ probe, onTrouble }: Options): ServerWatch {
  const closing = new AbortController();
  let trouble: Trouble | null = null;
  let isProbing = false;

  function note(message: string | null, cause: Error): void {
    if (!message || closing.signal.aborted) return;
    if (trouble?.message !== message) {
      trouble = { message, cause: cause.message };
      onTrouble(trouble);
    }
    if (!isProbing) void probeUntilOver();
  }

  async function probeUntilOver(): Promise<void> {
    isProbing = true;
    await probe(closing.signal, (reasons) => {
      const reason = worstOf(reasons);
      note(troubleOfProbe(reason), reason);
    });
    isProbing = false;
    trouble = null;
    if (!closing.signal.aborted) onTrouble(null);
  }

  return {
    trouble: () => trouble?.message ?? null,
    isStuck: () => trouble?.message === NOT_ANSWERING,
    noteFailedStatement: (error) => note(troubleOfStatement(error), error),
    noteFailedConnection: (error) => note(troubleOfConnection(error), error),
    noteSilence: (error) => note(NOT_ANSWERING, error),
    close: () => closing.abort(),
  };
}

/** A connection that is lost, or ended by an operator, says nothing about the server. */
function troubleOfStatement(error: DbError): string | null {
  if (isReadOnlyError(error)) return READ_ONLY;
  if (error.sqlState === '53100') return FULL;
  return error.message === READ_TIMEOUT ? NOT_ANSWERING : null;
}

function troubleOfConnection(error: DbError): string {
  return isReadOnlyError(error) ? READ_ONLY : UNREACHABLE;
}

/** Of several servers one is the standby, so that it is read-only says little. */
function worstOf(reasons: DbError[]): DbError {
  return reasons.find((error) => !isReadOnlyError(error)) ?? (reasons[0] as DbError);
}

/** A probe that waits in vain says nothing new. */
function troubleOfProbe(error: DbError): string | null {
  return TIMEOUTS.includes(error.message) ? null : (troubleOfStatement(error) ?? UNREACHABLE);
}

/** What the driver says when the server has not answered a statement in time. */
const READ_TIMEOUT = 'Query read timeout';

/** The same, and what the driver and its pool say when the server is too slow to open a connection. */
export const TIMEOUTS = [READ_TIMEOUT, 'timeout expired', 'Connection terminated due to connection timeout'];
