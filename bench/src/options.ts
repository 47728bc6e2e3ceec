import { parseArgs } from 'node:util';
import { wholeNumber } from '@svc/testkit';

export type StoreKind = 'postgres' | 'embedded';

export type Options = {
  /** Length of each measured period. */
  seconds: number;
  /** Load of the same kind before each measured period, not measured. */
  warmupSeconds: number;
  connections: number;
  /** The number of nodes in the run with several nodes. */
  nodes: number;
  /** The number of workers in the run with several workers. */
  workers: number;
  stores: StoreKind[];
  /** Set for a long run of clicks that samples memory, instead of the comparison. */
  soakSeconds: number | undefined;
  /** Set for clicks on stores of these sizes, instead of the comparison. */
  sizes: number[] | undefined;
  /** Times the dashboard's requests on a filled store, instead of the comparison. */
  reports: boolean;
  /** Measures clicks with and without mail in the queue, instead of the comparison. */
  mail: boolean;
  /** Compares batches of sales with single sales, instead of the comparison. */
  batch: boolean;
  /** Compares sales with and without rules and times a simulation, instead of the comparison. */
  terms: boolean;
  /** Measures how fast payment events are processed, instead of the comparison. */
  inbox: boolean;
  /** Measures how soon and how fast events are sent to endpoints, instead of the comparison. */
  webhooks: boolean;
  /** Kills the service twice while it sends webhooks, instead of the comparison. */
  webhooksKilled: boolean;
  /** Compares clicks through a pooler with clicks on the server itself, instead of the comparison. */
  pooler: boolean;
  /** Times an import of 50,000 partners, instead of the comparison. */
  import: boolean;
  /** Archives a month of clicks under a load of clicks, instead of the comparison. */
  archive: boolean;
  /** Prepares payout runs under a load of clicks, instead of the comparison. */
  payoutRun: boolean;
  /** How many partners a run pays. */
  partners: number;
  /** How many events that are. */
  events: number;
  /** The size of that store. */
  clicks: number;
  customers: number;
  /** A folder for CPU profiles of the service, one file per process. */
  profileDir: string | undefined;
};

export const USAGE = `npm run bench -- [options]
  --seconds <n>       length of each measured period (8; 40 with --payout-run)
  --warmup <n>        load before each measured period (8)
  --connections <n>   keep-alive connections, one request at a time on each (64)
  --stores <list>     postgres,embedded (both)
  --nodes <n>         nodes in the run with several nodes (2)
  --workers <n>       workers in the run with several workers (2)
  --sizes <list>      only clicks, on stores that already hold this many (10000,1000000,10000000)
  --soak <n>          only clicks, for this many seconds, sampling memory (300 for the five-minute run)
  --reports           only the requests of dashboard and portal, on a store with a year of data
  --mail              only clicks, with and without 10,000 mails in the queue
  --batch             only sales, one by one, concurrent and in batches of 1,000
  --terms             only sales, with and without rules, and a simulation of 100,000 sales
  --inbox             only payment events, of customers with many payments and of twenty programs
  --webhooks          only webhooks, on a quiet node and in a burst to 20 endpoints
  --webhooks-killed   only webhooks, of a service that is killed twice while it sends them
  --pooler            only clicks, on a Postgres server itself and through PgBouncer
  --import            only an import of 50,000 partners, and the same one again
  --archive           only clicks, while a month of others is archived
  --payout-run        only clicks, with and without payout runs being prepared
  --partners <n>      number of partners in each of those runs (5000)
  --events <n>        number of events in that burst (10000)
  --clicks <n>        number of clicks in that store (1000000)
  --customers <n>     number of customers in it (50000)
  --profile <folder>  write CPU profiles of the service to this folder`;

/** A run that rests while clicks take everything fits into it from its start to its end. */
const PAYOUT_RUN_SECONDS = '40';

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string' },
      warmup: { type: 'string', default: '8' },
      connections: { type: 'string', default: '64' },
      stores: { type: 'string', default: 'postgres,embedded' },
      nodes: { type: 'string', default: '2' },
      workers: { type: 'string', default: '2' },
      sizes: { type: 'string' },
      soak: { type: 'string' },
      reports: { type: 'boolean', default: false },
      mail: { type: 'boolean', default: false },
      batch: { type: 'boolean', default: false },
      terms: { type: 'boolean', default: false },
      inbox: { type: 'boolean', default: false },
      webhooks: { type: 'boolean', default: false },
      'webhooks-killed': { type: 'boolean', default: false },
      pooler: { type: 'boolean', default: false },
      import: { type: 'boolean', default: false },
      archive: { type: 'boolean', default: false },
      'payout-run': { type: 'boolean', default: false },
      partners: { type: 'string', default: '5000' },
      events: { type: 'string', default: '10000' },
      clicks: { type: 'string', default: '1000000' },
      customers: { type: 'string', default: '50000' },
      profile: { type: 'string' },
    },
  });
  const stores = values.stores.split(',');
  if (!stores.every(isStoreKind)) throw new Error('--stores must be postgres, embedded, or postgres,embedded');
  return {
    seconds: wholeNumber('--seconds', values.seconds ?? (values['payout-run'] ? PAYOUT_RUN_SECONDS : '8'), 600),
    warmupSeconds: wholeNumber('--warmup', values.warmup, 600),
    connections: wholeNumber('--connections', values.connections, 1_000),
    nodes: wholeNumber('--nodes', values.nodes, 16),
    workers: wholeNumber('--workers', values.workers, 16),
    sizes: values.sizes?.split(',').map((size) => wholeNumber('--sizes', size, 100_000_000)),
    stores,
    soakSeconds: values.soak === undefined ? undefined : wholeNumber('--soak', values.soak, 3_600),
    reports: values.reports,
    mail: values.mail,
    batch: values.batch,
    terms: values.terms,
    inbox: values.inbox,
    webhooks: values.webhooks,
    webhooksKilled: values['webhooks-killed'],
    pooler: values.pooler,
    import: values.import,
    archive: values.archive,
    payoutRun: values['payout-run'],
    partners: wholeNumber('--partners', values.partners, 100_000),
    events: wholeNumber('--events', values.events, 1_000_000),
    clicks: wholeNumber('--clicks', values.clicks, 100_000_000),
    customers: wholeNumber('--customers', values.customers, 100_000_000),
    profileDir: values.profile,
  };
}

function isStoreKind(name: string): name is StoreKind {
  return name === 'postgres' || name === 'embedded';
}
