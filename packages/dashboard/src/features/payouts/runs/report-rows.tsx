import type { ReportResult } from '../../../api/payout-runs.ts';
import { countOf } from '../../../rules/bulk.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { StatusBadge } from '../../../ui/feedback/status-badge.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { OUTCOMES } from './run-words.ts';
import { ShowMore, useShownRows } from './show-more.tsx';

/** What a report changed, row by row. */
export function ReportRows({ result }: { result: ReportResult }) {
  const { shown, more, onMore } = useShownRows(result.rows);
  const { changed, unchanged, unknown, problems } = result;
  return (
    <TitledCard title="Result of the report">
      <div className="space-y-3">
        <Notice tone={unknown > 0 || problems.length > 0 ? 'warn' : 'good'}>
          <span role="status">
            {countOf(changed, 'payouts')} changed, {unchanged} unchanged, {unknown} not of this run.
          </span>
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
        <div className="overflow-hidden rounded-lg border border-line">
          <DataTable
            label="Rows of the report"
            rows={shown}
            rowKey={({ end_to_end_id: id, payout_id: payout }) => `${id} ${payout}`}
            columns={[
              {
                title: 'Payout',
                cell: ({ partner_name: name, end_to_end_id: id }) => (
                  <>
                    <span className="font-medium">{name ?? 'Unknown'}</span>
                    <div className="text-caption">
                      <Identifier>{id}</Identifier>
                    </div>
                  </>
                ),
              },
              { title: 'Result', cell: ({ outcome }) => OUTCOMES[outcome] },
              {
                title: 'Payout is now',
                showFrom: 'small',
                isStacked: true,
                cell: ({ status }) => (status ? <StatusBadge status={status} /> : '–'),
              },
              {
                title: 'Says',
                showFrom: 'medium',
                isStacked: true,
                cell: ({ code, message }) => (
                  <span className="text-caption text-quiet">{[code, message].filter(Boolean).join(': ')}</span>
                ),
              },
            ]}
          />
          <ShowMore more={more} onMore={onMore} />
        </div>
      </div>
    </TitledCard>
  );
}
