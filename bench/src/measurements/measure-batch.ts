import { prepareFixtures } from '../fixtures.ts';
import { createIds, describeRates, median, rateOf, sendBatch, sendSingly } from '../load/send-sales.ts';
import type { Options, StoreKind } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp, startService } from '../service.ts';
import { createStore } from '../store.ts';

const SALES = 1_000;
const BUYERS = 1_000;
const ROUNDS = 5;
const GOAL = 5;

type Rates = { oneByOne: number[]; concurrent: number[]; batch: number[] };
type Compared = Rates & { kind: StoreKind; version: string };

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
    const sender = { service, apiKey: setup.api_key, buyers: BUYERS, nextId: createIds('order') };
    // The first round warms everything up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rates = {
        oneByOne: await rateOf(SALES, () => sendSingly(sender, SALES, 1)),
        concurrent: await rateOf(SALES, () => sendSingly(sender, SALES, options.connections)),
        batch: await rateOf(SALES, () => sendBatch(sender, SALES)),
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

function writePage({ connections }: Options, compared: Compared[]): string {
  const versions = Object.fromEntries(compared.map(({ kind, version }) => [kind, version]));
  const rows = compared.map((rates) => [
    rates.kind,
    describeRates(rates.oneByOne),
    describeRates(rates.concurrent),
    describeRates(rates.batch),
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

const verdict = (ratio: number) =>
  `${ratio.toFixed(1)} times (goal: at least ${GOAL}, **${ratio >= GOAL ? 'pass' : 'miss'}**)`;
