import { BREAKDOWN_NAMES } from '@svc/contract';
import { seed } from '@svc/demo/seed/seed';
import type { Options } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { startService } from '../service.ts';
import { createStore } from '../store.ts';

const GOAL_MS = 200;
const REPEATS = 30;
const WARM_UP = 5;
const DAY_MS = 86_400_000;

type Timed = { name: string; p50Ms: number; p95Ms: number; rows: number };

/** Fills an embedded store, starts the service on it, and times the requests of the dashboard's pages one by one. */
export async function measureReports(options: Options, print: (line: string) => void): Promise<string> {
  const { clicks, customers } = options;
  const store = await createStore('embedded');
  try {
    const { owner, programIds, partnerId } = await seed(store.env, { clicks, customers }, print);
    const service = await startService(store, options.profileDir);
    const timed: Timed[] = [];
    for (const [name, path] of requests(programIds[0] ?? 0, partnerId)) {
      timed.push(await time(name, `${service.url}/api/v1/manage/programs/${path}`, owner.token));
      print(`${name}: ${timed.at(-1)?.p95Ms.toFixed(0)} ms`);
    }
    await service.stop();
    return writePage(options, store.version, timed);
  } finally {
    await store.remove();
  }
}

function requests(programId: number, partnerId: number): [name: string, path: string][] {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const partner = `partner_id=${partnerId}`;
  const paths: [string, string][] = [
    ['overview, 30 days', '/performance'],
    ['overview, 30 days, top partners', '/performance?group_by=partner'],
    ['overview, 30 days, top links', '/performance?group_by=link'],
    ['overview, 12 months', `/performance?from=${day(365)}&to=${day(0)}&interval=auto`],
    ['overview, 12 months, top partners', `/performance?from=${day(365)}&to=${day(0)}&group_by=partner`],
    ['overview of a partner, 30 days', `/performance?${partner}`],
    ['overview of a partner, 12 months', `/performance?from=${day(365)}&to=${day(0)}&interval=auto&${partner}`],
    ...BREAKDOWN_NAMES.map((by): [string, string] => [`by ${by}, 30 days`, `/breakdown?by=${by}`]),
    ...BREAKDOWN_NAMES.map((by): [string, string] => [
      `by ${by}, 12 months`,
      `/breakdown?by=${by}&from=${day(365)}&to=${day(0)}`,
    ]),
    ['by referrer, 12 months, of a partner', `/breakdown?by=referrer&from=${day(365)}&to=${day(0)}&${partner}`],
    ['by landing_page, 12 months, of a partner', `/breakdown?by=landing_page&from=${day(365)}&to=${day(0)}&${partner}`],
    ['by link, 12 months, of a partner', `/breakdown?by=link&from=${day(365)}&to=${day(0)}&${partner}`],
    ['by payment, 12 months, of a partner', `/breakdown?by=payment&from=${day(365)}&to=${day(0)}&${partner}`],
    ['customers by month', '/cohorts'],
    ['customers by month, of a partner', `/cohorts?${partner}`],
    ['age of clicks', '/click-ages'],
    ['search for part of a name', '/search?q=ada'],
    ['search for the start of an order', '/search?q=order_1'],
    ['search for the start of a customer', '/search?q=user_1'],
    ['search for nothing that is there', '/search?q=zzzzzz'],
    ['partners', '/partners'],
    ['partners, searched', '/partners?q=ada'],
    ['links', '/links'],
    ['events', '/events'],
    ['events, clicks only', '/events?type=click'],
    ['customers', '/customers'],
    ['customers with a sale', '/customers?status=conversion'],
    ['customers of a partner', `/customers?${partner}`],
    ['customers of an old month', `/customers?from=${day(300)}&to=${day(270)}`],
    ['customers, searched', '/customers?q=user_1'],
    ['sales', '/sales'],
    ['sales of a partner', `/sales?${partner}`],
    ['sales of a month long ago', `/sales?from=${day(300)}&to=${day(270)}`],
    ['commissions', '/commissions'],
    ['commissions, rejected (there are none)', '/commissions?status=rejected'],
    ['commissions of a partner, paid', `/commissions?status=paid&${partner}`],
    ['balances', '/balances'],
    ['payouts', '/payouts'],
    ['earnings, whole program', '/earnings'],
    ['earnings of a partner', `/earnings?${partner}`],
    ['readiness', '/readiness'],
  ];
  return paths.map(([name, path]) => [name, programId + path]);
}

async function time(name: string, url: string, token: string): Promise<Timed> {
  const times: number[] = [];
  let rows = 0;
  for (let request = -WARM_UP; request < REPEATS; request += 1) {
    const started = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (request >= 0) times.push(performance.now() - started);
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
    const { data } = JSON.parse(text) as { data: unknown };
    rows = Array.isArray(data) ? data.length : 1;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { name, p50Ms: at(0.5), p95Ms: at(0.95), rows };
}

function writePage({ clicks, customers }: Options, version: string, timed: Timed[]): string {
  const slow = timed.filter(({ p95Ms }) => p95Ms >= GOAL_MS).map(({ name }) => name);
  const verdict = slow.length === 0 ? 'all pass' : `these miss it: ${slow.join('; ')}`;
  return `# Dashboard queries

${bullets([
  ...machineFacts({ embedded: version }),
  `Embedded store with ${clicks.toLocaleString('en-US')} clicks and ${customers.toLocaleString('en-US')} customers over twelve months, nine tenths of them in the queried program`,
  `One request at a time, over HTTP; ${WARM_UP} for warm-up, ${REPEATS} measured`,
  `Goal: under ${GOAL_MS} ms at the 95th percentile; ${verdict}`,
])}

${table(
  ['Request', 'Rows', 'p50 ms', 'p95 ms'],
  timed.map(({ name, rows, p50Ms, p95Ms }) => [name, String(rows), p50Ms.toFixed(1), p95Ms.toFixed(1)]),
)}
`;
}
