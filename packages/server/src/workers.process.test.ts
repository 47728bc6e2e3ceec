import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { type FirstProgram, setUp } from '@svc/testkit/service/processes/first-program.ts';
import {
  Program,
  type RunningService,
  SECRET,
  startService,
  temporaryFolder,
} from '@svc/testkit/service/processes/processes.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from './db/engines/postgres.ts';

const TOKEN = 'a token of the operator';
const CONNECTIONS = 24;
/** Short enough to always have requests in flight, and long enough to leave time for what is tested meanwhile. */
const PAUSE_MS = 50;
const CLICK = '/api/v1/track/click';

type Reply = { status: number; headers: Record<string, string>; text: string };

/** A connection that stays with the worker that accepted it. Without an answer, a request resolves with null. */
class Connection {
  isOpen = true;
  /** Where it comes from. */
  readonly port: number | undefined;
  private received = '';
  private answered: (reply: Reply | null) => void = () => {};
  private readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.port = socket.localPort;
    socket.on('data', (chunk) => this.read(String(chunk)));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.isOpen = false;
      this.answered(null);
    });
  }

  static async open({ url }: RunningService): Promise<Connection> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  async send(body: object, { ip = newAddress(), isLast = false } = {}): Promise<Reply | null> {
    if (!this.isOpen) return null;
    const text = JSON.stringify(body);
    const head = [
      `POST ${CLICK} HTTP/1.1`,
      'Host: a',
      'Content-Type: application/json',
      `X-Forwarded-For: ${ip}`,
      `Connection: ${isLast ? 'close' : 'keep-alive'}`,
      `Content-Length: ${text.length}`,
    ];
    this.socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
    return new Promise((resolve) => {
      this.answered = resolve;
    });
  }

  private read(chunk: string): void {
    this.received += chunk;
    const headEnd = this.received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const [first = '', ...lines] = this.received.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ')));
    const text = this.received.slice(headEnd + 4);
    if (text.length < Number(headers['content-length'])) return;
    this.received = '';
    this.answered({ status: Number(first.split(' ')[1]), headers, text });
  }
}

/** Connections of which every worker has some. A worker that happens to be quicker can accept all that come at once. */
async function openConnections(service: RunningService): Promise<Connection[]> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(service)));
  for (;;) {
    const held = await untilAccepted(service, connections);
    if (Math.min(...held.values()) > 0) return connections;
    connections.push(await Connection.open(service));
  }
}

/** The process ids of the workers. */
async function workersOf({ child }: RunningService): Promise<number[]> {
  const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Waits until all of the connections are accepted, and returns how many each worker has. */
async function untilAccepted(service: RunningService, connections: Connection[]): Promise<Map<number, number>> {
  let held = new Map<number, number>();
  const accepted = async () => {
    const ports = new Set(connections.map(({ port }) => port));
    const workers = await workersOf(service);
    held = new Map(await Promise.all(workers.map(async (pid) => [pid, await countHeld(pid, ports)] as const)));
    return [...held.values()].reduce((sum, count) => sum + count, 0);
  };
  await expect.poll(accepted).toBe(connections.length);
  return held;
}

/** How many connections from these ports the process holds. */
async function countHeld(pid: number, ports: Set<number | undefined>): Promise<number> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')));
  const rows = tables.flatMap((table) => table.split('\n')).map((row) => row.trim().split(/\s+/));
  const sockets = rows
    .filter(([, , remote]) => ports.has(Number.parseInt(remote?.split(':')[1] ?? '', 16)))
    .map((row) => `socket:[${row[9]}]`);
  const files = await readdir(`/proc/${pid}/fd`);
  const open = new Set(await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => ''))));
  return sockets.filter((socket) => open.has(socket)).length;
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function metricsOf({ url }: RunningService): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
}

/** The value of the metric with these labels. */
async function metric(service: RunningService, name: string): Promise<number | undefined> {
  const line = (await metricsOf(service)).split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

/** Ends a worker, and waits until another one accepts connections in its place. */
async function replace(service: RunningService, pid: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  process.kill(pid, signal);
  await expect.poll(async () => (await workersOf(service)).filter((each) => each !== pid)).toHaveLength(2);
  await expect.poll(() => metric(service, 'svc_workers')).toBe(2);
}

/** The click ids that are not in the store. */
async function missing(databaseUrl: string, clickIds: string[]): Promise<string[]> {
  const db = openPostgres(databaseUrl);
  try {
    const rows = await db.query<{ id: number; at: Date }>('select id, clicked_at as at from customers', []);
    const stored = new Set(rows.map(({ id, at }) => `cust_${id}_${at.getTime()}`));
    return clickIds.filter((id) => !stored.has(id));
  } finally {
    await db.close();
  }
}

describe('SVC_WORKERS=2', () => {
  let env: Record<string, string>;
  let service: RunningService;
  let first: FirstProgram;
  const click = () => ({ affiliate_url: `https://${first.domain}/?aff=${first.short_link}` });
  const clickIdOf = ({ text }: Reply) => (JSON.parse(text) as { click_id: string }).click_id;

  beforeAll(async () => {
    env = {
      DATABASE_URL: await newPostgres(),
      SVC_SECRET: SECRET,
      SVC_WORKERS: '2',
      SVC_TRUSTED_PROXIES: '127.0.0.1',
      SVC_METRICS_TOKEN: TOKEN,
      SVC_DRAIN_SECONDS: '1',
    };
    first = await setUp(env);
    service = await startService(env);
  });

  it('prints its address once, and runs two processes that are ready', async () => {
    expect(service.stderr.match(/Starting…|\n {2}Open /g)).toEqual(['Starting…', '\n  Open ']);
    expect(await workersOf(service)).toHaveLength(2);
    expect(await metric(service, 'svc_workers')).toBe(2);
    expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({ status: 'ready', store: 'postgres' });
  });

  it('counts a limit exactly, adds the metrics up, and keeps both when a worker is killed', async () => {
    const connections = await openConnections(service);
    const ip = newAddress();
    const replies: Reply[] = [];
    const sendFive = async (connection: Connection) => {
      for (let sent = 0; sent < 5; sent += 1) replies.push((await connection.send({}, { ip })) as Reply);
    };
    await Promise.all(connections.map(sendFive));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5 * connections.length - 60);
    const left = replies.filter(({ status }) => status === 400).map(({ headers }) => headers['x-ratelimit-remaining']);
    expect(left.map(Number).toSorted((a, b) => b - a)).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
    expect(new Set(replies.map(({ headers }) => headers['x-ratelimit-reset'])).size).toBe(1);

    const refused = `svc_http_request_seconds_count{route="${CLICK}",status="429"}`;
    expect(await metric(service, refused)).toBe(5 * connections.length - 60);
    const [release] = /^svc_release_info\{.*$/m.exec(await metricsOf(service)) ?? [];
    expect(release).toMatch(/ 1$/);

    const [killed = 0, other = 0] = await workersOf(service);
    const held = await untilAccepted(service, connections);
    await replace(service, killed);
    expect(service.stdout).toContain('"msg":"A worker has ended and is started again"');
    expect(connections.filter(({ isOpen }) => isOpen)).toHaveLength(held.get(other) ?? 0);
    expect(await workersOf(service)).toContain(other);
    expect(await metric(service, refused)).toBe(5 * connections.length - 60);
    // On a busy machine, a start can fail and is tried again.
    expect(await metric(service, 'svc_worker_restarts_total')).toBeGreaterThanOrEqual(1);
    for (const connection of await openConnections(service)) {
      expect(await connection.send({}, { ip, isLast: true })).toMatchObject({ status: 429 });
    }
  });

  it('fails only requests in flight on a worker that is killed, and starts another at once', async ({ annotate }) => {
    const acknowledged: string[] = [];
    let failed = 0;
    let isOver = false;
    const connections = await openConnections(service);
    /** One request in flight, on a connection that is replaced when it breaks. */
    const lane = async (connection: Connection, place: number) => {
      while (!isOver) {
        const reply = await connection.send(click());
        if (reply?.status === 200) acknowledged.push(clickIdOf(reply));
        else failed += 1;
        await sleep(PAUSE_MS);
        if (!connection.isOpen) connections[place] = connection = await Connection.open(service);
      }
    };
    const lanes = connections.map(lane);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
    const [killed = 0] = await workersOf(service);
    const held = await untilAccepted(service, connections);
    const killedAt = performance.now();
    await replace(service, killed);
    await annotate(`A killed worker was back after ${Math.round(performance.now() - killedAt)} ms`);
    const heldAfterwards = await untilAccepted(service, connections);
    expect(failed).toBeLessThanOrEqual(held.get(killed) ?? 0);
    const [again = 0] = (await workersOf(service)).slice(-1);
    await replace(service, again);
    isOver = true;
    await Promise.all(lanes);
    expect(failed).toBeLessThanOrEqual((held.get(killed) ?? 0) + (heldAfterwards.get(again) ?? 0));
    expect(await missing(env.DATABASE_URL as string, acknowledged)).toEqual([]);
  });

  it('starts a worker at once each time that it is killed, and one that keeps ending later', async () => {
    /** When each restart of a worker was decided to be, by its place. */
    const decided = () => {
      const delays = new Map<number, number[]>();
      for (const line of service.stdout.split('\n').filter((each) => /"A worker (has ended|keeps ending)/.test(each))) {
        const { worker, inSeconds = 0 } = JSON.parse(line);
        delays.set(worker, [...(delays.get(worker) ?? []), inSeconds]);
      }
      return [...delays.values()];
    };
    while (Math.max(...decided().map(({ length }) => length)) < 4) {
      await replace(service, (await workersOf(service)).at(-1) ?? 0);
    }
    for (const delays of decided()) expect(delays).toEqual([0, 0, 0, 1, 2, 4, 8].slice(0, delays.length));
  });

  it('on SIGTERM, a worker is replaced without a failed request; all of them stop accepting, lose nothing and exit with 0', async () => {
    const acknowledged: string[] = [];
    const outcomes = new Set<number | string | null>();
    /** Opens a connection for each request, until none is accepted. */
    const visit = async () => {
      for (;;) {
        const connection = await Connection.open(service).catch((error: { code: string }) => error.code);
        if (typeof connection === 'string') return void outcomes.add(connection);
        const reply = await connection.send(click(), { isLast: true });
        outcomes.add(reply ? reply.status : null);
        if (reply?.status === 200) acknowledged.push(clickIdOf(reply));
      }
    };
    const visitors = Array.from({ length: CONNECTIONS }, visit);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(200);
    await replace(service, (await workersOf(service))[0] ?? 0, 'SIGTERM');
    expect([...outcomes]).toEqual([200]);
    const workers = await workersOf(service);
    service.child.kill('SIGTERM');
    await Promise.all(visitors);
    // Connections that the system had queued, and that no worker had accepted yet, are reset.
    const expected = [200, 'ECONNREFUSED', 'ECONNRESET', null];
    expect([...outcomes].filter((outcome) => !expected.includes(outcome))).toEqual([]);
    expect(outcomes).toContain('ECONNREFUSED');
    expect((await service.untilEnded()).code, service.stdout).toBe(0);
    expect(workers.filter(isRunning)).toEqual([]);
    expect(await missing(env.DATABASE_URL as string, acknowledged)).toEqual([]);
  });

  it('leaves no worker behind when the supervisor is killed, and they finish their requests', async () => {
    const orphaned = await startService(env);
    const workers = await workersOf(orphaned);
    const connections = await openConnections(orphaned);
    const replies = connections.map((connection) => connection.send(click()));
    orphaned.child.kill('SIGKILL');
    expect((await Promise.all(replies)).map((reply) => reply?.status)).toEqual(connections.map(() => 200));
    await expect.poll(() => workers.filter(isRunning)).toEqual([]);
  });
});

describe('several workers', () => {
  it('are refused with the embedded store, in one sentence', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const { code, stderr } = await new Program(['serve'], { SVC_DATA_DIR: dataDir, SVC_WORKERS: '2' }).untilEnded();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'SVC_WORKERS: needs DATABASE_URL; the embedded store works in one process only\n',
    });
  });

  it('are not started if the first one cannot start', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SVC_SECRET: SECRET, SVC_WORKERS: '2' };
    const { code, stderr } = await new Program(['serve'], env).untilEnded();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Starting…\nCould not start: DATABASE_URL: the database does not answer [^\n]+\n$/);
  });
});
