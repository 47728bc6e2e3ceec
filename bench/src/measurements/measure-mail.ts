import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { readConfig } from '@svc/server/config';
import { queueMails } from '@svc/server/mail/queue-mail';
import { createConfiguredQueue } from '@svc/server/mail-from-config';
import type { Options, StoreKind } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp, startService } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';
import { measureClicks } from './measure-load.ts';

const WAITING = 10_000;
const ROUNDS = 3;

type Run = { perSecond: number; p99Ms: number; cpuMicros: number; sent: number };
type Compared = { kind: StoreKind; version: string; without: Run[]; with: Run[] };

/** Measures clicks with an empty queue and with 10,000 mails waiting, in turns. */
export async function measureMail(options: Options, print: (line: string) => void): Promise<string> {
  const sink = await openSink();
  const compared: Compared[] = [];
  for (const kind of options.stores) compared.push(await compare(kind, options, sink, print));
  sink.close();
  return writePage(options, compared);
}

async function compare(
  kind: StoreKind,
  options: Options,
  sink: Sink,
  print: (line: string) => void,
): Promise<Compared> {
  const created = await createStore(kind);
  const mail = { SVC_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SVC_MAIL_FROM: 'partners@mail.test' };
  const store = { ...created, env: { ...created.env, ...mail } };
  const result: Compared = { kind, version: store.version, without: [], with: [] };
  try {
    const { short_link: shortLink } = await setUp(store);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const waiting of [0, WAITING]) {
        await refill(store, waiting);
        const run = await measure(store, shortLink, options, sink);
        (waiting === 0 ? result.without : result.with).push(run);
        print(`${kind}, ${waiting} mails: ${Math.round(run.perSecond)} clicks/s, ${run.sent} mails sent`);
      }
    }
    return result;
  } finally {
    await store.remove();
  }
}

async function measure(store: BenchStore, shortLink: string, options: Options, sink: Sink): Promise<Run> {
  const service = await startService(store, options.profileDir);
  const before = sink.received;
  const { perSecond, p99Ms, serverCpuMicros } = await measureClicks(service, shortLink, options);
  const sent = sink.received - before;
  await service.stop();
  return { perSecond, p99Ms, cpuMicros: serverCpuMicros, sent };
}

/** Empties the queue, and fills it with mails that are due. */
function refill(store: BenchStore, count: number): Promise<void> {
  const mail = createConfiguredQueue(readConfig(store.env), store.env.SVC_SECRET ?? '');
  const fields = { url: 'https://track.test/invite#token', role: 'member', expiresAt: new Date().toISOString() };
  return store.withDb(async (db) => {
    await db.query('truncate mails');
    const mails = Array.from({ length: count }, (_, index) => {
      const to = { address: `person-${index}@people.test` };
      return { kind: 'team_invitation' as const, cause: String(index), to, fields };
    });
    await queueMails(db, { mail, now: () => new Date() }, mails);
    await db.query('vacuum (analyze) mails');
  });
}

type Sink = { port: number; received: number; close: () => void };

/** A mail server that accepts everything and keeps nothing. */
async function openSink(): Promise<Sink> {
  const server = createServer((socket) => serveMail(socket, () => (sink.received += 1)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sink: Sink = { port: (server.address() as AddressInfo).port, received: 0, close: () => server.close() };
  return sink;
}

function serveMail(socket: Socket, onMail: () => void): void {
  let isData = false;
  let rest = '';
  socket.setEncoding('utf8').on('error', () => socket.destroy());
  socket.write('220 sink\r\n');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (isData && line !== '.') continue;
      if (isData) onMail();
      isData = !isData && line.toUpperCase() === 'DATA';
      socket.write(isData ? '354 Go on\r\n' : '250 OK\r\n');
    }
  });
}

function writePage({ connections, seconds }: Options, compared: Compared[]): string {
  const versions = Object.fromEntries(compared.map(({ kind, version }) => [kind, version]));
  const rows = compared.flatMap(({ kind, without, with: waiting }) => [
    [`${kind}, no mail`, ...columns(without)],
    [`${kind}, 10,000 mails waiting`, ...columns(waiting)],
    [`${kind}, difference`, `${difference(without, waiting).toFixed(1)} %`, '', '', ''],
  ]);
  return `# Clicks while mail is sent

${bullets([
  ...machineFacts(versions),
  `${connections} connections, ${seconds} seconds each, ${ROUNDS} rounds in turns; the median, and the lowest and highest round`,
  'The mail server runs on the same machine and accepts everything',
])}

${table(['Store', 'Clicks/s', 'p99 ms', 'CPU µs per click', 'Mails sent'], rows)}
`;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function columns(runs: Run[]): string[] {
  const rates = runs.map(({ perSecond }) => Math.round(perSecond));
  return [
    `${median(rates)} (${Math.min(...rates)}–${Math.max(...rates)})`,
    median(runs.map(({ p99Ms }) => p99Ms)).toFixed(1),
    median(runs.map(({ cpuMicros }) => cpuMicros)).toFixed(0),
    String(median(runs.map(({ sent }) => sent))),
  ];
}

function difference(without: Run[], waiting: Run[]): number {
  const rate = (runs: Run[]) => median(runs.map(({ perSecond }) => perSecond));
  return (rate(waiting) / rate(without) - 1) * 100;
}
