import { setTimeout as sleep } from 'node:timers/promises';
import { IS_READ_ONLY, readOnlyError } from '../read-only.ts';
import { createSingleConnection } from './single-connection.ts';

/** How long a probe waits for a commit. Giving up leaves a process behind on a server that waits for its standby. */
const ANSWER_MS = 30_000;
const PROBE_AGAIN_MS = 500;

type Options = {
  urls: string[];
  connectionMs: number;
  signal: AbortSignal;
  /** Called with the reasons as long as no server can be written to. */
  onFailure: (reasons: unknown[]) => void;
};

/**
 * Probes all servers at the same time, each again and again: one that does not answer must not keep the node from another that
 * was promoted meanwhile. Returns the first on which something was committed, or null if it was interrupted.
 */
export async function findWritable({ urls, connectionMs, signal, onFailure }: Options): Promise<string | null> {
  const over = new AbortController();
  const probes = AbortSignal.any([signal, over.signal]);
  const reasons = new Map<string, unknown>();
  const probeUntilOver = async (url: string) => {
    while (!probes.aborted) {
      try {
        await probeServer(url, connectionMs, probes);
        return url;
      } catch (error) {
        reasons.set(url, error);
        if (reasons.size === urls.length && !probes.aborted) onFailure([...reasons.values()]);
        await sleep(PROBE_AGAIN_MS, undefined, { ref: false, signal: probes }).catch(() => undefined);
      }
    }
    return null;
  };
  const found = await Promise.race(urls.map(probeUntilOver));
  over.abort();
  return found;
}

/**
 * Commits a temporary table on a new connection. That takes room on the disk, a server that is not read-only, and the standby
 * if commits wait for one.
 */
async function probeServer(url: string, connectionMs: number, signal: AbortSignal): Promise<void> {
  const { client, drop } = createSingleConnection(url, 'svc probe', { connectionMs, answerMs: ANSWER_MS });
  client.on('error', () => undefined);
  signal.addEventListener('abort', drop);
  try {
    await client.connect();
    const { rows } = await client.query<{ is_read_only: boolean }>(IS_READ_ONLY);
    if (rows[0]?.is_read_only) throw readOnlyError();
    await client.query(
      `begin;
      create temporary table svc_probe on commit drop as select repeat('x', 1000) as text from generate_series(1, 250);
      commit`,
    );
  } finally {
    signal.removeEventListener('abort', drop);
    drop();
  }
}
