import type { RowCheck } from '../measurements/count-rows.ts';
import type { Measured } from '../measurements/measure-load.ts';
import type { StoreResult } from '../measurements/measure-store.ts';
import type { Options } from '../options.ts';
import {
  type Comparison,
  compareClicks,
  compareLeads,
  compareNodes,
  compareRedirects,
  compareRefunds,
  compareSales,
  compareWorkers,
  describeComparison,
} from './goals.ts';
import { machineFacts } from './machine.ts';

const NAMES = { postgres: 'real Postgres', embedded: 'embedded' };

/** The results of a run as a Markdown page. */
export function writeReport(options: Options, bare: Measured, results: StoreResult[]): string {
  const { seconds, warmupSeconds, connections } = options;
  const postgres = results.find(({ kind }) => kind === 'postgres');
  return `# Benchmark

${bullets([
  ...machineFacts(Object.fromEntries(results.map(({ kind, version }) => [NAMES[kind], version]))),
  `${connections} connections, one request at a time on each, ${warmupSeconds} s of warm-up and ${seconds} s measured per line`,
  'Load generator, service and Postgres share the machine; compare ratios within one run, not numbers of different runs',
  'Rate limits are on: clicks, redirects and leads with the default limits, each request from a different IP address; the limit for sales, counted by key, is raised',
  'Postgres with its default settings (fsync and synchronous_commit on)',
  'Service CPU: CPU time of the processes of the service (including its embedded store) per request',
  'Generator: how much of a core the load generator took, which the service and Postgres did not have',
])}

${table(
  ['Load', 'Store', 'Per second', 'p50 ms', 'p99 ms', 'Service CPU µs', 'Generator', 'Rows per commit', 'Comparison'],
  [
    loadRow('Bare Fastify, stores nothing', '', bare, []),
    ...results.flatMap((result) => storeRows(result, bare, postgres)),
  ],
)}

Memory of the service process over the whole run, including the rate windows of up to two minutes of IP addresses
(\`--soak 300\` shows whether it stays flat):

${table(
  ['Store', 'Start MB', 'Middle MB', 'End MB', 'Peak MB'],
  results.map(({ kind, memory }) => [
    NAMES[kind],
    ...[memory.startMb, memory.middleMb, memory.endMb, memory.peakMb].map((mb) => mb.toFixed(0)),
  ]),
)}

Requests answered with success, including the warm-up, compared with the rows stored afterwards:

${table(
  ['Store', 'Rows', 'Acknowledged', 'Stored', ''],
  results.flatMap(({ kind, rows }) => rows.map((row) => rowCheck(NAMES[kind], row))),
)}
`;
}

function storeRows(result: StoreResult, bare: Measured, postgres: StoreResult | undefined): string[][] {
  const store = NAMES[result.kind];
  const alone = result.salesWithoutHttp;
  return [
    loadRow('One transaction per click', store, result.oneTransactionPerClick, []),
    loadRow('**Clicks**', store, result.clicks, compareClicks(result, bare, postgres)),
    loadRow('**Redirects**', store, result.redirects, compareRedirects(result)),
    loadRow('**Leads**', store, result.leads, compareLeads(result, postgres)),
    ['Sales without HTTP', store, count(alone.perSecond), '', '', '', '', alone.groupSize.toFixed(0), ''],
    loadRow('**Sales**', store, result.sales, compareSales(result, postgres)),
    loadRow('**Refunds**', store, result.refunds, compareRefunds(result, postgres)),
    ...(result.clicksOnNodes
      ? [loadRow('Clicks on several nodes', store, result.clicksOnNodes, compareNodes(result))]
      : []),
    ...(result.clicksOnWorkers
      ? [loadRow('Clicks on several workers', store, result.clicksOnWorkers, compareWorkers(result))]
      : []),
  ];
}

function loadRow(name: string, store: string, load: Measured, comparisons: Comparison[]): string[] {
  const refused = Object.entries(load.refused).map(([status, times]) => `${times} responses with ${status}`);
  const remarks = [
    ...comparisons.map(describeComparison),
    ...refused,
    ...(load.unanswered > 0 ? [`${load.unanswered} unanswered`] : []),
    ...(load.generatorCpu > 0.9 ? ['the load generator was the bottleneck'] : []),
  ];
  return [
    name,
    store,
    count(load.perSecond),
    load.p50Ms.toFixed(1),
    load.p99Ms.toFixed(1),
    load.serverCpuMicros.toFixed(0),
    load.generatorCpu.toFixed(2),
    load.groupSize > 0 ? load.groupSize.toFixed(0) : '',
    remarks.join('; '),
  ];
}

function rowCheck(store: string, { what, acknowledged, stored }: RowCheck): string[] {
  return [store, what, count(acknowledged), count(stored), acknowledged === stored ? 'equal' : '**DIFFERENT**'];
}

export function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function bullets(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

const count = (number: number) => Math.round(number).toLocaleString('en-US');
