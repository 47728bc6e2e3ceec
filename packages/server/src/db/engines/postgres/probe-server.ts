import { IS_READ_ONLY, readOnlyError } from '../read-only.ts';
import type { Servers } from './servers.ts';
import { createSingleConnection } from './single-connection.ts';

/** How long a probe waits for a commit. Giving up leaves a process behind on a server that waits for its standby. */
const ANSWER_MS = 30_000;

/**
 * Commits a temporary table on a new connection. That takes room on the disk, a server that is not read-only, and the standby
 * if commits wait for one.
 */
export async function probeServer(servers: Servers, connectionMs: number, signal: AbortSignal): Promise<void> {
  const url = servers.url();
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
  } catch (error) {
    servers.leave(url);
    throw error;
  } finally {
    signal.removeEventListener('abort', drop);
    drop();
  }
}
