import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** The metrics of one process, as its registry gives them out. */
export type MetricsOfProcess = MetricObjectWithValues<MetricValue<string>>[];

/** Counters and histograms only grow, and must not fall when a worker ends. */
const GROWING = ['counter', 'histogram'];

/**
 * The metrics of all processes as one: counters and histograms are added, and each gauge says by its `aggregator` what becomes of
 * its values.
 */
export function sumMetrics(processes: MetricsOfProcess[]): Promise<string> {
  return AggregatorRegistry.aggregate(processes.map(withNumbers)).metrics();
}

/** What processes that have ended have counted, in one. */
export function sumOfEnded(processes: MetricsOfProcess[]): Promise<MetricsOfProcess> {
  const growing = processes.map((metrics) => metrics.filter(({ type }) => GROWING.includes(String(type))));
  return AggregatorRegistry.aggregate(growing.map(withNumbers)).getMetricsAsJSON() as Promise<MetricsOfProcess>;
}

/** What is not known is NaN, for which JSON has null. */
function withNumbers(metrics: MetricsOfProcess): MetricsOfProcess {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((each) => ({ ...each, value: each.value ?? Number.NaN })),
  }));
}
