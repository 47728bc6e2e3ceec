import { lazy, type ReactNode, Suspense } from 'react';
import type { Data } from '../../api/client.ts';
import { formatCount, formatMoney } from '../../rules/money.ts';

type Breakdown = Data<'manageBreakdown'>;
type Counts = Breakdown['totals'];

/** With the shapes of all countries, which weigh as much as some pages. */
const CountryMap = lazy(() => import('../../ui/charts/country-map.tsx'));

/** What a table is sorted by, and the currency of its amounts. */
type Order = { sort: string; currency: string };
type MapProps = Order & { rows: Breakdown['rows']; commissionTitle: string };

const COUNTS: Record<string, string> = { clicks: 'Clicks', leads: 'Signups', sales: 'Sales' };

/** The countries of the table on a map, shaded by what it is sorted by. Nothing while no country is known. */
export function MapOfCountries({ rows, sort, currency, commissionTitle }: MapProps) {
  const countries = rows.flatMap((row) =>
    row.kind === 'value' && row.value
      ? [{ code: row.value, name: row.name, value: read(row, { sort, currency }) }]
      : [],
  );
  if (countries.length === 0) return null;
  const count = COUNTS[sort];
  return (
    <Suspense fallback={<MapPlaceholder />}>
      <CountryMap
        countries={countries}
        title={count ?? `${sort === 'commission' ? commissionTitle : 'Revenue'} in ${currency}`}
        format={(value) => (count ? formatCount(value) : formatMoney(value, currency))}
      />
    </Suspense>
  );
}

/** As high as the map with one line of legend, so that the table does not move when it is there. */
function MapPlaceholder() {
  return (
    <div className="px-5 pb-4">
      <div className="mx-auto aspect-[924/434] max-w-3xl rounded-lg bg-sunken motion-safe:animate-pulse" />
      <div className="mt-2 h-4" />
    </div>
  );
}

/** A name over a bar with its share of the total, so that countries can be compared at a glance. */
export function WithShare({ share, children }: { share: number; children: ReactNode }) {
  return (
    <div className="min-w-28">
      {children}
      <div className="mt-1.5 h-1.5 rounded-full bg-sunken forced-colors:border">
        <div data-filled className="h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

/** How much of the total a row has, by what the table is sorted by. */
export function shareOf(row: Counts, totals: Counts, order: Order): number {
  const whole = read(totals, order);
  return whole > 0 ? Math.max(0, read(row, order)) / whole : 0;
}

function read(counts: Counts, { sort, currency }: Order): number {
  const money = counts.money.find((sums) => sums.currency === currency);
  if (sort === 'revenue') return money?.revenue_cents ?? 0;
  if (sort === 'commission') return money?.commission_cents ?? 0;
  return counts[sort as 'clicks' | 'leads' | 'sales'];
}
