import { availableBreakdowns, BREAKDOWNS } from '@svc/contract';
import type { ReactNode } from 'react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { BREAKDOWN_SORTS, behindNote } from '../../rules/report.ts';
import { oneOf } from '../../rules/search.ts';
import { currencyOf, MetricRow } from '../../ui/charts/metrics.tsx';
import { Trend, useReportQuery } from '../../ui/charts/trend.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { type Breakdown, BreakdownCsv, BreakdownTable } from './breakdown-table.tsx';

type BreakdownName = Breakdown['by'];
const ROWS = 25;
/** A day has no more, and a map without some of them would be wrong. */
const COUNTRIES = 100;
const ROW_LINES = 6;
/** As high as the map. */
const MAP_LINES = 16;
/** As high as the metrics and the chart, so that what is below does not move when they are there. */
const REPORT_LINES = 17;
const readSort = oneOf(BREAKDOWN_SORTS);

type ReportViewProps = {
  programId: number;
  /** The currency of the program. */
  preferredCurrency: string | undefined;
  commissionTitle: string;
  /** What the page is broken down by, unless the URL says otherwise. */
  first: BreakdownName;
  nameCell: (by: BreakdownName, row: Breakdown['rows'][number]) => ReactNode;
};

/** Metrics over time, and a table that breaks them down. */
export function ReportView({ programId, preferredCurrency, commissionTitle, first, nameCell }: ReportViewProps) {
  const [search, setSearch] = useSearchParams();
  const by = search.breakdown ?? first;
  const sort = readSort(search.sort) ?? 'revenue';
  const params = { program_id: programId };
  const { interval, ...period } = useReportQuery();
  const scope = search.partner_id ? { partner_id: Number(search.partner_id) } : {};
  const report = useApiQuery('managePerformance', { params, query: { ...period, interval, ...scope, limit: 1 } });
  const query = { ...period, ...scope, by, sort };
  const breakdown = useApiQuery('manageBreakdown', {
    params,
    query: { ...query, limit: by === 'country' ? COUNTRIES : ROWS },
  });
  const preferred = preferredCurrency;
  // Shown until the report is there, so that it does not move when they are.
  const expected = availableBreakdowns({ isPartner: first !== 'partner', hasCountries: by === 'country' });
  return (
    <div className="space-y-6">
      <QueryState query={report} lines={REPORT_LINES}>
        {({ data, ...reply }) => {
          const currency = currencyOf(data, preferred);
          const behind = behindNote(reply);
          return (
            <>
              {behind && <p className="text-caption text-quiet">{behind}</p>}
              <MetricRow report={data} currency={currency} commissionTitle={commissionTitle} />
              <Trend report={data} currency={currency} commissionTitle={commissionTitle} />
            </>
          );
        }}
      </QueryState>
      <Card>
        <header className="px-5 pt-4.5 pb-3">
          <div className="mb-2.5 flex flex-wrap items-center justify-between gap-3">
            <h2 className="text-base font-semibold">Breakdown</h2>
            <BreakdownCsv programId={programId} query={query} />
          </div>
          <BreakdownTabs
            available={breakdown.data?.data.available ?? expected}
            selected={by}
            onSelect={(chosen) => setSearch({ breakdown: chosen }, { replace: true })}
          />
        </header>
        <QueryState query={breakdown} lines={by === 'country' ? ROW_LINES + MAP_LINES : ROW_LINES}>
          {({ data }) => (
            <BreakdownTable
              breakdown={data}
              currency={report.data ? currencyOf(report.data.data, preferred) : (preferred ?? 'USD')}
              commissionTitle={commissionTitle}
              sort={sort}
              onSort={(chosen) => setSearch({ sort: readSort(chosen) }, { replace: true })}
              nameCell={(row) => nameCell(data.by, row)}
            />
          )}
        </QueryState>
      </Card>
    </div>
  );
}

/** Downloads the chart of the page as a CSV file. */
export function SeriesCsv({ programId }: { programId: number }) {
  const [search] = useSearchParams();
  const query = { ...useReportQuery(), ...(search.partner_id && { partner_id: Number(search.partner_id) }) };
  return (
    <CsvLink
      label="Export chart"
      href={urlOf('manageExportPerformance', { params: { program_id: programId }, query })}
    />
  );
}

type BreakdownTabsProps = {
  available: BreakdownName[];
  selected: BreakdownName;
  onSelect: (by: BreakdownName) => void;
};

/** All ways to break the numbers down; on a phone, where they would take four lines, as a select. */
function BreakdownTabs({ available, selected, onSelect }: BreakdownTabsProps) {
  return (
    <>
      <div className="sm:hidden">
        <SelectField
          label="Break down by"
          isLabelHidden
          options={available.map((name) => [name, BREAKDOWNS[name].plural] as const)}
          value={selected}
          onValueChange={onSelect}
        />
      </div>
      <BreakdownButtons {...{ available, selected, onSelect }} />
    </>
  );
}

function BreakdownButtons({ available, selected, onSelect }: BreakdownTabsProps) {
  return (
    <fieldset className="-mx-2.5 flex min-w-0 flex-wrap gap-x-0.5 gap-y-1 max-sm:hidden">
      <legend className="sr-only">Break down by</legend>
      {available.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === selected}
          onClick={() => onSelect(name)}
          // No bolder when it is pressed: a wider button could move others to the next line.
          className="rounded-md px-2.5 py-1.5 text-caption text-quiet hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          {BREAKDOWNS[name].plural}
        </button>
      ))}
    </fieldset>
  );
}
