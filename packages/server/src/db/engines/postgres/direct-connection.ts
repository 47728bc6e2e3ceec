import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DbError } from '../../db.ts';
import type { Servers } from './servers.ts';
import { createSingleConnection, type SingleConnection } from './single-connection.ts';
import { TIMEOUTS } from './watch-server.ts';

type Listener = { onMessage: (payload: string) => void; onGap: () => void };

/** The one connection of a node that is not shared: it hears of changes, and holds the locks of its jobs. */
export type DirectConnection = {
  listen(channel: string, listener: Listener): Promise<void>;
  /** Whether it hears of changes. If not, some may have been missed. */
  isHearing(): boolean;
  /** Runs `work` unless this or another node is doing so under this name. The signal says when another node may. */
  exclusively(name: string, work: (lost: AbortSignal) => Promise<void>): Promise<boolean>;
  /** Replaces the connection if there is one, because it may lead to a server that is no longer the primary. */
  renew(): void;
  close(): Promise<void>;
};

type Options = {
  servers: Servers;
  /** The variable that has its address. */
  variable: keyof typeof NO_NOTIFICATIONS;
  connectionMs: number;
  onConnectionLost: (error: Error) => void;
  /** Called when the server does not answer on it, although the connection is open. */
  onSilence: (error: Error) => void;
  /** Sends a notification, on a connection other than this one. */
  notify: (channel: string, payload: string) => Promise<unknown>;
};

const RECONNECT_MS = 100;
/** A connection that has died silently is given up within the first and the last of these together, and not trusted long before. */
const PROBE_EVERY_MS = 300;
const PROBE_LATE_MS = 300;
const PROBE_ANSWER_MS = 2_000;
const NOTIFICATION_MS = 5_000;
const PROBE_CHANNEL = 'svc_probe';

const NO_NOTIFICATIONS = {
  DATABASE_URL:
    'notifications do not arrive, as with a connection pooler in transaction mode. ' +
    'Set SVC_LISTEN_DATABASE_URL to the address of the database server itself.',
  SVC_LISTEN_DATABASE_URL:
    'notifications do not arrive. It must be the address of the database server itself, and name the same database as ' +
    'DATABASE_URL.',
};

/** Connects when it is first needed, and again whenever the connection is lost. */
export function createDirectConnection(options: Options): DirectConnection {
  const { servers, variable, connectionMs, onConnectionLost, onSilence, notify } = options;
  const listeners = new Map<string, Listener[]>();
  const held = new Set<string>();
  let isClosing = false;
  let isHearing = false;
  let current: Promise<SingleConnection> | null = null;
  /** Ends the connection, or the attempt to open it. */
  let dropCurrent = () => {};

  const open = () => {
    current ??= connect().catch((error) => {
      current = null;
      throw error;
    });
    return current;
  };

  async function connect(): Promise<SingleConnection> {
    const url = servers.url();
    const { client, drop } = createSingleConnection(url, 'svc listen', { connectionMs, answerMs: PROBE_ANSWER_MS });
    dropCurrent = drop;
    client.on('error', onConnectionLost);
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { onMessage } of listeners.get(channel) ?? []) onMessage(payload);
    });
    try {
      await client.connect();
      if (listeners.size > 0) await client.query([...listeners.keys()].map(listenTo).join('; '));
    } catch (error) {
      servers.leave(url);
      drop();
      throw error;
    }
    let isWaiting = false;
    const probe = async () => {
      if (isWaiting) return;
      isWaiting = true;
      const late = setTimeout(() => {
        isHearing = false;
      }, PROBE_LATE_MS).unref();
      // What was announced before the answer arrives before it.
      await ask(client, 'select 1').then(() => {
        isHearing = true;
      }, drop);
      clearTimeout(late);
      isWaiting = false;
    };
    const probing = setInterval(probe, PROBE_EVERY_MS).unref();
    client.once('end', () => {
      clearInterval(probing);
      current = null;
      isHearing = false;
      if (!isClosing && listeners.size > 0) void reopen();
    });
    return { client, drop };
  }

  /** The first question that is not answered in time ends the connection, and with it the others. */
  async function ask(client: pg.Client, sql: string, params?: string[]): Promise<pg.QueryResult> {
    return client.query(sql, params).catch((error) => {
      if (TIMEOUTS.includes(error.message)) onSilence(error);
      throw error;
    });
  }

  /** What was announced in between was missed. */
  async function reopen(): Promise<void> {
    while (!isClosing) {
      const isOpen = await open().then(
        () => true,
        () => false,
      );
      if (isOpen) {
        for (const { onGap } of [...listeners.values()].flat()) onGap();
        isHearing = true;
        return;
      }
      await sleep(RECONNECT_MS, undefined, { ref: false });
    }
  }

  async function addListener(channel: string, listener: Listener): Promise<void> {
    const known = listeners.get(channel);
    listeners.set(channel, [...(known ?? []), listener]);
    const { client } = await open();
    if (!known) await ask(client, listenTo(channel));
  }

  /** Some poolers accept LISTEN and deliver nothing. */
  async function expectNotifications(): Promise<void> {
    const sent = process.hrtime.bigint().toString();
    let arrive = (_isThere: boolean) => {};
    const arrived = new Promise<boolean>((resolve) => {
      arrive = resolve;
    });
    await addListener(PROBE_CHANNEL, { onMessage: (payload) => payload === sent && arrive(true), onGap: () => {} });
    await notify(PROBE_CHANNEL, sent);
    const late = sleep(NOTIFICATION_MS, false, { ref: false });
    if (!(await Promise.race([arrived, late]))) throw new DbError(`${variable}: ${NO_NOTIFICATIONS[variable]}`);
  }

  return {
    async listen(channel, listener) {
      if (listeners.size === 0) await expectNotifications();
      await addListener(channel, listener);
      listener.onGap();
      isHearing = true;
    },
    isHearing: () => isHearing,
    async exclusively(name, work) {
      if (held.has(name)) return false;
      held.add(name);
      try {
        const { client } = await open();
        const key = [`svc job ${name}`];
        const locked = await ask(client, LOCK, key);
        if (!locked.rows[0]?.taken) return false;
        // A lock ends with its connection.
        const lost = new AbortController();
        const lose = () => lost.abort();
        client.once('end', lose);
        try {
          await work(lost.signal);
        } finally {
          client.off('end', lose);
          await ask(client, UNLOCK, key).catch(() => undefined);
        }
        return true;
      } finally {
        held.delete(name);
      }
    },
    renew: () => dropCurrent(),
    async close() {
      isClosing = true;
      await current?.then(({ client }) => client.end()).catch(() => undefined);
    },
  };
}

const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;

const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken';
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';
