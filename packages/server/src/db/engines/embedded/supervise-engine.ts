import { setTimeout as sleep } from 'node:timers/promises';
import { DbError, type Trouble } from '../../db.ts';
import { hasRoom, isDiskFull } from './disk-room.ts';
import { type Engine, type EngineOptions, type Rows, startEngine } from './engine.ts';

export type Limits = {
  /** How long a timed request waits for an answer. */
  answerMs: number;
  /** How long the engine may neither answer nor use a file before it is replaced. */
  stuckMs: number;
  /** How long the engine has to close the store. */
  closeMs: number;
};

export type SupervisorOptions = EngineOptions & {
  limits: Limits;
  onNotification: (channel: string, payload: string) => void;
  /** Called with the trouble when it begins or changes, and with null when the store works again. */
  onTrouble: (trouble: Trouble | null) => void;
  /** Called on an engine that was opened again, before it is used. */
  onReopened: (engine: Engine) => Promise<void>;
};

export type Supervisor = {
  /** With a session, the request fails unless that session is still the current one. */
  send(request: object, isTimed: boolean, session?: number): Promise<Rows>;
  /** The number of the current session. A transaction ends with its session. */
  session(): number;
  trouble(): string | null;
  /** Rejects when the thread of the engine cannot be ended. */
  close(): Promise<void>;
};

const TICK_MS = 250;
const ROOM_CHECK_MS = 1_000;
const MAX_DELAY_MS = 15_000;
/** A thread that runs ends within milliseconds; on a busy machine it may have to wait for its turn. */
const TERMINATE_MS = 10_000;
/** An engine that did not run for that long is not reopened at once. */
const SHORT_RUN_MS = 10_000;
/** More than a segment of the log, which is what the engine cannot do without. */
const MIB_TO_REOPEN = 24;
const MIB_TO_WRITE = 2;

const FULL = 'The disk of the data folder is full. Nothing can be written until there is room.';
const FULL_AND_STOPPED =
  'The disk of the data folder is full. The embedded store has stopped and reopens when there is room.';
const STOPPED = 'The embedded store has stopped and is being reopened.';
const NOT_STOPPED = 'The thread of the embedded store does not end: it is stuck in the operating system.';

/**
 * Opens the store and keeps it open: an engine that stops or no longer answers is replaced by a new one, which recovers what
 * was committed from its log. Meanwhile requests fail at once, and `trouble` says why.
 */
export async function superviseEngine(options: SupervisorOptions): Promise<Supervisor> {
  const { limits, dataDir } = options;
  const closing = new AbortController();
  let trouble: string | null = null;
  let engine = startEngine(options, options.onNotification);
  let isOpen = false;
  let isLagging = false;
  let isTimed = false;
  let session = 0;

  await engine.ready;
  use(engine);
  const watcher = setInterval(createWatch(), TICK_MS).unref();

  function use(opened: Engine): void {
    const openedAt = performance.now();
    isOpen = true;
    isLagging = false;
    void opened.ended.then((cause) => {
      isOpen = false;
      session += 1;
      if (!closing.signal.aborted) void reopen(cause, performance.now() - openedAt < SHORT_RUN_MS ? 1 : 0);
    });
  }

  function enter(message: string, cause: string): void {
    if (trouble === message || closing.signal.aborted) return;
    trouble = message;
    options.onTrouble({ message, cause });
  }

  function leave(): void {
    if (trouble === null || closing.signal.aborted) return;
    trouble = null;
    options.onTrouble(null);
  }

  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);

  async function reopen(firstCause: string, firstAttempt: number): Promise<void> {
    let cause: string | null = firstCause;
    for (let attempt = firstAttempt; cause !== null; attempt += 1) {
      const isFull = isDiskFull(cause);
      enter(isFull ? FULL_AND_STOPPED : STOPPED, cause);
      // The first attempt is made without room as well: recovery frees the segments of the log that it has applied.
      if (attempt > 0) await pause(Math.min(500 * 2 ** attempt, MAX_DELAY_MS));
      if (attempt > 0 && isFull) await untilThereIsRoom(MIB_TO_REOPEN);
      if (closing.signal.aborted) return;
      engine = startEngine(options, options.onNotification);
      cause = await prepare(engine, isFull);
      if (cause !== null) engine.terminate();
      if (cause !== null) await engine.ended;
    }
    use(engine);
    leave();
  }

  /** Returns what made the engine unusable, or null if it can be used. */
  async function prepare(opened: Engine, wasFull: boolean): Promise<string | null> {
    try {
      await opened.ready;
      // Begins a new segment of the log, which is what failed.
      if (wasFull) await opened.send({ sql: 'select pg_switch_wal()' });
      await options.onReopened(opened);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  async function untilThereIsRoom(mebibytes: number): Promise<void> {
    while (!closing.signal.aborted && !(await hasRoom(dataDir, mebibytes))) await pause(ROOM_CHECK_MS);
  }

  /** Writes go on being attempted. This finds out when they would succeed. */
  async function waitForRoom(): Promise<void> {
    await pause(ROOM_CHECK_MS);
    await untilThereIsRoom(MIB_TO_WRITE);
    if (trouble === FULL) leave();
  }

  /** Counts ticks, not time, so that a process that was paused does not take its own pause for that of the engine. */
  function createWatch(): () => void {
    let seen = { answers: 0, fileUses: 0 };
    let silentTicks = 0;
    let stuckTicks = 0;
    return () => {
      const { answers, fileUses } = engine.progress();
      const isSilent = isOpen && engine.unanswered() > 0 && answers === seen.answers;
      silentTicks = isSilent ? silentTicks + 1 : 0;
      stuckTicks = isSilent && fileUses === seen.fileUses ? stuckTicks + 1 : 0;
      seen = { answers, fileUses };
      const isStuck = stuckTicks * TICK_MS >= limits.stuckMs;
      if (isStuck || (isTimed && silentTicks * TICK_MS >= limits.answerMs)) stopWaiting();
      if (isStuck) engine.terminate();
      if (isLagging && isOpen && engine.unanswered() === 0) void catchUp();
    };
  }

  function stopWaiting(): void {
    if (isLagging) return;
    isLagging = true;
    session += 1;
    const message = `The embedded store has not answered for ${Math.round(limits.answerMs / 1000)} seconds.`;
    enter(message, 'no answer');
    engine.giveUp(new DbError(message));
  }

  /** The transaction that was given up may still be open. */
  async function catchUp(): Promise<void> {
    const caughtUp = engine;
    await caughtUp.send({ sql: 'rollback' }).catch(() => undefined);
    if (!isOpen || caughtUp !== engine || !isLagging) return;
    isLagging = false;
    leave();
  }

  async function send(request: object, timed: boolean, within = session): Promise<Rows> {
    if (!isOpen || isLagging || within !== session) throw new DbError(trouble ?? STOPPED);
    isTimed = timed;
    try {
      return await engine.send(request);
    } catch (error) {
      if (trouble === null && isRefusedForRoom(error)) {
        enter(FULL, (error as Error).message);
        void waitForRoom();
      }
      throw error;
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    clearInterval(watcher);
    const closed = isOpen && !isLagging ? engine.send({ close: true }).catch(() => undefined) : undefined;
    await Promise.race([closed, engine.ended, sleep(limits.closeMs, undefined, { ref: false })]);
    engine.terminate();
    const isEnded = engine.ended.then(() => true);
    const isLate = sleep(TERMINATE_MS, false, { ref: false });
    if (!(await Promise.race([isEnded, isLate]))) throw new DbError(NOT_STOPPED);
  }

  return { send, session: () => session, trouble: () => trouble, close };
}

/** Whether Postgres refused a statement because the disk is full, and goes on. */
function isRefusedForRoom(error: unknown): boolean {
  return error instanceof DbError && error.sqlState !== undefined && isDiskFull(error.message);
}
