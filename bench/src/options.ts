import { parseArgs } from 'node:util';

export type StoreKind = 'postgres' | 'embedded';

export type Options = {
  /** Length of each measured period. */
  seconds: number;
  /** Load of the same kind before each measured period, not counted. */
  warmupSeconds: number;
  connections: number;
  /** How many nodes the run with several nodes has. */
  nodes: number;
  stores: StoreKind[];
  /** Set for a long run of clicks that watches memory, instead of the comparison. */
  soakSeconds: number | undefined;
  /** Set for clicks on stores that hold so many clicks already, instead of the comparison. */
  sizes: number[] | undefined;
  /** Time what pages ask about a filled store, instead of the comparison. */
  reports: boolean;
  /** How much is in that store. */
  clicks: number;
  customers: number;
  /** A folder for CPU profiles of the service, one file per process. */
  profileDir: string | undefined;
};

export const USAGE = `npm run bench -- [options]
  --seconds <n>       length of each measured period (8)
  --warmup <n>        load before each measured period (8)
  --connections <n>   keep-alive connections, one request at a time on each (64)
  --stores <list>     postgres,embedded (both)
  --nodes <n>         nodes in the run with several nodes (2)
  --sizes <list>      only clicks, on stores that hold so many already (10000,1000000,10000000)
  --soak <n>          only clicks, for so many seconds, watching memory (300 for the five-minute run)
  --reports           only what the pages of dashboard and portal ask, on a store with a year of data
  --clicks <n>        how many clicks that store has (1000000)
  --customers <n>     how many customers it has (50000)
  --profile <folder>  write CPU profiles of the service there`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '8' },
      warmup: { type: 'string', default: '8' },
      connections: { type: 'string', default: '64' },
      stores: { type: 'string', default: 'postgres,embedded' },
      nodes: { type: 'string', default: '2' },
      sizes: { type: 'string' },
      soak: { type: 'string' },
      reports: { type: 'boolean', default: false },
      clicks: { type: 'string', default: '1000000' },
      customers: { type: 'string', default: '50000' },
      profile: { type: 'string' },
    },
  });
  const stores = values.stores.split(',');
  if (!stores.every(isStoreKind)) throw new Error('--stores takes postgres, embedded, or both with a comma');
  return {
    seconds: wholeNumber('--seconds', values.seconds, 600),
    warmupSeconds: wholeNumber('--warmup', values.warmup, 600),
    connections: wholeNumber('--connections', values.connections, 1_000),
    nodes: wholeNumber('--nodes', values.nodes, 16),
    sizes: values.sizes?.split(',').map((size) => wholeNumber('--sizes', size, 100_000_000)),
    stores,
    soakSeconds: values.soak === undefined ? undefined : wholeNumber('--soak', values.soak, 3_600),
    reports: values.reports,
    clicks: wholeNumber('--clicks', values.clicks, 100_000_000),
    customers: wholeNumber('--customers', values.customers, 100_000_000),
    profileDir: values.profile,
  };
}

function isStoreKind(name: string): name is StoreKind {
  return name === 'postgres' || name === 'embedded';
}

export function wholeNumber(flag: string, text: string, max: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > max) {
    throw new Error(`${flag} takes a whole number from 1 to ${max}`);
  }
  return number;
}
