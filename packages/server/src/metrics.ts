import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReplicaState } from './db/report-reader.ts';
import { RELEASE } from './release.ts';

const QUERY_AGAIN_MS = 5_000;

/** Asked of the database. Undefined where the installation sends no mail. */
type Measured = {
  /** Whether something can be written to the store. */
  isStoreReady: () => Promise<boolean>;
  inboxAge: () => Promise<number>;
  mailQueue?: (() => Promise<{ count: number; age: number }>) | undefined;
  /** Null without a replica. */
  replica: () => ReplicaState | null;
};

/**
 * The metrics of the service, for Prometheus. What the database is asked for is shared by scrapes within a few seconds. With several
 * workers, their values are added up, unless a metric names another `aggregator`.
 */
export function createMetrics({ isStoreReady, inboxAge, mailQueue, replica }: Measured, now: () => Date) {
  const isReadyOfLate = shareFor(QUERY_AGAIN_MS, now, isStoreReady);
  const inboxAgeOfLate = shareFor(QUERY_AGAIN_MS, now, () => inboxAge().catch(() => Number.NaN));
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'svc_release_info',
    help: 'Always 1; its label is the release that the node runs.',
    labelNames: ['release'],
    aggregator: 'first',
    registers,
  }).set({ release: RELEASE }, 1);
  new Gauge({
    name: 'svc_store_ready',
    help: '1 while the store works, as /readyz says; 0 while nothing can be written to it.',
    aggregator: 'min',
    registers,
    async collect() {
      this.set((await isReadyOfLate()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'svc_processor_inbox_age_seconds',
    help: 'Age of the oldest due payment processor event in seconds; NaN while the database is unavailable.',
    aggregator: 'max',
    registers,
    async collect() {
      this.set(await inboxAgeOfLate());
    },
  });
  if (replica()) addReplicaGauges(registers, replica);
  if (mailQueue)
    addQueueGauges(
      registers,
      shareFor(QUERY_AGAIN_MS, now, () => mailQueue().catch(() => UNKNOWN_QUEUE)),
    );
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'svc_http_request_seconds',
      help: 'Request duration in seconds, by route and status.',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    rejected: new Counter({
      name: 'svc_rejected_total',
      help: 'Rejected and failed requests, by route and reason.',
      labelNames: ['route', 'reason'],
      registers,
    }),
    relaySignatures: new Counter({
      name: 'svc_relay_signatures_total',
      help: 'Signed visitor addresses from relays, by result: valid, or why the address of the relay counted instead.',
      labelNames: ['result'],
      registers,
    }),
    groupSize: new Histogram({
      name: 'svc_group_size',
      help: 'Rows written in one commit.',
      labelNames: ['what'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    groupSeconds: new Histogram({
      name: 'svc_group_commit_seconds',
      help: 'Duration of one group commit in seconds.',
      labelNames: ['what'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers,
    }),
    waiting: new Gauge({
      name: 'svc_group_waiting',
      help: 'Rows waiting for a commit.',
      labelNames: ['what'],
      registers,
    }),
    redirects: new Counter({
      name: 'svc_redirects_total',
      help: 'Visitors of short addresses, by outcome. Without an answer of the store in time, a click is missed.',
      labelNames: ['outcome'],
      registers,
    }),
    processorEvents: new Counter({
      name: 'svc_processor_events_total',
      help: 'Attempts to process payment processor events, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    mails: new Counter({
      name: 'svc_mails_total',
      help: 'Attempts to send mail, by kind and outcome. Refused mails were not queued, because too many were waiting.',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobRuns: new Counter({
      name: 'svc_job_runs_total',
      help: 'Background job runs, by result.',
      labelNames: ['job', 'result'],
      registers,
    }),
    jobLastSuccess: new Gauge({
      name: 'svc_job_last_success_timestamp_seconds',
      help: 'When the background job last succeeded on this node, or the node started.',
      labelNames: ['job'],
      aggregator: 'max',
      registers,
    }),
    updateAvailable: new Gauge({
      name: 'svc_update_available',
      help: '1 if a newer release is known than the node runs. 0 also if nobody is asked.',
      aggregator: 'max',
      registers,
    }),
    jobInterval: new Gauge({
      name: 'svc_job_interval_seconds',
      help: 'How often the background job runs.',
      labelNames: ['job'],
      aggregator: 'max',
      registers,
    }),
  };
}

const UNKNOWN_QUEUE = { count: Number.NaN, age: Number.NaN };

function addQueueGauges(registers: Registry[], measure: () => Promise<{ count: number; age: number }>): void {
  new Gauge({
    name: 'svc_mail_queue',
    help: 'Mails waiting to be sent; NaN while the database is unavailable.',
    aggregator: 'max',
    registers,
    async collect() {
      this.set((await measure()).count);
    },
  });
  new Gauge({
    name: 'svc_mail_queue_age_seconds',
    help: 'Age of the oldest due mail in seconds; NaN while the database is unavailable.',
    aggregator: 'max',
    registers,
    async collect() {
      this.set((await measure()).age);
    },
  });
}

function addReplicaGauges(registers: Registry[], replica: Measured['replica']): void {
  new Gauge({
    name: 'svc_replica_used',
    help: '1 while the replica answers reports, 0 while the primary does.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(replica()?.isUsed ? 1 : 0);
    },
  });
  new Gauge({
    name: 'svc_replica_behind_seconds',
    help: 'By how many seconds the replica for reports may be behind; NaN until that is known.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(replica()?.behindSeconds ?? Number.NaN);
    },
  });
}

/** Returns what the scheduler tells of each run of these jobs. A job counts as successful when the node starts. */
export function measureJobs(
  metrics: Pick<Metrics, 'jobRuns' | 'jobLastSuccess' | 'jobInterval'>,
  jobs: { name: string; everySeconds: number }[],
  now: () => Date,
): (job: string, result: string) => void {
  const noteSuccess = (job: string) => metrics.jobLastSuccess.labels(job).set(now().getTime() / 1000);
  for (const { name, everySeconds } of jobs) {
    noteSuccess(name);
    metrics.jobInterval.labels(name).set(everySeconds);
  }
  return (job, result) => {
    metrics.jobRuns.labels(job, result).inc();
    if (result === 'done') noteSuccess(job);
  };
}

/** Reads at most once in the given time; callers in between get the same answer. */
function shareFor<Value>(ms: number, now: () => Date, read: () => Promise<Value>): () => Promise<Value> {
  let latest: { value: Promise<Value>; readAt: number } | undefined;
  return () => {
    const time = now().getTime();
    if (!latest || time - latest.readAt >= ms) latest = { value: read(), readAt: time };
    return latest.value;
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
