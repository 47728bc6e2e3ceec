import { describeRates, median, post } from '../load/send-sales.ts';
import type { Options, StoreKind } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { type Running, startService } from '../service.ts';
import { createStore } from '../store.ts';
import { type Measured, measureClicks } from './measure-load.ts';
import { COMMISSIONS, createPayoutProgram, type PayoutProgram } from './payout-program.ts';

const ROUNDS = 2;
/** Of the rate without runs. */
const RATE_GOAL = 0.9;
/** With nothing else to do. */
const SECONDS_GOAL = 3;

type WithRuns = { clicks: Measured; asked: number; runSeconds: number[] };
type Compared = {
  kind: StoreKind;
  version: string;
  /** Seconds of runs with nothing else to do. */
  alone: number[];
  without: Measured[];
  /** As many clicks as are answered, and half as many, while runs are prepared. */
  full: WithRuns[];
  half: WithRuns[];
};

/** Measures how long a payout run takes, and clicks without and with runs being prepared one after the other, in turns. */
export async function measurePayoutRuns(options: Options, print: (line: string) => void): Promise<string> {
  const compared: Compared[] = [];
  for (const kind of options.stores) compared.push(await compare(kind, options, print));
  return writePage(options, compared);
}

async function compare(kind: StoreKind, options: Options, print: (line: string) => void): Promise<Compared> {
  const store = await createStore(kind);
  const result: Compared = { kind, version: store.version, alone: [], without: [], full: [], half: [] };
  try {
    const program = await createPayoutProgram(store, options.partners);
    const service = await startService(store, options.profileDir);
    for (let round = 0; round < ROUNDS; round += 1) {
      result.alone.push(...(await prepareRuns(service, program, () => true)));
      const without = await measureClicks(service, program.shortLink, options);
      const full = await measureWithRuns(service, program, options, without.perSecond);
      const half = await measureWithRuns(service, program, {
        ...options,
        // Runs are shorter there, and each of them needs something that is due.
        seconds: Math.ceil(options.seconds / 2),
        perSecond: without.perSecond / 2,
      });
      result.without.push(without);
      result.full.push(full);
      result.half.push(half);
      print(`${kind}: ${Math.round(without.perSecond)} clicks/s; with runs ${describe(full)} and ${describe(half)}`);
    }
    await service.stop();
    return result;
  } finally {
    await store.remove();
  }
}

type ClickPlan = Parameters<typeof measureClicks>[2];

/** Puts clicks on the service while it prepares one run after the other. */
async function measureWithRuns(
  service: Running,
  program: PayoutProgram,
  plan: ClickPlan,
  asked = plan.perSecond ?? 0,
): Promise<WithRuns> {
  let isOver = false;
  let preparing: Promise<number[]> | undefined;
  const clicks = await measureClicks(service, program.shortLink, plan, () => {
    preparing = prepareRuns(service, program, () => isOver);
  });
  isOver = true;
  return { clicks, asked, runSeconds: (await preparing) ?? [] };
}

/** Makes runs one after the other, at least one, until it is over. Returns how many seconds each took. */
async function prepareRuns(
  service: Running,
  { runsPath, token, currencies }: PayoutProgram,
  isOver: () => boolean,
): Promise<number[]> {
  const seconds: number[] = [];
  do {
    const currency = currencies.shift();
    if (!currency) throw new Error('There is nothing left to pay. Measure for fewer seconds');
    const startedAt = performance.now();
    await post(service, runsPath, token, { currency });
    seconds.push((performance.now() - startedAt) / 1_000);
  } while (!isOver());
  return seconds;
}

function writePage({ connections, seconds, partners }: Options, compared: Compared[]): string {
  return `# Clicks while payout runs are prepared

${bullets([
  ...machineFacts(Object.fromEntries(compared.map(({ kind, version }) => [kind, version]))),
  `Runs of ${partners.toLocaleString('en-US')} partners with ${COMMISSIONS} commissions each, over HTTP. Goal: less than ${SECONDS_GOAL} s with nothing else to do`,
  `${connections} connections, ${seconds} s each, ${ROUNDS} rounds in turns: as many clicks as are answered, without and with one run after the other, and half as many, for half as long, which is what to plan for. The median, and the lowest and highest round`,
  `Goal: clicks keep ${RATE_GOAL} of their rate while runs are prepared`,
])}

${table(['Store', 'Load', 'Clicks/s', 'Kept', 'p99 ms', 'Seconds per run'], compared.flatMap(rowsOf))}
`;
}

function rowsOf({ kind, alone, without, full, half }: Compared): string[][] {
  const isMet = median(alone) < SECONDS_GOAL;
  return [
    [kind, 'a run with nothing else to do', '', '', '', `${describeSeconds(alone)}, ${verdict(isMet)}`],
    [kind, 'clicks alone', ...clickColumns(without), ''],
    [kind, 'as many clicks, with runs', ...runColumns(full)],
    [kind, 'half as many clicks, with runs', ...runColumns(half)],
  ];
}

function runColumns(runs: WithRuns[]): string[] {
  const kept = median(runs.map(keptOf));
  const columns = clickColumns(
    runs.map(({ clicks }) => clicks),
    `${kept.toFixed(2)}, ${verdict(kept >= RATE_GOAL)}`,
  );
  return [...columns, describeSeconds(runs.flatMap(({ runSeconds }) => runSeconds))];
}

const clickColumns = (clicks: Measured[], kept = ''): string[] => [
  describeRates(clicks.map(({ perSecond }) => perSecond)),
  kept,
  median(clicks.map(({ p99Ms }) => p99Ms)).toFixed(0),
];

const keptOf = ({ clicks, asked }: WithRuns) => clicks.perSecond / asked;
const describe = (run: WithRuns) => `${keptOf(run).toFixed(2)} (runs of ${describeSeconds(run.runSeconds)} s)`;
const describeSeconds = (seconds: number[]) =>
  `${median(seconds).toFixed(1)} (at most ${Math.max(...seconds).toFixed(1)})`;
const verdict = (isMet: boolean) => `**${isMet ? 'pass' : 'miss'}**`;
