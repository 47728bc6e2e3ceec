import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useApiQuery } from '../../../api/hooks.ts';
import { NotMadeAgain, type Run, type RunRequest, useMakeAgain, useStatusReport } from '../../../api/payout-runs.ts';
import { countOf } from '../../../rules/bulk.ts';
import { formatCount, formatMoney } from '../../../rules/money.ts';
import { MetricCard } from '../../../ui/charts/metric-card.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { BackLink } from '../../../ui/layout/back-link.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';
import { RecordNotFound } from '../../../ui/records/record-not-found.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { ApprovedStep } from './approved-step.tsx';
import { CancelledStep } from './cancelled-step.tsx';
import { DraftStep } from './draft-step.tsx';
import { LeaveOutDialog } from './leave-out-dialog.tsx';
import { ReportRows } from './report-rows.tsx';
import { RunProgress } from './run-progress.tsx';
import { RunTables } from './run-tables.tsx';
import { SentStep } from './sent-step.tsx';
import { SettledStep } from './settled-step.tsx';

type Payee = { partner_id: number; partner_name: string };

/** A payout run, from its draft until everything is settled. */
export function Page() {
  const programId = useProgramId();
  const { runId = '' } = useParams({ strict: false });
  const run = useApiQuery(
    'managePayoutRun',
    { params: { program_id: programId, run_id: runId } },
    { keepPrevious: false },
  );
  return (
    <QueryState
      query={run}
      lines={12}
      notFound={<RecordNotFound noun="payout run" id={runId} list="/app/programs/$programId/payouts" />}
    >
      {({ data }) => <RunView key={data.id} programId={programId} run={data} />}
    </QueryState>
  );
}

function RunView({ programId, run }: { programId: number; run: Run }) {
  const toast = useToast();
  const navigate = useNavigate();
  const [leavingOut, setLeavingOut] = useState<Payee | null>(null);
  const again = useMakeAgain(programId);
  // Its result stays when it settles the run.
  const report = useStatusReport(programId, run.id);
  const makeAgain = (request: RunRequest) =>
    again.mutate(
      { run, request },
      {
        onSuccess: (made) => {
          toast(`Payout run ${run.number} canceled, payout run ${made.number} made`);
          void navigate({
            to: '/app/programs/$programId/payouts/runs/$runId',
            params: { programId, runId: String(made.id) },
          });
        },
        onError: (error) => {
          if (error instanceof NotMadeAgain) setLeavingOut(null);
        },
      },
    );
  const onMakeAgain = () => makeAgain(requestOf(run));
  const leaveOut = ({ partner_id: id }: Payee, note: string) => {
    const request = requestOf(run);
    makeAgain({
      ...request,
      excluded_partner_ids: [...(request.excluded_partner_ids ?? []), id],
      exclusion_notes: { ...request.exclusion_notes, ...(note && { [id]: note }) },
    });
  };
  return (
    <>
      <BackLink>
        <Link to="/app/programs/$programId/payouts" params={{ programId }} search={{ tab: 'runs' }}>
          Payout runs
        </Link>
      </BackLink>
      <PageHeader title={`Payout run ${run.number}`} description={<Summary run={run} />} />
      <div className="space-y-6">
        {run.status !== 'cancelled' && <RunProgress run={run} />}
        {again.error instanceof NotMadeAgain && <Notice tone="bad">{again.error.message}</Notice>}
        <Step {...{ programId, run, report, onMakeAgain }} isMakingAgain={again.isPending} />
        {report.data && <ReportRows result={report.data} />}
        <RunTotals run={run} />
        <RunTables programId={programId} run={run} onLeaveOut={setLeavingOut} />
      </div>
      {leavingOut && (
        <LeaveOutDialog
          run={run}
          partnerName={leavingOut.partner_name}
          isBusy={again.isPending}
          error={again.error}
          onLeaveOut={(note) => leaveOut(leavingOut, note)}
          onClose={() => {
            again.reset();
            setLeavingOut(null);
          }}
        />
      )}
    </>
  );
}

type StepProps = {
  programId: number;
  run: Run;
  report: ReturnType<typeof useStatusReport>;
  onMakeAgain: () => void;
  isMakingAgain: boolean;
};

/** What is paid in each currency, and how many balances are left out. */
function RunTotals({ run }: { run: Run }) {
  return (
    <dl aria-label="Totals" className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
      {run.totals.map(({ currency, amount_cents: cents, payouts }) => (
        <MetricCard
          key={currency}
          title={`Payouts in ${currency}`}
          value={formatMoney(cents, currency)}
          note={countOf(payouts, 'payouts')}
        />
      ))}
      <MetricCard
        title="Left out"
        value={formatCount(run.left_out.length)}
        note={run.left_out.length > 0 ? 'each with a reason' : 'everyone who is due is in it'}
      />
    </dl>
  );
}

/** What to do next. */
function Step({ run, report, ...rest }: StepProps) {
  const { programId } = rest;
  switch (run.status) {
    case 'draft':
      return <DraftStep run={run} {...rest} />;
    case 'approved':
      return <ApprovedStep run={run} programId={programId} />;
    case 'sent':
      return <SentStep {...{ programId, run, report }} />;
    case 'settled':
      return <SettledStep run={run} />;
    case 'cancelled':
      return <CancelledStep run={run} />;
  }
}

function Summary({ run }: { run: Run }) {
  return (
    <>
      {countOf(run.payouts.length, 'payouts')} of commissions approved until <Time at={run.cutoff_at} />. Made by{' '}
      {run.made_by?.name ?? (run.scheduled ? 'the schedule' : 'a deleted account')} on <Time at={run.created_at} />.
    </>
  );
}

/** The request that makes the run again, up to the same moment. */
function requestOf({ cutoff_at, request }: Run): RunRequest {
  const { currency, partner_ids, excluded_partner_ids, exclusion_notes } = request;
  return {
    cutoff_at,
    ...(currency !== null && { currency }),
    ...(partner_ids !== null && { partner_ids }),
    excluded_partner_ids,
    exclusion_notes,
  };
}
