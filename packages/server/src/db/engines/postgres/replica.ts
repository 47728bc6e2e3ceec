import type { Log } from '../../../context.ts';
import { type Db, DbError, StoreBusy } from '../../db.ts';
import type { ReportReader } from '../../report-reader.ts';
import { createLag } from './lag.ts';

const MAX_BEHIND_SECONDS = 60;
const MEASURE_EVERY_MS = 1_000;

const AWAY = 'The replica for reports does not answer';
const NOT_A_STANDBY = 'The server for reports is not a standby';

type Options = {
  primary: Db;
  replica: Db;
  log: Pick<Log, 'info' | 'warn'>;
  /** How far behind the replica may be. */
  maxBehindSeconds?: number;
};

/** Reads from a streaming standby, as long as it answers and is not far behind. The log has a line when that changes. */
export function openReplica(options: Options): ReportReader {
  const { primary, replica, log, maxBehindSeconds = MAX_BEHIND_SECONDS } = options;
  const isTooFar = `The replica for reports is more than ${maxBehindSeconds} seconds behind`;
  const lag = createLag();
  const startedAt = performance.now();
  /** Why the primary answers: undefined until the replica was measured, null while the replica answers. */
  let problem: string | null | undefined;

  function note(found: string | null, cause?: Error): void {
    if (problem === found) return;
    if (found) log.warn({ cause: cause?.message }, `${found}; the primary answers reports`);
    else log.info({}, 'The replica answers reports');
    problem = found;
  }

  async function measure(): Promise<void> {
    const askedAt = performance.now();
    const written = await primary
      .query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn', [])
      .catch(() => []);
    if (written[0]) lag.noteWritten(written[0].lsn, askedAt);
    try {
      const [state] = await replica.query<{ isStandby: boolean; lsn: string | null }>(
        `select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn()::text as lsn`,
        [],
      );
      if (!state?.isStandby || state.lsn === null) return note(NOT_A_STANDBY);
      lag.noteReplayed(state.lsn);
    } catch (error) {
      return note(AWAY, error as Error);
    }
    const behind = lag.behindSeconds(performance.now());
    // Right after the start, it is not known yet.
    if (behind === null && performance.now() - startedAt < maxBehindSeconds * 1000) return;
    note(behind === null || behind > maxBehindSeconds ? isTooFar : null);
  }

  let isMeasuring = false;
  const timer = setInterval(async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    await measure().finally(() => {
      isMeasuring = false;
    });
  }, MEASURE_EVERY_MS).unref();

  return {
    async read(work) {
      const behind = lag.behindSeconds(performance.now());
      if (problem !== null || behind === null || behind > maxBehindSeconds)
        return { result: await work(primary), behindSeconds: null };
      try {
        return { result: await work(replica), behindSeconds: Math.ceil(behind) };
      } catch (error) {
        if (!isFaultOfReplica(error)) throw error;
        if (isAway(error)) note(AWAY, error);
        return { result: await work(primary), behindSeconds: null };
      }
    },
    replica() {
      const behind = lag.behindSeconds(performance.now());
      return { isUsed: problem === null, behindSeconds: behind === null ? null : Math.ceil(behind) };
    },
    async close() {
      clearInterval(timer);
      await replica.close();
    },
  };
}

const isAway = (error: unknown): error is DbError =>
  error instanceof DbError &&
  !(error instanceof StoreBusy) &&
  (error.sqlState === undefined || /^(08|57P)/.test(error.sqlState));

/**
 * Whether the primary could answer what the replica did not: the replica was lost or busy, had to cancel the statement because of
 * what it replays, or does not have the newest schema yet.
 */
const isFaultOfReplica = (error: unknown) =>
  error instanceof StoreBusy ||
  isAway(error) ||
  (error instanceof DbError && /^(40|42P01|42703|53|58)/.test(error.sqlState ?? ''));
