import { Socket } from 'node:net';
import pg from 'pg';

export type SingleConnection = {
  client: pg.Client;
  /** Ends the connection at once, also when the server does not answer. */
  drop(): void;
};

export type ConnectionLimits = { connectionMs: number; answerMs: number };

/** A connection outside of the pool. It still has to be opened. */
export function createSingleConnection(url: string, name: string, limits: ConnectionLimits): SingleConnection {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: limits.connectionMs,
    query_timeout: limits.answerMs,
    // Questions do not wait for each other. The driver wants to be told.
    pipeline: true,
    stream: () => socket,
  });
  return { client, drop: () => void socket.destroy() };
}
