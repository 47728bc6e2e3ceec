import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../service.ts';

/** Who reports sales in a run: each sale has an id of its own, and the buyers take turns. */
export type Sender = { service: Running; apiKey: string; buyers: number; nextId: () => SaleId };
type SaleId = { number: number; name: string };

/** Counts ids up, so that no two sales of a run share one. */
export function createIds(prefix: string): () => SaleId {
  let number = 0;
  return () => {
    number += 1;
    return { number, name: `${prefix}-${number}` };
  };
}

/** How many sales per second were answered while this many were sent. */
export async function rateOf(sales: number, send: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await send();
  return (sales * 1_000) / (performance.now() - startedAt);
}

/** Reports sales with one request each, over as many connections. */
export async function sendSingly(sender: Sender, sales: number, connections: number): Promise<void> {
  let left = sales;
  const sendNext = async () => {
    for (; left > 0; ) {
      left -= 1;
      await post(sender.service, '/api/v1/track/sale', sender.apiKey, newSale(sender));
    }
  };
  await Promise.all(Array.from({ length: connections }, sendNext));
}

/** Reports up to 1,000 sales with one request. */
export async function sendBatch(sender: Sender, sales: number): Promise<void> {
  const items = Array.from({ length: sales }, () => ({ type: 'sale', ...newSale(sender) }));
  const { results } = await post<Results>(sender.service, '/api/v1/track/batch', sender.apiKey, { items });
  const refused = results.find(({ status }) => status !== 200);
  if (refused) throw new Error(`An item was answered with ${refused.status}: ${JSON.stringify(refused.body)}`);
}

type Results = { results: { status: number; body: unknown }[] };

function newSale({ nextId, buyers }: Sender) {
  const { number, name } = nextId();
  return { transaction_id: name, customer_key: `buyer-${number % buyers}`, amount_cents: 4900 };
}

/** Sends a request and returns the data of its answer. A busy service is asked again, as it asks its clients to. */
export async function post<Data>(service: Running, path: string, token: string, body: object): Promise<Data> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status === 503) {
    await response.text();
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
    return post(service, path, token, body);
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: Data };
  return data;
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The median of some rates, with the lowest and the highest. */
export function describeRates(rates: number[]): string {
  const rounded = rates.map(Math.round);
  return `${Math.round(median(rates))} (${Math.min(...rounded)}–${Math.max(...rounded)})`;
}
