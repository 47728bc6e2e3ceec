/** What each request carries; `index` counts the requests of a run from 0. */
export type LoadBody =
  | { of: 'click'; shortLink: string }
  /** One lead for each customer of a row of ids that start at `firstCustomerId`, all clicked at the same time. */
  | { of: 'lead'; firstCustomerId: number; clickedAtMs: number }
  /** One sale for each of the customers `buyer-0`, `buyer-1` and so on. */
  | { of: 'sale' }
  /** One full refund for each of those sales. */
  | { of: 'refund' };

export type LoadPlan = {
  /** The nodes; connections are shared out between them. */
  ports: number[];
  body: LoadBody;
  apiKey?: string;
  connections: number;
  warmupSeconds: number;
  seconds: number;
  /** The load ends early when so many requests were sent. */
  maxRequests: number;
};

export type LoadResult = {
  /** Requests answered 200, warm-up and tail included: so many rows must be in the store. */
  acknowledged: number;
  /** Answers other than 200, by status. */
  refused: Record<string, number>;
  /** Requests without an answer: connections that broke, or silence at the end. */
  unanswered: number;
  /** Answers within the measured period. */
  measured: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** How much of one core the generator itself used; near 1 it would be what limits the rate. */
  generatorCpu: number;
};

export type LoadMessage = { is: 'measuring' } | { is: 'done'; result: LoadResult };
