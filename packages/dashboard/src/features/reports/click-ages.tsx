import { BROWSERS } from '@svc/contract';
import type { Data } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { formatCount } from '../../rules/money.ts';
import { useReportQuery } from '../../ui/charts/trend.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import type { Column } from '../../ui/lists/column.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';

type Row = Data<'manageClickAges'>['rows'][number];

const count = (title: string, field: 'signups' | 'same_day' | 'days_1_to_7' | 'days_8_to_30' | 'days_31_or_more') => ({
  title,
  isRightAligned: true,
  cell: (row: Row) => formatCount(row[field]),
});

/** Rows of one browser differ in who set the cookie, and on a phone all signups may be in a column without room. */
const BELOW = { isStacked: true, isTitledBelow: true };

const COLUMNS: Column<Row>[] = [
  { title: 'Browser', cell: ({ browser }) => BROWSERS[browser] },
  {
    title: 'Cookie set by',
    ...BELOW,
    showFrom: 'medium',
    cell: ({ cookie_set_by }) => (cookie_set_by === 'server' ? 'Your server' : 'Tracker'),
  },
  count('Signups', 'signups'),
  { ...count('Same day', 'same_day'), ...BELOW, showFrom: 'medium' },
  count('1–7 days', 'days_1_to_7'),
  count('8–30 days', 'days_8_to_30'),
  { ...count('31 days or more', 'days_31_or_more'), ...BELOW, showFrom: 'wide' },
];

/** How old clicks were at signup, by browser: where Safari has none after a week, its cookies are lost. */
export function ClickAges({ programId }: { programId: number }) {
  const [search] = useSearchParams();
  const { interval: _, ...period } = useReportQuery();
  const query = { ...period, ...(search.partner_id && { partner_id: Number(search.partner_id) }) };
  const ages = useApiQuery('manageClickAges', { params: { program_id: programId }, query });
  return (
    <TitledCard
      title="Age of clicks at signup"
      description="Safari keeps cookies of scripts for seven days. A relay on your own server keeps them for the whole window."
    >
      <QueryState query={ages} lines={4}>
        {({ data }) =>
          data.rows.length === 0 ? (
            <p className="text-quiet">No referred signups in this period.</p>
          ) : (
            <div className="-mx-5 -mb-3">
              <DataTable
                label="Signups by browser"
                rows={data.rows}
                rowKey={({ browser, cookie_set_by }) => `${browser} ${cookie_set_by}`}
                columns={COLUMNS}
              />
            </div>
          )
        }
      </QueryState>
    </TitledCard>
  );
}
