import type { TermsRule } from '@svc/contract';
import { createIds, describeRates, median, post, rateOf, sendBatch, sendSingly } from '../load/send-sales.ts';
import type { Options, StoreKind } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { startService } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';
import { measureSimulation, SIMULATED_SALES, type Simulated } from './measure-simulation.ts';
import { createTermsProgram, type TermsProgram } from './terms-program.ts';

const ROUNDS = 7;
const SALES = 1_000;
const BUYERS = 5_000;
const RATE_GOAL = 0.9;
const SECONDS_GOAL = 3;

const TWENTY_RULES = twentyRules();

/** The programs of a run, by the rules that they have. */
const PROGRAMS = {
  'no rules': [],
  'twenty rules': TWENTY_RULES,
  'twenty rules with caps': TWENTY_RULES.map((rule) => ({ ...rule, caps: { per_customer_cents: 100_000_000 } })),
} satisfies Record<string, TermsRule[]>;
type Name = keyof typeof PROGRAMS;
const NAMES = Object.keys(PROGRAMS) as Name[];

type Rates = { concurrent: number[]; batch: number[] };
type Compared = { kind: StoreKind; version: string; rates: Record<Name, Rates>; simulated: Simulated };

/** Nineteen rules that match no sale of the run, and one that matches all, so that every rule is tried for each sale. */
function twentyRules(): TermsRule[] {
  const products = Array.from({ length: 19 }, (_, index): TermsRule => {
    const pays = { type: 'percent', rate: 5 + index, renewals: true, months: 12 } as const;
    return { on: 'sale', when: { product_id: `product-${index}`, min_amount_cents: 100 }, pays };
  });
  return [...products, { on: 'sale', pays: { type: 'percent', rate: 25, renewals: true } }];
}

/** Measures sales of programs with and without rules, in turns, and then a simulation. */
export async function measureTerms(options: Options, print: (line: string) => void): Promise<string> {
  const compared: Compared[] = [];
  for (const kind of options.stores) compared.push(await compare(kind, options, print));
  return writePage(options, compared);
}

async function compare(kind: StoreKind, options: Options, print: (line: string) => void): Promise<Compared> {
  const store = await createStore(kind);
  try {
    const rates = await measureRates(store, options, print);
    const simulated = await measureSimulation(store, TWENTY_RULES, options, print);
    return { kind, version: store.version, rates, simulated };
  } finally {
    await store.remove();
  }
}

async function measureRates(
  store: BenchStore,
  { connections, profileDir }: Options,
  print: (line: string) => void,
): Promise<Record<Name, Rates>> {
  const programs = {} as Record<Name, TermsProgram>;
  for (const name of NAMES) programs[name] = await createTermsProgram(store, BUYERS);
  const service = await startService(store, profileDir);
  for (const name of NAMES) {
    const { termsPath, token } = programs[name];
    await post(service, termsPath, token, { rules: PROGRAMS[name] });
  }
  const nextId = createIds('order');
  const rates = {} as Record<Name, Rates>;
  for (const name of NAMES) rates[name] = { concurrent: [], batch: [] };
  // The first round warms everything up and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of NAMES) {
      const sender = { service, apiKey: programs[name].apiKey, buyers: BUYERS, nextId };
      const concurrent = await rateOf(SALES, () => sendSingly(sender, SALES, connections));
      const batch = await rateOf(SALES, () => sendBatch(sender, SALES));
      if (round === 0) continue;
      rates[name].concurrent.push(concurrent);
      rates[name].batch.push(batch);
      print(`${store.kind}, ${name}: ${Math.round(concurrent)} sales/s, in batches ${Math.round(batch)}`);
    }
  }
  await service.stop();
  return rates;
}

function writePage({ connections }: Options, compared: Compared[]): string {
  const versions = Object.fromEntries(compared.map(({ kind, version }) => [kind, version]));
  return `# Terms

${bullets([
  ...machineFacts(versions),
  `Sales per second, ${connections} at a time and in batches of ${SALES}: ${ROUNDS} rounds of ${SALES} in turns; the median, and the lowest and highest round`,
  `Nineteen of the rules match no sale, the last one matches all. Goal: twenty rules at least ${RATE_GOAL} of the rate without rules`,
  'Client and service run on the same machine; each request is answered after its commit',
])}

${table(['Store', 'Terms', `${connections} at a time`, 'To no rules', 'In batches', 'To no rules'], compared.flatMap(rateRows))}

Simulating twenty rules for ${SIMULATED_SALES.toLocaleString('en-US')} sales, over HTTP. The goal on the embedded store is less than ${SECONDS_GOAL} seconds. Meanwhile, another
request asked the store again and again.

${table(
  ['Store', 'Seconds', 'Lowest and highest', 'Slowest other request', 'Goal'],
  compared.map(({ kind, simulated }) => simulationRow(kind, simulated)),
)}
`;
}

function rateRows({ kind, rates }: Compared): string[][] {
  return NAMES.map((name) => {
    const ratio = (how: keyof Rates) => median(rates[name][how]) / median(rates['no rules'][how]);
    return [
      kind,
      name,
      describeRates(rates[name].concurrent),
      verdict(name, ratio('concurrent')),
      describeRates(rates[name].batch),
      verdict(name, ratio('batch')),
    ];
  });
}

/** The goal is about rules; what caps cost is for information. */
function verdict(name: Name, ratio: number): string {
  if (name !== 'twenty rules') return ratio.toFixed(2);
  return `${ratio.toFixed(2)} (**${ratio >= RATE_GOAL ? 'pass' : 'miss'}**)`;
}

function simulationRow(kind: StoreKind, { seconds, slowestOtherMs }: Simulated): string[] {
  const range = [Math.min(...seconds), Math.max(...seconds)].map((value) => value.toFixed(2)).join('–');
  const goal = kind === 'embedded' ? `**${median(seconds) < SECONDS_GOAL ? 'pass' : 'miss'}**` : '';
  return [kind, median(seconds).toFixed(2), range, `${slowestOtherMs.toFixed(0)} ms`, goal];
}
