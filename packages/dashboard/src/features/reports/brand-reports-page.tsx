import { Link } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { PeriodPicker } from '../../ui/lists/period-picker.tsx';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { ClickAges } from './click-ages.tsx';
import { Cohorts } from './cohorts.tsx';
import { ReportView, SeriesCsv } from './report-view.tsx';
import { RowName } from './row-name.tsx';

/** What partners bring in, over time and broken down. */
export function Page() {
  const programId = useProgramId();
  const program = useApiQuery('manageProgram', { params: { program_id: programId } });
  return (
    <>
      <PageHeader
        title="Reports"
        description="Days are in UTC. Signups and sales count where the customer’s first click does."
      >
        <PartnerFilter programId={programId} />
        <PeriodPicker />
        <SeriesCsv programId={programId} />
      </PageHeader>
      <ReportView
        programId={programId}
        preferredCurrency={program.data?.data.currency}
        commissionTitle="Commissions"
        first="partner"
        nameCell={(by, row) =>
          by === 'partner' && row.id !== null ? (
            <Link
              to="/app/programs/$programId/partners/$partnerId"
              params={{ programId, partnerId: String(row.id) }}
              className="font-medium hover:underline"
            >
              <NameWithAvatar name={row.name} />
            </Link>
          ) : (
            <RowName row={row} />
          )
        }
      />
      <div className="mt-6 space-y-6">
        <Cohorts programId={programId} preferredCurrency={program.data?.data.currency} />
        <ClickAges programId={programId} />
      </div>
    </>
  );
}
