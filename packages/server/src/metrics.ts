import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What an operator can watch, in Prometheus' form. `inboxAge` is asked whenever somebody looks. */
export function createMetrics(inboxAge: () => Promise<number>) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'svc_processor_inbox_age_seconds',
    help: 'How long the oldest event of a payment processor has been due; not a number while the store does not answer.',
    registers,
    async collect() {
      this.set(await inboxAge().catch(() => Number.NaN));
    },
  });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'svc_http_request_seconds',
      help: 'Time to answer a request, by route and status.',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    rejected: new Counter({
      name: 'svc_rejected_total',
      help: 'Requests that were refused or failed, by route and reason.',
      labelNames: ['route', 'reason'],
      registers,
    }),
    groupSize: new Histogram({
      name: 'svc_group_size',
      help: 'Rows that shared one commit.',
      labelNames: ['what'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    groupSeconds: new Histogram({
      name: 'svc_group_commit_seconds',
      help: 'Time to write one group.',
      labelNames: ['what'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers,
    }),
    waiting: new Gauge({
      name: 'svc_group_waiting',
      help: 'Rows that wait for a commit.',
      labelNames: ['what'],
      registers,
    }),
    processorEvents: new Counter({
      name: 'svc_processor_events_total',
      help: 'Attempts at events of payment processors, by what became of them.',
      labelNames: ['outcome'],
      registers,
    }),
    jobRuns: new Counter({
      name: 'svc_job_runs_total',
      help: 'Runs of background jobs, by result.',
      labelNames: ['job', 'result'],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
