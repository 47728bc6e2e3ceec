import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataSecrets } from '@svc/server/secret';
import { insertEndpoint } from '@svc/server/webhooks/endpoint-store';
import { prepareFixtures } from '../fixtures.ts';
import { createIds, median, post, type Sender, sendBatch } from '../load/send-sales.ts';
import type { Asked, ReceiverMessage } from '../load/webhook-receiver.ts';
import type { Options, StoreKind } from '../options.ts';
import { startWorker } from '../processes.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { type Running, setUp, startKillableService, startService } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';
import { postgresCpuSeconds } from './postgres-cpu.ts';
import { readMetrics } from './server-metrics.ts';

const RECEIVER = new URL('../load/webhook-receiver.js', import.meta.url);
const ENDPOINTS = 20;
const BATCH = 1_000;
const BUYERS = 100;
const QUIET_SALES = 50;
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

type Result = {
  kind: StoreKind;
  version: string;
  quietMs: number[];
  perSecond: number;
  deliveries: number;
  serviceMicros: number;
  storeMicros: number | null;
  load: number;
};

type KilledResult = {
  kind: StoreKind;
  version: string;
  events: number;
  deliveries: number;
  again: number;
  seconds: number;
};

/** Measures how soon a sale is sent on a quiet node, and how fast a burst of sales goes out to 20 endpoints on 20 hosts. */
export async function measureWebhooks(options: Options, print: (line: string) => void): Promise<string> {
  const results: Result[] = [];
  for (const kind of options.stores) results.push(await measure(kind, options, print));
  return writePage(options, results);
}

type Prepared = { store: BenchStore; receiver: ChildProcess; apiKey: string };

/** Prepares a store with endpoints and the process that receives for them, and removes both afterwards. */
async function withEndpoints<Measured>(
  kind: StoreKind,
  work: (prepared: Prepared) => Promise<Measured>,
): Promise<Measured> {
  const created = await createStore(kind);
  const store = { ...created, env: { ...created.env, SVC_OUTBOUND_ALLOW: '127.0.0.0/8' } };
  const receiver = startWorker(RECEIVER);
  try {
    const { port } = await told(receiver, 'listening');
    const setup = await setUp(store);
    await prepareFixtures(store, setup, { visitors: 1, buyers: BUYERS });
    await addEndpoints(store, setup.program_id, port);
    return await work({ store, receiver, apiKey: setup.api_key });
  } finally {
    receiver.kill();
    await store.remove();
  }
}

async function measure(kind: StoreKind, options: Options, print: (line: string) => void): Promise<Result> {
  return withEndpoints(kind, async ({ store, receiver, apiKey }) => {
    const service = await startService(store, options.profileDir);
    const sender = { service, apiKey, buyers: BUYERS, nextId: createIds('sale') };
    const quietMs = await measureQuiet(service, apiKey, receiver);
    print(`${kind}: sent ${median(quietMs).toFixed(0)} ms after the sale at the median`);
    const burst = await measureBurst(store, sender, receiver, options.events);
    print(`${kind}: ${burst.deliveries} deliveries, ${Math.round(burst.perSecond)} a second`);
    await service.stop();
    return { kind, version: store.version, quietMs, ...burst };
  });
}

/** Sends a burst and kills the service twice in it. Every event has to arrive at each endpoint, under its id and with the same bytes. */
export async function measureKilledWebhooks(options: Options, print: (line: string) => void): Promise<string> {
  const results: KilledResult[] = [];
  for (const kind of options.stores) results.push(await killTwice(kind, options, print));
  return writeKilledPage(options, results);
}

async function killTwice(kind: StoreKind, { events }: Options, print: (line: string) => void): Promise<KilledResult> {
  return withEndpoints(kind, async ({ store, receiver, apiKey }) => {
    const nextId = createIds('sale');
    await count(receiver, 'start comparing');
    const startedAt = performance.now();
    const deliveries = events * ENDPOINTS;
    const arrivedOnes = async (least: number) => {
      for (;;) {
        const compared = await compare(receiver);
        if (compared.arrived >= least) return compared;
        await sleep(200);
      }
    };
    // What a killed node had under way is free after a while, and sent by the next one.
    for (const [share, until] of [
      [0.5, 0.25],
      [0.5, 0.6],
    ] as const) {
      const service = await startKillableService(store);
      const sender = { service, apiKey, buyers: BUYERS, nextId };
      for (let sent = 0; sent < events * share; sent += BATCH)
        await sendBatch(sender, Math.min(BATCH, events * share - sent));
      const { arrived } = await arrivedOnes(deliveries * until);
      await service.kill();
      print(`${kind}: killed after ${arrived} deliveries`);
    }
    const service = await startService(store);
    const compared = await arrivedOnes(deliveries);
    const seconds = (performance.now() - startedAt) / 1_000;
    await service.stop();
    if (compared.changed > 0) throw new Error(`${compared.changed} events arrived with other bytes`);
    if (compared.events !== events) throw new Error(`${compared.events} events arrived instead of ${events}`);
    print(`${kind}: ${deliveries} deliveries, ${compared.again} of them again`);
    return { kind, version: store.version, events, deliveries, again: compared.again, seconds };
  });
}

function compare(receiver: ChildProcess) {
  receiver.send('compare' satisfies Asked);
  return told(receiver, 'compared');
}

function addEndpoints(store: BenchStore, programId: number, port: number): Promise<void> {
  const { encryption } = dataSecrets(store.env.SVC_SECRET ?? '');
  return store.withDb(async (db) => {
    for (let index = 1; index <= ENDPOINTS; index += 1) {
      const endpoint = {
        url: `http://127.0.0.${index}:${port}/hook`,
        types: ['sale.created' as const],
        description: null,
        format: 'json' as const,
        secretSealed: encryption.seal(SECRET),
      };
      await insertEndpoint(db, programId, endpoint, ENDPOINTS, new Date());
    }
  });
}

/** The milliseconds from reporting a sale to its arrival at each endpoint, with nothing else going on. */
async function measureQuiet(service: Running, apiKey: string, receiver: ChildProcess): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let sold = 0; sold < QUIET_SALES; sold += 1) {
    const sale = { transaction_id: `quiet-${sold}`, customer_key: `buyer-${sold % BUYERS}`, amount_cents: 4900 };
    const arrivals = arrivalsOf(receiver, sale.transaction_id);
    const sentAt = performance.timeOrigin + performance.now();
    await post(service, '/api/v1/track/sale', apiKey, sale);
    for (const at of await arrivals) milliseconds.push(at - sentAt);
    await sleep(100);
  }
  return milliseconds;
}

function arrivalsOf(receiver: ChildProcess, transactionId: string): Promise<number[]> {
  return new Promise((resolve) => {
    const arrivals: number[] = [];
    const listen = (message: ReceiverMessage) => {
      if (message.is !== 'arrived' || message.transactionId !== transactionId) return;
      arrivals.push(message.at);
      if (arrivals.length < ENDPOINTS) return;
      receiver.off('message', listen);
      resolve(arrivals);
    };
    receiver.on('message', listen);
  });
}

async function measureBurst(store: BenchStore, sender: Sender, receiver: ChildProcess, events: number) {
  const deliveries = events * ENDPOINTS;
  const before = await cpuOf(store, sender.service);
  await count(receiver, 'start counting');
  for (let sent = 0; sent < events; sent += BATCH) await sendBatch(sender, Math.min(BATCH, events - sent));
  let counted = await count(receiver, 'count');
  while (counted.received < deliveries) {
    await sleep(200);
    counted = await count(receiver, 'count');
  }
  const after = await cpuOf(store, sender.service);
  const micros = (used: number, unused: number) => ((used - unused) / deliveries) * 1_000_000;
  return {
    deliveries,
    perSecond: (deliveries * 1_000) / (counted.lastAt - counted.firstAt),
    serviceMicros: micros(after.service, before.service),
    storeMicros: after.store === null || before.store === null ? null : micros(after.store, before.store),
    load: loadavg()[0] ?? 0,
  };
}

/** The processor time of the service and, where it is a server of its own, of its store. */
async function cpuOf(store: BenchStore, service: Running) {
  const { cpuSeconds } = await readMetrics(service.url);
  return { service: cpuSeconds, store: store.server ? await store.withDb(postgresCpuSeconds) : null };
}

function count(receiver: ChildProcess, asked: Exclude<Asked, 'compare'>) {
  receiver.send(asked);
  return told(receiver, 'count');
}

async function told<Kind extends ReceiverMessage['is']>(receiver: ChildProcess, kind: Kind) {
  for (;;) {
    const [message] = (await once(receiver, 'message')) as [ReceiverMessage];
    if (message.is === kind) return message as Extract<ReceiverMessage, { is: Kind }>;
  }
}

function writePage({ events }: Options, results: Result[]): string {
  const versions = Object.fromEntries(results.map(({ kind, version }) => [kind, version]));
  const rows = results.map(({ kind, quietMs, perSecond, serviceMicros, storeMicros, load }) => [
    kind,
    `${median(quietMs).toFixed(0)} ms`,
    `${Math.max(...quietMs).toFixed(0)} ms`,
    String(Math.round(perSecond)),
    serviceMicros.toFixed(0),
    storeMicros === null ? 'in the service' : storeMicros.toFixed(0),
    load.toFixed(1),
  ]);
  return `# Webhooks

${bullets([
  ...machineFacts(versions),
  `${ENDPOINTS} endpoints on as many loopback addresses, over plain HTTP; the receiver is a process of its own and verifies nothing`,
  `On a quiet node: ${QUIET_SALES} sales one after the other, from the request of the sale to its arrival at each endpoint`,
  `The burst: ${events} sales in batches of ${BATCH}, from the first arrival to the last; the processor time includes recording the sales`,
])}

${table(
  [
    'Store',
    'Quiet, median',
    'Quiet, longest',
    'Deliveries/s',
    'Service CPU µs each',
    'Postgres CPU µs each',
    'Load average',
  ],
  rows,
)}
`;
}

function writeKilledPage({ events }: Options, results: KilledResult[]): string {
  const versions = Object.fromEntries(results.map(({ kind, version }) => [kind, version]));
  const rows = results.map(({ kind, deliveries, again, seconds }) => [
    kind,
    String(deliveries),
    String(again),
    '0',
    seconds.toFixed(0),
  ]);
  return `# Webhooks of a service that is killed

${bullets([
  ...machineFacts(versions),
  `${events} sales in batches of ${BATCH}, sent to ${ENDPOINTS} endpoints on as many loopback addresses`,
  'The service is killed (`SIGKILL`) after a quarter of the deliveries and after 0.6 of them, and started again',
  'The run fails if an event is missing at an endpoint, or has arrived under its id with other bytes',
])}

${table(['Store', 'Delivered', 'Again', 'Changed', 'Seconds'], rows)}
`;
}
