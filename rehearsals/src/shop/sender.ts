import type { Chance } from '@svc/testkit';
import type { Nodes } from './nodes.ts';
import { type StripeEvent, signatureOf } from './stripe-events.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies of several routes
export type Answer = { status: number | null; body: any; wasResent?: boolean };

/** Whether nobody can know if the request was carried out. */
export const isUnknown = ({ status }: Answer) => status === null || status >= 500;

/** Sends requests to random nodes, and remembers which failed. */
export class Sender {
  answered = 0;
  longestMs = 0;
  readonly failures: string[] = [];
  /** Requests that got no answer at all in time, although their connection stayed open. */
  readonly timeouts: string[] = [];
  readonly #nodes: Nodes;
  readonly #chance: Chance;
  readonly #timeoutMs: number;

  constructor(nodes: Nodes, chance: Chance, timeoutMs: number) {
    this.#nodes = nodes;
    this.#chance = chance;
    this.#timeoutMs = timeoutMs;
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
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      const answer = { status: response.status, body: await response.json() };
      if (isUnknown(answer)) this.failures.push(`${node.name} ${path}: ${answer.status}`);
      else this.answered += 1;
      if (response.ok) node.acknowledged += 1;
      return answer;
    } catch (error) {
      const { name, message } = error as Error;
      this.failures.push(`${node.name} ${path}: ${message}`);
      if (name === 'TimeoutError') this.timeouts.push(`${node.name} ${path}: ${message}`);
      return { status: null, body: null };
    } finally {
      node.pending -= 1;
      this.longestMs = Math.max(this.longestMs, performance.now() - from);
    }
  }
}
