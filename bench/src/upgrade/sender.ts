import type { Chance } from '@svc/testkit';
import type { Nodes } from './nodes.ts';
import { type StripeEvent, signatureOf } from './stripe-events.ts';

/** Longer than any migration of the test takes: a request that waits for one is not a failed request. */
const TIMEOUT_MS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: replies of several routes
export type Answer = { status: number | null; body: any; wasResent?: boolean };

/** Sends requests to random nodes, and remembers which failed. */
export class Sender {
  answered = 0;
  longestMs = 0;
  readonly failures: string[] = [];
  readonly #nodes: Nodes;
  readonly #chance: Chance;

  constructor(nodes: Nodes, chance: Chance) {
    this.#nodes = nodes;
    this.#chance = chance;
  }

  post(route: 'click' | 'lead' | 'sale' | 'refund', body: object, key?: string): Promise<Answer> {
    return this.#send(`/api/v1/track/${route}`, JSON.stringify(body), key ? { authorization: `Bearer ${key}` } : {});
  }

  deliver(event: StripeEvent): Promise<Answer> {
    const body = JSON.stringify(event);
    return this.#send('/api/v1/webhooks/stripe', body, { 'stripe-signature': signatureOf(body) });
  }

  async #send(path: string, body: string, headers: Record<string, string>): Promise<Answer> {
    const node = this.#nodes.pick(this.#chance);
    const from = performance.now();
    node.pending += 1;
    try {
      const response = await fetch(`${node.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = { status: response.status, body: await response.json().catch(() => null) };
      if (answer.status >= 500) this.failures.push(`${node.release} ${path}: ${answer.status}`);
      else this.answered += 1;
      return answer;
    } catch (error) {
      this.failures.push(`${node.release} ${path}: ${error instanceof Error ? error.message : String(error)}`);
      return { status: null, body: null };
    } finally {
      node.pending -= 1;
      this.longestMs = Math.max(this.longestMs, performance.now() - from);
    }
  }
}
