import { runSalesWithoutHttp, type WithoutHttp } from '../baselines/sales-without-http.ts';
import { type Fixtures, prepareFixtures } from '../fixtures.ts';
import type { LoadBody } from '../load/plan.ts';
import type { Options, StoreKind } from '../options.ts';
import { type Running, setUp, startOneTransactionPerClick, startService } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';
import { checkRows, type RowCheck } from './count-rows.ts';
import { type Measured, measureLoad, measureNodes } from './measure-load.ts';
import { type MemoryUse, watchMemory } from './watch-memory.ts';

export type StoreResult = {
  kind: StoreKind;
  version: string;
  oneTransactionPerClick: Measured;
  clicks: Measured;
  redirects: Measured;
  leads: Measured;
  sales: Measured;
  refunds: Measured;
  /** Clicks on several nodes, if the store can be shared. */
  clicksOnNodes: Measured | undefined;
  /** Clicks on one node with several workers, if the store allows it. */
  clicksOnWorkers: Measured | undefined;
  salesWithoutHttp: WithoutHttp;
  memory: MemoryUse;
  rows: RowCheck[];
};

/** More than any run has reached, so that the prepared rows last for the whole run. */
const MOST_PER_SECOND = { leads: 8_000, sales: 12_000 };

/** Measures clicks, redirects, leads, sales and refunds on one store with their baselines, and counts the rows at the end. */
export async function measureStore(
  kind: StoreKind,
  options: Options,
  print: (line: string) => void,
): Promise<StoreResult> {
  const { seconds, warmupSeconds, connections } = options;
  const perRun = seconds + warmupSeconds;
  const salesPerRun = MOST_PER_SECOND.sales * perRun;
  const counts = { visitors: MOST_PER_SECOND.leads * perRun, buyers: 2 * salesPerRun };
  const store = await createStore(kind);
  try {
    print(`${kind}: preparing ${counts.visitors + counts.buyers} customers`);
    const fixtures = await prepareFixtures(store, await setUp(store), counts);
    const measure = (server: Running, body: LoadBody, maxRequests = Number.MAX_SAFE_INTEGER) => {
      const apiKey = 'shortLink' in body ? undefined : fixtures.apiKey;
      return measureLoad(server, { body, apiKey, connections, seconds, warmupSeconds, maxRequests });
    };

    print(`${kind}: one transaction per click`);
    const perClick = await startOneTransactionPerClick(store);
    const oneTransactionPerClick = await measure(perClick, clicksOf(fixtures));
    await perClick.stop();

    // Before the sales: what is announced and counted after them would take the cores.
    const isShared = kind === 'postgres';
    const clicksOnNodes = isShared ? await measureOnNodes(store, options, fixtures, print) : undefined;
    const clicksOnWorkers = isShared ? await measureOnWorkers(store, options, fixtures, print) : undefined;

    const service = await startService(store, options.profileDir);
    const memoryOf = watchMemory(service.url);
    print(`${kind}: clicks`);
    const clicks = await measure(service, clicksOf(fixtures));
    print(`${kind}: redirects`);
    const redirects = await measure(service, { of: 'redirect', shortLink: fixtures.shortLink });
    print(`${kind}: leads`);
    const leads = await measure(service, leadsOf(fixtures), fixtures.visitors);
    print(`${kind}: sales`);
    const sales = await measure(service, { of: 'sale' }, salesPerRun);
    print(`${kind}: refunds`);
    const refunds = await measure(service, { of: 'refund' }, sales.acknowledged);
    const memory = memoryOf();
    await service.stop();

    print(`${kind}: sales without HTTP`);
    const groupSize = Math.max(1, Math.round(sales.groupSize));
    const salesWithoutHttp = await store.withDb((db) =>
      runSalesWithoutHttp(db, fixtures, { groupSize, firstBuyer: salesPerRun, warmupSeconds, seconds }),
    );

    const rows = await checkRows(store, fixtures, {
      clicks: [oneTransactionPerClick, clicks, redirects, clicksOnNodes, clicksOnWorkers].reduce(
        (sum, load) => sum + (load?.acknowledged ?? 0),
        0,
      ),
      leads: leads.acknowledged,
      sales: sales.acknowledged + salesWithoutHttp.written,
      refunds: refunds.acknowledged,
    });
    const { version } = store;
    const measured = {
      oneTransactionPerClick,
      clicks,
      redirects,
      leads,
      sales,
      refunds,
      clicksOnNodes,
      clicksOnWorkers,
      salesWithoutHttp,
    };
    return { kind, version, ...measured, memory, rows };
  } finally {
    await store.remove();
  }
}

async function measureOnNodes(
  store: BenchStore,
  { nodes: count, seconds, warmupSeconds, connections }: Options,
  fixtures: Fixtures,
  print: (line: string) => void,
): Promise<Measured> {
  print(`postgres: clicks on ${count} nodes`);
  const nodes = await Promise.all(Array.from({ length: count }, () => startService(store)));
  const maxRequests = Number.MAX_SAFE_INTEGER;
  const body = clicksOf(fixtures);
  const measured = await measureNodes(nodes, { body, connections, seconds, warmupSeconds, maxRequests });
  await Promise.all(nodes.map((node) => node.stop()));
  return measured;
}

async function measureOnWorkers(
  store: BenchStore,
  { workers, seconds, warmupSeconds, connections }: Options,
  fixtures: Fixtures,
  print: (line: string) => void,
): Promise<Measured> {
  print(`postgres: clicks on ${workers} workers`);
  const service = await startService(store, undefined, workers);
  const maxRequests = Number.MAX_SAFE_INTEGER;
  const body = clicksOf(fixtures);
  const measured = await measureLoad(service, { body, connections, seconds, warmupSeconds, maxRequests });
  await service.stop();
  return measured;
}

function clicksOf({ shortLink }: Fixtures): LoadBody {
  return { of: 'click', shortLink };
}

function leadsOf({ firstVisitorId, clickedAtMs }: Fixtures): LoadBody {
  return { of: 'lead', firstCustomerId: firstVisitorId, clickedAtMs };
}
