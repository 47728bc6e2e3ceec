import { type Outcome, type Scene, stage } from '../faults/scene.ts';
import type { Node } from '../shop/nodes.ts';
import type { Failover, Pair } from './pair.ts';
import { acceptsKey, type KeyedProgram, replaceKey, watchKey } from './replaced-key.ts';
import { untilTrue } from './servers.ts';

/** After the promotion, by itself. */
const BACK_WITHIN_MS = 5_000;
/** After the node is back. */
const REFUSED_WITHIN_MS = 1_000;

/** What one failover was like for the callers of the service. */
export type Experience = {
  title: string;
  /** From the fault to the promotion. */
  promotedMs: number;
  /** From the promotion to the first acknowledgement of each node. */
  backMs: number[];
  /** For how long a node that was back accepted a key that was replaced right after the promotion. */
  acceptedMs: number;
};

export type Rehearsal = Outcome & { experiences: Experience[] };

/** Lets the servers of the pair fail over while customers use two nodes, and compares what was acknowledged with the store. */
export async function rehearse(pair: Pair, count: number, seed: number): Promise<Rehearsal> {
  const experiences: Experience[] = [];
  const options = { store: pair.store, nodeEnvs: pair.nodeEnvs, seed, scale: 1 };
  const outcome = await stage(options, async (scene) => {
    const made = await scene.operate<{ program_id: number; api_key: string }>('setup');
    let program: KeyedProgram = { programId: made.program_id, apiKey: made.api_key };
    for (let index = 0; index < count; index += 1) {
      await scene.serve(1_000, 2_000);
      for (const node of scene.nodes) await untilKnown(node, program);
      const failover = pair.failovers[index % pair.failovers.length] as Failover;
      const { experience, apiKey } = await failOver(pair, failover, scene, program);
      program = { ...program, apiKey };
      experiences.push(experience);
      process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${describe(experience)}\n`);
      await scene.serve(1_000);
      await pair.rejoin();
    }
    await scene.serve(1_000);
    return `${count} failovers with ${pair.title}`;
  });
  return { ...outcome, experiences, problems: [...outcome.problems, ...experiences.flatMap(problemsIn)] };
}

async function failOver(
  pair: Pair,
  { title, happen }: Failover,
  scene: Scene,
  program: KeyedProgram,
): Promise<{ experience: Experience; apiKey: string }> {
  let faultAt = performance.now();
  await happen(() => {
    faultAt = performance.now();
  });
  const promotedAt = performance.now();
  const replacing = replaceKey(program, pair.primaryUrl());
  const nodes = await Promise.all(
    scene.nodes.map(async (node) => {
      const backMs = await untilBack(node, promotedAt);
      const { replacedAt } = await replacing;
      const since = Math.max(replacedAt, promotedAt + backMs);
      return { backMs, acceptedMs: await watchKey(node, program.apiKey, since) };
    }),
  );
  const backMs = nodes.map((node) => node.backMs);
  scene.recoveries.push(...backMs);
  const acceptedMs = Math.max(...nodes.map((node) => node.acceptedMs));
  return {
    experience: { title, promotedMs: promotedAt - faultAt, backMs, acceptedMs },
    apiKey: (await replacing).apiKey,
  };
}

/** Waits for the next acknowledgement of the node. */
async function untilBack(node: Node, since: number): Promise<number> {
  const before = node.acknowledged;
  await untilTrue(async () => node.acknowledged > before, `${node.url} has acknowledged nothing`);
  return performance.now() - since;
}

/** A key that the node has not met is not in its memory either. */
async function untilKnown(node: Node, { apiKey }: KeyedProgram): Promise<void> {
  await untilTrue(async () => (await acceptsKey(node, apiKey)) === 'accepted', `${node.url} does not accept the key`);
}

function problemsIn({ title, backMs, acceptedMs }: Experience): string[] {
  const late = backMs.filter((ms) => ms > BACK_WITHIN_MS);
  return [
    ...late.map((ms) => `${title}: a node was back ${(ms / 1000).toFixed(1)} s after the promotion`),
    ...(acceptedMs > REFUSED_WITHIN_MS
      ? [`${title}: a replaced key was accepted for ${Math.round(acceptedMs)} ms`]
      : []),
  ];
}

function describe({ title, promotedMs, backMs, acceptedMs }: Experience): string {
  const backs = backMs.map((ms) => `${Math.round(ms)} ms`).join(' and ');
  return `${title}: promoted after ${Math.round(promotedMs)} ms, back after ${backs}, old key accepted for ${Math.round(acceptedMs)} ms`;
}
