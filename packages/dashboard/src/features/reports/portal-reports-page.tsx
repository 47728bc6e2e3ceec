import { useApiQuery } from '../../api/hooks.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { PeriodPicker } from '../../ui/lists/period-picker.tsx';
import { Cohorts } from './cohorts.tsx';
import { ReportView, SeriesCsv } from './report-view.tsx';
import { RowName } from './row-name.tsx';

/** What a partner’s own links bring in, over time and broken down. */
export function Page() {
  const programId = useProgramId();
  const me = useApiQuery('manageMe').data?.data;
  const membership = me?.partner_of.find(({ program_id: id }) => id === programId);
  return (
    <>
      <PageHeader
        title="Reports"
        description="Days are in UTC. Signups and sales count where the customer’s first click does."
      >
        <PeriodPicker />
        <SeriesCsv programId={programId} />
      </PageHeader>
      <ReportView
        programId={programId}
        preferredCurrency={membership?.currency}
        commissionTitle="Earned"
        first="link"
        nameCell={(_by, row) => <RowName row={row} />}
      />
      <div className="mt-6">
        <Cohorts programId={programId} preferredCurrency={membership?.currency} />
      </div>
    </>
  );
}
