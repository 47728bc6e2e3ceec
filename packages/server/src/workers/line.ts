import type { Duplex } from 'node:stream';
import type { MetricsOfProcess } from './sum-metrics.ts';

/** The file descriptor of a worker's line to its supervisor. It stays open while the worker drains, when the channel of `node:cluster` is closed. */
export const LINE_FD = 4;

/** What a worker tells its supervisor. */
export type FromWorker =
  | { is: 'listening'; isNewInstallation: boolean }
  /** Requests to count, by the keys of their windows. */
  | { is: 'hits'; keys: string[] }
  /** Asks for the metrics of all workers. */
  | { is: 'scrape' }
  | { is: 'collected'; metrics: MetricsOfProcess };

/** What the supervisor tells a worker. */
export type ToWorker =
  /** For each hit of a message, the count of its window and when the window ends. */
  { is: 'counted'; windows: number[] } | { is: 'collect' } | { is: 'scraped'; text: string };

export type Line<Sent> = { send(message: Sent): void };

/** A line over which messages arrive in the order in which they were sent. Nothing is sent once the other side is gone. */
export function openLine<Sent, Received>(stream: Duplex, onMessage: (message: Received) => void): Line<Sent> {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) onMessage(JSON.parse(line) as Received);
  });
  // Whether the other process lives is watched elsewhere.
  stream.on('error', () => stream.destroy());
  return {
    send(message) {
      if (stream.writable) stream.write(`${JSON.stringify(message)}\n`);
    },
  };
}
