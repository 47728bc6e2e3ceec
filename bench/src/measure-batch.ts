import { prepareFixtures } from './fixtures.ts';
import { machineFacts } from './machine.ts';
import type { Options, StoreKind } from './options.ts';
import { bullets, table } from './report.ts';
import { type Running, setUp, startService } from './service.ts';
import { createStore } from './store.ts';

const SALES = 1_000;
const BUYERS = 1_000;
const ROUNDS = 5;
const GOAL = 5;

type Rates = { oneByOne: number[]; concurrent: number[]; batch: number[] };
type Compared = Rates & { kind: StoreKind; version: string };
type Sender = { service: Running; apiKey: string; nextId: () => number };

/** Measures 1,000 sales as single requests, one by one and concurrent, and as one batch, in turns. */
export async function measureBatch(options: Options, print: (line: string) => void): Promise<string> {
  const compared: Compared[] = [];
  for (const kind of options.stores) compared.push(await compare(kind, options, print));
  return writePage(options, compared);
}

async function compare(kind: StoreKind, options: Options, print: (line: string) => void): Promise<Compared> {
  const store = await createStore(kind);
  const result: Compared = { kind, version: store.version, oneByOne: [], concurrent: [], batch: [] };
  try {
    const setup = await setUp(store);
    await prepareFixtures(store, setup, { visitors: 1, buyers: BUYERS });
    const service = await startService(store);
    let id = 0;
    const sender = { service, apiKey: setup.api_key, nextId: () => ++id };
    // The first round warms everything up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rates = {
        oneByOne: await rateOf(() => sendSingly(sender, 1)),
        concurrent: await rateOf(() => sendSingly(sender, options.connections)),
        batch: await rateOf(() => sendBatch(sender)),
      };
      if (round === 0) continue;
      for (const how of ['oneByOne', 'concurrent', 'batch'] as const) result[how].push(rates[how]);
      print(`${kind}: ${Object.values(rates).map(Math.round).join(', ')} sales/s one by one, concurrent, in a batch`);
    }
    await service.stop();
    return result;
  } finally {
    await store.remove();
  }
}

async function rateOf(send: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await send();
  return (SALES * 1_000) / (performance.now() - startedAt);
}

function newSale({ nextId }: Sender) {
  const id = nextId();
  return { transaction_id: `order-${id}`, customer_key: `buyer-${id % BUYERS}`, amount_cents: 4900 };
}

async function sendSingly(sender: Sender, connections: number): Promise<void> {
  let left = SALES;
  const sendNext = async () => {
    for (; left > 0; ) {
      left -= 1;
      await post(sender, '/api/v1/track/sale', newSale(sender));
    }
  };
  await Promise.all(Array.from({ length: connections }, sendNext));
}

async function sendBatch(sender: Sender): Promise<void> {
  const items = Array.from({ length: SALES }, () => ({ type: 'sale', ...newSale(sender) }));
  const { data } = await post(sender, '/api/v1/track/batch', { items });
  const refused = data.results?.find(({ status }) => status !== 200);
  if (refused) throw new Error(`An item was answered with ${refused.status}: ${JSON.stringify(refused.body)}`);
}

type Reply = { data: { results?: { status: number; body: unknown }[] } };

async function post({ service, apiKey }: Sender, path: string, body: object): Promise<Reply> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Reply;
}

function writePage({ connections }: Options, compared: Compared[]): string {
  const versions = Object.fromEntries(compared.map(({ kind, version }) => [kind, version]));
  const rows = compared.map((rates) => [
    rates.kind,
    column(rates.oneByOne),
    column(rates.concurrent),
    column(rates.batch),
    verdict(median(rates.batch) / median(rates.oneByOne)),
    `${(median(rates.batch) / median(rates.concurrent)).toFixed(1)} times`,
  ]);
  const header = [
    'Store',
    'One by one',
    `${connections} at a time`,
    'In a batch',
    'Batch to one by one',
    'Batch to concurrent',
  ];
  return `# Sales in a batch

${bullets([
  ...machineFacts(versions),
  `${SALES} sales each, ${ROUNDS} rounds in turns; sales per second: the median, and the lowest and highest round`,
  'Client and service run on the same machine; each request is answered after its commit',
])}

${table(header, rows)}
`;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function column(rates: number[]): string {
  const rounded = rates.map(Math.round);
  return `${Math.round(median(rates))} (${Math.min(...rounded)}–${Math.max(...rounded)})`;
}

const verdict = (ratio: number) =>
  `${ratio.toFixed(1)} times (goal: at least ${GOAL}, **${ratio >= GOAL ? 'pass' : 'miss'}**)`;
