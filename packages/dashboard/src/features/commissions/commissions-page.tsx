import { Coins } from 'lucide-react';
import { useState } from 'react';
import { type Call, hrefOf } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePartnerChoices } from '../../api/program.ts';
import { PageHead } from '../../ui/layout/card.tsx';
import { useListFilters, useProgramId } from '../../ui/layout/urls.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { EmptyList } from '../../ui/lists/empty.tsx';
import { FilterDates, FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { commissionColumns } from './commission-columns.tsx';

type Filters = NonNullable<Call<'manageExportCommissions'>['query']>;

const STATUSES = [
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['paid', 'Paid'],
  ['partially_reversed', 'Partly reversed'],
  ['reversed', 'Reversed'],
  ['rejected', 'Rejected'],
] as const;

export function Page() {
  const programId = useProgramId();
  const { filters: asked, cursor, isFiltered } = useListFilters('status', 'partner_id', 'q', 'from', 'to');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const params = { program_id: programId };
  const filters = asked as Filters;
  const commissions = useRead('manageCommissions', { params, query: { ...filters, cursor } });
  const rows = commissions.data?.data ?? [];
  const onPage = rows.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  return (
    <>
      <PageHead
        title="Commissions"
        words="What partners earned. New ones wait out the hold and are then approved by themselves; a refund takes its part back."
      >
        <CsvLink href={hrefOf('manageExportCommissions', { params, query: filters })} />
      </PageHead>
      <BulkActions programId={programId} ids={onPage} onDone={() => setChosen(new Set())} />
      <List
        label="Commissions"
        read={commissions}
        keyOf={({ id }) => id}
        tools={
          <>
            <FilterText name="q" label="Search commissions" placeholder="Beginning of a transaction id" />
            <FilterSelect name="status" label="All states" choices={STATUSES} />
            <FilterSelect name="partner_id" label="All partners" choices={usePartnerChoices(programId)} />
            <FilterDates />
          </>
        }
        columns={commissionColumns({ programId, chosen, setChosen })}
        empty={
          <EmptyList icon={Coins} what={['commission', 'commissions']} isFiltered={isFiltered}>
            The first sale of a partner’s customer brings the first one.
          </EmptyList>
        }
      />
    </>
  );
}
