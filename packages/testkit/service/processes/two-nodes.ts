import { afterAll, beforeAll } from 'vitest';
import { type Answer, TestService } from '../service.ts';
import { newPostgres } from '../stores/store.ts';

export type Nodes = [TestService, TestService];

/** Two nodes of the same service, on one real Postgres server. */
export function useTwoNodes(): Nodes {
  const nodes: Nodes = [new TestService(), new TestService()];
  beforeAll(async () => {
    const DATABASE_URL = await newPostgres();
    for (const node of nodes) await node.open({ DATABASE_URL });
  });
  afterAll(async () => {
    for (const node of nodes) await node.service?.close();
  });
  return nodes;
}

/** Sends `count` requests concurrently, alternating between the nodes. */
export function atOnce(
  nodes: TestService[],
  count: number,
  send: (node: TestService, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => send(nodes[index % nodes.length] as TestService, index)),
  );
}

/** The number of responses with each status. */
export function statusCounts(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
