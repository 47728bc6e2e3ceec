import type { Measured } from './measure-load.ts';
import type { StoreResult } from './measure-store.ts';

/** A figure beside the one it is held against; `wanted` is an aim, never a condition of the run. */
export type Comparison = { text: string; wanted?: string; met?: boolean };

export function compareClicks(result: StoreResult, bare: Measured, postgres: StoreResult | undefined): Comparison[] {
  const { clicks, oneTransactionPerClick } = result;
  const isPostgres = result.kind === 'postgres';
  return [
    atLeast(clicks.perSecond / bare.perSecond, 'of bare Fastify', isPostgres ? 0.3 : undefined),
    atLeast(
      clicks.perSecond / oneTransactionPerClick.perSecond,
      'times one transaction per click',
      isPostgres ? 5 : undefined,
    ),
    {
      text: `p99 ${clicks.p99Ms.toFixed(1)} ms`,
      ...(isPostgres && { wanted: 'under 25 ms', met: clicks.p99Ms < 25 }),
    },
    { text: `${(clicks.serverCpuMicros / bare.serverCpuMicros).toFixed(2)} times the CPU of bare Fastify` },
    ...besidePostgres(result, postgres, 'clicks'),
  ];
}

export function compareLeads(result: StoreResult, postgres: StoreResult | undefined): Comparison[] {
  return besidePostgres(result, postgres, 'leads');
}

export function compareSales(result: StoreResult, postgres: StoreResult | undefined): Comparison[] {
  const { sales, salesByDatabaseAlone } = result;
  const wanted = result.kind === 'postgres' ? 0.6 : undefined;
  return [
    atLeast(sales.perSecond / salesByDatabaseAlone.perSecond, 'of the database alone', wanted),
    ...besidePostgres(result, postgres, 'sales'),
  ];
}

export function compareRefunds(result: StoreResult, postgres: StoreResult | undefined): Comparison[] {
  return besidePostgres(result, postgres, 'refunds');
}

export function compareNodes({ clicks, clicksOnNodes }: StoreResult): Comparison[] {
  return clicksOnNodes ? [atLeast(clicksOnNodes.perSecond / clicks.perSecond, 'of one node', undefined)] : [];
}

function besidePostgres(
  result: StoreResult,
  postgres: StoreResult | undefined,
  what: 'clicks' | 'leads' | 'sales' | 'refunds',
): Comparison[] {
  if (result.kind === 'postgres' || !postgres) return [];
  const aim = what === 'refunds' ? undefined : 0.5;
  return [atLeast(result[what].perSecond / postgres[what].perSecond, 'of real Postgres', aim)];
}

function atLeast(ratio: number, text: string, aim: number | undefined): Comparison {
  return {
    text: `${ratio.toFixed(2)} ${text}`,
    ...(aim !== undefined && { wanted: `at least ${aim}`, met: ratio >= aim }),
  };
}

export function words({ text, wanted, met }: Comparison): string {
  return wanted === undefined ? text : `${text} (aim: ${wanted}, **${met ? 'pass' : 'miss'}**)`;
}
