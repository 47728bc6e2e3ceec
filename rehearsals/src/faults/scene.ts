import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { StoreKind } from '@svc/bench/options';
import { type Environment, stopProgram } from '@svc/bench/processes';
import { type BenchStore, createStore } from '@svc/bench/store';
import type { Db } from '@svc/server/db/db';
import { Chance, type PostgresServer } from '@svc/testkit';
import { compareStore, type Differences } from '../shop/compare.ts';
import { type Build, type Node, Nodes, operate, SETTINGS, startNode } from '../shop/nodes.ts';
import { createPrograms, type Program } from '../shop/programs.ts';
import { Shop } from '../shop/shop.ts';

const SERVICE: Build = {
  name: 'service',
  program: fileURLToPath(import.meta.resolve('@svc/server/bin/svc-server')),
};
/** A request that gets no answer for that long hangs, whatever the machine is busy with. */
const TIMEOUT_MS = 30_000;
/** A service that does not serve again by then has not recovered. */
const RECOVERY_MS = 90_000;
/** As often as it takes: only the recovery is limited. */
const RESENDS = 10_000;
const WORKERS = 12;

export type SceneOptions = {
  /** A new one of its kind, or one that is there already; it is removed afterwards. */
  store: StoreKind | BenchStore;
  seed: number;
  /** Multiplies the number of faults and events. */
  scale: number;
  nodes?: number;
  /** Instead of a number: what each node gets besides `env`. */
  nodeEnvs?: Environment[];
  /** For the service, besides its store. */
  env?: Environment;
  /** Where the data folder is created. */
  folder?: string;
  clickDetails?: object;
  /** Whether customers click and buy on their own. */
  isShopOpen?: boolean;
  /** Changes the programs before the service starts. */
  prepare?: (db: Db, programs: Program[]) => Promise<Program[]>;
};

/** A running service with customers, to which faults happen. */
export class Scene {
  readonly chance: Chance;
  readonly store: BenchStore;
  readonly nodes: Node[];
  readonly shop: Shop;
  readonly programs: Program[];
  readonly recoveries: number[] = [];
  readonly #startedAt = performance.now();
  #loadSeconds: number | undefined;
  readonly #env: Environment;

  constructor(
    { seed }: SceneOptions,
    parts: { store: BenchStore; nodes: Node[]; shop: Shop; programs: Program[]; env: Environment },
  ) {
    this.chance = new Chance(seed);
    this.store = parts.store;
    this.nodes = parts.nodes;
    this.shop = parts.shop;
    this.programs = parts.programs;
    this.#env = parts.env;
  }

  get node(): Node {
    return this.nodes[0] as Node;
  }

  get postgres(): PostgresServer {
    return this.store.server as PostgresServer;
  }

  /** How long there was load. */
  get loadSeconds(): number {
    return this.#loadSeconds ?? (performance.now() - this.#startedAt) / 1000;
  }

  /** What follows is waiting, not load. */
  endLoad(): void {
    this.#loadSeconds = this.loadSeconds;
  }

  /** Lets customers use the service for a while. */
  async serve(fromMs: number, toMs = fromMs): Promise<void> {
    await sleep(fromMs + this.chance.below(toMs - fromMs + 1));
  }

  /** Runs an operator command on the running service. */
  operate<Result>(command: string): Promise<Result> {
    return operate<Result>(SERVICE, this.#env, command);
  }

  /** As `kill -9` does, and a supervisor that starts the process again at once. */
  async kill(node = this.node): Promise<void> {
    const ended = once(node.child, 'exit');
    node.child.kill('SIGKILL');
    await ended;
    node.respawn();
  }

  /** Waits for the next acknowledgement and notes how long it took from `since`. The service must not end meanwhile. */
  async recover(
    since: number,
    onEnded = (reason: string): void => {
      throw new Error(reason);
    },
  ): Promise<void> {
    const { sender } = this.shop;
    const before = sender.answered;
    while (sender.answered === before) {
      const { exitCode } = this.node.child;
      if (exitCode !== null) onEnded(`The service ended with ${exitCode}: ${this.node.log.slice(-3).join(' ')}`);
      if (performance.now() - since > RECOVERY_MS) throw new Error(`Not recovered after ${RECOVERY_MS / 1000} seconds`);
      await sleep(5);
    }
    this.recoveries.push(performance.now() - since);
  }
}

/** What came of a run. */
export type Outcome = {
  /** The faults, in words. */
  faults: string;
  scene: Scene;
  differences: Differences;
  /** What went wrong besides lost and doubled events. */
  problems: string[];
};

/** Opens a shop on a new store, lets `happen` cause faults, and compares what was acknowledged with what is stored. */
export async function stage(options: SceneOptions, happen: (scene: Scene) => Promise<string>): Promise<Outcome> {
  const store = typeof options.store === 'string' ? await createStore(options.store, options.folder) : options.store;
  const nodes: Node[] = [];
  let shop: Shop | undefined;
  try {
    const env = { ...store.env, ...SETTINGS, ...options.env };
    const created = await createPrograms(SERVICE, env);
    const { prepare } = options;
    const programs = prepare ? await store.withDb((db) => prepare(db, created)) : created;
    const nodeEnvs = options.nodeEnvs ?? Array.from({ length: options.nodes ?? 1 }, () => ({}));
    for (const nodeEnv of nodeEnvs) nodes.push((await startNode(SERVICE, { ...env, ...nodeEnv })).node);
    shop = new Shop(serving(nodes), programs, { ...options, timeoutMs: TIMEOUT_MS, resends: RESENDS });
    const scene = new Scene(options, { store, nodes, shop, programs, env });
    if (options.isShopOpen ?? true) shop.start(WORKERS);
    const faults = await happen(scene);
    await shop.stop();
    scene.endLoad();
    const problems = await stopAll(nodes);
    return { faults, problems, scene, differences: await store.withDb((db) => compareStore(db, scene.shop)) };
  } finally {
    store.server?.resume();
    await shop?.abandon();
    for (const { child } of nodes) child.kill('SIGKILL');
    await store.remove();
  }
}

function serving(nodes: Node[]): Nodes {
  const all = new Nodes();
  for (const node of nodes) all.add(node);
  return all;
}

/** Stops the nodes as an operator does. Returns those that did not end by themselves. */
async function stopAll(nodes: Node[]): Promise<string[]> {
  await Promise.all(nodes.map(({ child }) => stopProgram(child)));
  return nodes.flatMap(({ child: { exitCode, signalCode } }) =>
    exitCode === 0 ? [] : [`After SIGTERM the service ended with ${exitCode ?? signalCode}`],
  );
}
