import type { Connection } from './connection.ts';

/** How many connections this process has to a host, whatever schemes and ports its URLs have. */
export const CONNECTIONS_PER_HOST = 8;

type Host = { busy: number; idle: Connection[]; waiting: (() => void)[] };

/** What connections are counted for. A name with a final dot is the same host. */
export const hostOf = (url: string | URL) => new URL(url).hostname.replace(/\.$/, '');

/** Connections by host: those in use and those that are kept for the next call are never more than eight. */
export type HostConnections = {
  /** Waits for its turn if the host has all its connections in use. */
  take(url: URL): Promise<Connection>;
  giveBack(connection: Connection, isReusable: boolean): Promise<void>;
  /** Closes the connections to a host that no call is using. */
  closeIdle(host: string): Promise<void>;
  close(): Promise<void>;
};

export function createHostConnections(open: (origin: string) => Connection): HostConnections {
  const hosts = new Map<string, Host>();
  const opened = new Set<Connection>();
  let isClosed = false;

  function hostFor(name: string): Host {
    const host = hosts.get(name) ?? { busy: 0, idle: [], waiting: [] };
    hosts.set(name, host);
    return host;
  }

  function dropEmpty(name: string): void {
    const host = hosts.get(name);
    if (host?.busy === 0 && host.idle.length === 0) hosts.delete(name);
  }

  function openNew(name: string, host: Host, origin: string): Connection {
    const connection = open(origin);
    opened.add(connection);
    // Closed by the other side, or because nobody used it for a while.
    connection.onClosed(() => {
      if (!host.idle.includes(connection)) return;
      host.idle.splice(host.idle.indexOf(connection), 1);
      opened.delete(connection);
      dropEmpty(name);
    });
    return connection;
  }

  async function closeOne(connection: Connection): Promise<void> {
    await connection.close();
    opened.delete(connection);
  }

  return {
    async take(url) {
      const name = hostOf(url);
      const host = hostFor(name);
      // A call that ends hands its turn over, so the number stays the same.
      if (host.busy >= CONNECTIONS_PER_HOST) await new Promise<void>((resolve) => host.waiting.push(resolve));
      else host.busy += 1;
      const { origin } = url;
      const at = host.idle.findIndex((connection) => connection.origin === origin);
      const [kept] = at === -1 ? [] : host.idle.splice(at, 1);
      if (kept) return kept;
      // What is kept for another port makes room.
      const [other] = host.busy + host.idle.length > CONNECTIONS_PER_HOST ? host.idle.splice(0, 1) : [];
      if (other) await closeOne(other);
      return openNew(name, host, origin);
    },
    async giveBack(connection, isReusable) {
      const name = hostOf(connection.origin);
      const host = hostFor(name);
      if (isReusable && !isClosed) host.idle.push(connection);
      else await closeOne(connection);
      const next = host.waiting.shift();
      if (next) next();
      else host.busy -= 1;
      dropEmpty(name);
    },
    async closeIdle(name) {
      const idle = hosts.get(name)?.idle.splice(0) ?? [];
      dropEmpty(name);
      await Promise.all(idle.map(closeOne));
    },
    async close() {
      isClosed = true;
      await Promise.all([...opened].map(closeOne));
    },
  };
}
