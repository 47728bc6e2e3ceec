import { useSearch } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { NOTHING, useSelection } from '../../ui/lists/selection.ts';
import { CommissionStatusFilter } from '../../ui/records/commission-columns.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { canReject } from './commission-actions.tsx';
import { commissionColumns } from './commission-columns.tsx';

export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = listQuery(useSearch({ from: '/app/programs/$programId/commissions' }));
  const [selection, setSelection] = useSelection([programId, filters, cursor]);
  const params = { program_id: programId };
  const commissions = useApiQuery('manageCommissions', { params, query: { ...filters, cursor } });
  const ids = [...selection.keys].map(Number);
  return (
    <ListPage
      title="Commissions"
      description="What partners earn from sales. Commissions are approved automatically after the hold period, except those that are held for your review; refunds reduce them."
      exportUrl={urlOf('manageExportCommissions', { params, query: filters })}
      query={commissions}
      rowKey={({ id }) => id}
      toolbar={
        <>
          <FilterText label="Search commissions" placeholder="Transaction ID prefix" />
          <CommissionStatusFilter />
          <PartnerFilter programId={programId} />
          <FilterDates />
        </>
      }
      columns={commissionColumns(programId)}
      noun="commissions"
      selecting={{
        selection,
        onChange: setSelection,
        nameOf: ({ transaction_id: id }) => id,
        isSelectable: canReject,
        actions: <BulkActions programId={programId} ids={ids} onDone={() => setSelection(NOTHING)} />,
      }}
      empty={
        <EmptyList icon={Coins} noun="commissions" isFiltered={isFiltered}>
          Partners earn a commission when someone they referred makes a purchase. Invite partners to get started.
        </EmptyList>
      }
    />
  );
}
