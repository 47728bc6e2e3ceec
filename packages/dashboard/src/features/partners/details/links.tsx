import { Link } from '@tanstack/react-router';
import type { Row } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../../ui/forms/button.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { NumbersLine, numberColumns } from '../../../ui/records/number-columns.tsx';

const SHOWN = 5;

/** The partner’s busiest links with what they brought in altogether. */
export function PartnerLinks({ programId, partnerId }: { programId: number; partnerId: number }) {
  const query = { partner_id: partnerId, sort: '-clicks', limit: SHOWN, totals: 'true' } as const;
  const links = useApiQuery('manageLinks', { params: { program_id: programId }, query });
  const count = links.data?.meta.count ?? 0;
  return (
    <TitledCard
      title="Links"
      action={
        <Link
          to="/app/programs/$programId/links"
          params={{ programId }}
          search={{ partner_id: String(partnerId) }}
          className={buttonClass({ size: 'small' })}
        >
          {count > SHOWN ? `See all ${count}` : 'Manage links'}
        </Link>
      }
    >
      <QueryState query={links}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="text-sm text-quiet">No links yet.</p>
          ) : (
            <div className="-mx-5 -mb-3">
              <DataTable<Row<'manageLinks'>>
                label="Links of this partner"
                rowKey={({ id }) => id}
                rows={data}
                columns={[
                  {
                    title: 'Link',
                    cell: ({ short_link: name, label, active, numbers }) => (
                      <>
                        <span className="font-mono text-caption font-medium">{name}</span>
                        {!active && <span className="ml-2 text-caption text-quiet">disabled</span>}
                        {label && <div className="text-caption text-quiet">{label}</div>}
                        <NumbersLine numbers={numbers} commissionTitle="Commissions" />
                      </>
                    ),
                  },
                  ...numberColumns<Row<'manageLinks'>>(count > 1 ? meta.totals : undefined, 'Commissions').map(
                    ({ sortBy: _, ...column }) => column,
                  ),
                ]}
              />
            </div>
          )
        }
      </QueryState>
    </TitledCard>
  );
}
