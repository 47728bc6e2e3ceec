import type { Measured } from '../measurements/measure-load.ts';
import type { StoreResult } from '../measurements/measure-store.ts';

/** A figure compared with another one. `goal` is what it should reach; missing it does not fail the run. */
export type Comparison = { text: string; goal?: string; met?: boolean };

export function compareClicks(result: StoreResult, bare: Measured, postgres: StoreResult | undefined): Comparison[] {
  const { clicks, oneTransactionPerClick } = result;
  const isPostgres = result.kind === 'postgres';
  return [
    atLeast(clicks.perSecond / bare.perSecond, 'of bare Fastify', isPostgres ? 0.5 : undefined),
    atLeast(
      clicks.perSecond / oneTransactionPerClick.perSecond,
      'times one transaction per click',
      isPostgres ? 5 : undefined,
    ),
    {
      text: `p99 ${clicks.p99Ms.toFixed(1)} ms`,
      ...(isPostgres && { goal: 'under 25 ms', met: clicks.p99Ms < 25 }),
    },
    atMost(clicks.p99Ms / bare.p99Ms, 'times the p99 of bare Fastify', isPostgres ? 1.5 : undefined),
    atMost(
      clicks.serverCpuMicros / bare.serverCpuMicros,
      'times the CPU of bare Fastify',
      isPostgres ? 1.8 : undefined,
    ),
    ...comparedWithPostgres(result, postgres, 'clicks'),
  ];
}

export function compareRedirects({ redirects, clicks }: StoreResult): Comparison[] {
  return [atLeast(redirects.perSecond / clicks.perSecond, 'of clicks', 0.9)];
}

export function compareLeads(result: StoreResult, postgres: StoreResult | undefined): Comparison[] {
  return comparedWithPostgres(result, postgres, 'leads');
}

export function compareSales(result: StoreResult, postgres: StoreResult | undefined): Comparison[] {
  const { sales, salesWithoutHttp } = result;
  const goal = result.kind === 'postgres' ? 0.6 : undefined;
  return [
    atLeast(sales.perSecond / salesWithoutHttp.perSecond, 'of sales without HTTP', goal),
    ...comparedWithPostgres(result, postgres, 'sales'),
  ];
}

export function compareRefunds(result: StoreResult, postgres: StoreResult | undefined): Comparison[] {
  return [
    atLeast(result.refunds.perSecond / result.sales.perSecond, 'of sales', 0.33),
    ...comparedWithPostgres(result, postgres, 'refunds'),
  ];
}

export function compareNodes({ clicks, clicksOnNodes }: StoreResult): Comparison[] {
  return clicksOnNodes ? [atLeast(clicksOnNodes.perSecond / clicks.perSecond, 'of one node', undefined)] : [];
}

export function compareWorkers({ clicks, clicksOnWorkers }: StoreResult): Comparison[] {
  if (!clicksOnWorkers) return [];
  return [
    atLeast(clicksOnWorkers.perSecond / clicks.perSecond, 'of one process', 1),
    atMost(clicksOnWorkers.p99Ms / clicks.p99Ms, 'times its p99', 1),
  ];
}

function comparedWithPostgres(
  result: StoreResult,
  postgres: StoreResult | undefined,
  what: 'clicks' | 'leads' | 'sales' | 'refunds',
): Comparison[] {
  if (result.kind === 'postgres' || !postgres) return [];
  const goal = what === 'refunds' ? undefined : 0.5;
  return [atLeast(result[what].perSecond / postgres[what].perSecond, 'of real Postgres', goal)];
}

function atMost(ratio: number, text: string, goal: number | undefined): Comparison {
  return {
    text: `${ratio.toFixed(2)} ${text}`,
    ...(goal !== undefined && { goal: `at most ${goal}`, met: ratio <= goal }),
  };
}

function atLeast(ratio: number, text: string, goal: number | undefined): Comparison {
  return {
    text: `${ratio.toFixed(2)} ${text}`,
    ...(goal !== undefined && { goal: `at least ${goal}`, met: ratio >= goal }),
  };
}

export function describeComparison({ text, goal, met }: Comparison): string {
  return goal === undefined ? text : `${text} (goal: ${goal}, **${met ? 'pass' : 'miss'}**)`;
}
