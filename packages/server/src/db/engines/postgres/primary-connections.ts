import { Socket } from 'node:net';
import pg from 'pg';
import { DbError } from '../../db.ts';
import type { Servers } from './servers.ts';

export type PrimaryConnections = {
  /** What the pool makes its connections with. */
  Client: new (
    config: pg.ClientConfig,
  ) => pg.ClientBase;
  /** Takes note of a new connection to a server that can be written to. Throws if the node has left that server meanwhile. */
  add(client: pg.ClientBase): void;
  remove(client: pg.ClientBase): void;
  /** Uses this server from now on. */
  moveTo(url: string): void;
};

/**
 * The connections of the pool, which all lead to one server: after a move, those to the former primary end at once, and nobody
 * waits for it. `onMove` is called after each move.
 */
export function createPrimaryConnections(servers: Servers, onMove: () => void): PrimaryConnections {
  const open = new Set<Connection>();
  let primary: string | null = null;

  class Connection extends pg.Client {
    readonly url: string;
    readonly drop: () => void;
    constructor(config: pg.ClientConfig) {
      const url = servers.url();
      const socket = new Socket();
      super({ ...config, connectionString: url, stream: () => socket });
      this.url = url;
      this.drop = () => void socket.destroy();
    }
  }

  function moveTo(url: string): void {
    const isMove = primary !== null && primary !== url;
    primary = url;
    servers.use(url);
    if (!isMove) return;
    for (const connection of open) if (connection.url !== url) connection.drop();
    onMove();
  }

  return {
    Client: Connection,
    add(client) {
      const connection = client as Connection;
      if (connection.url !== servers.url()) throw new DbError('another server has become the primary');
      open.add(connection);
      moveTo(connection.url);
    },
    remove: (client) => void open.delete(client as Connection),
    moveTo,
  };
}
