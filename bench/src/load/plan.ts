/** What is reported in the body of each request; `index` counts the requests of a run from 0. */
export type LoadReport =
  | { of: 'click'; shortLink: string }
  /** One lead per customer, with consecutive ids from `firstCustomerId` that all clicked at the same time. */
  | { of: 'lead'; firstCustomerId: number; clickedAtMs: number }
  /** One sale for each of the customers `buyer-0`, `buyer-1` and so on. */
  | { of: 'sale' }
  /** One full refund for each of those sales. */
  | { of: 'refund' };

/** Reports, or visitors of a link's short address, who leave a click as well. */
export type LoadBody = LoadReport | { of: 'redirect'; shortLink: string };

export type LoadPlan = {
  /** The ports of the nodes; connections are distributed over them. */
  ports: number[];
  body: LoadBody;
  apiKey?: string;
  connections: number;
  warmupSeconds: number;
  seconds: number;
  /** How many requests to send in a second; as many as are answered by default. */
  perSecond?: number;
  /** The load ends early when this many requests have been sent. */
  maxRequests: number;
};

export type LoadResult = {
  /** Requests answered with success, including warm-up and tail: this many rows must be in the store. */
  acknowledged: number;
  /** Responses without success, by status. */
  refused: Record<string, number>;
  /** Requests without a response: dropped connections, or none before the end. */
  unanswered: number;
  /** Responses within the measured period. */
  measured: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** The share of one core that the generator used; near 1, it is the bottleneck. */
  generatorCpu: number;
};

export type LoadMessage = { is: 'measuring' } | { is: 'done'; result: LoadResult };
