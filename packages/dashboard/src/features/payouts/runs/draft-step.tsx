import type { RunDifference } from '@svc/contract';
import { useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import type { Run } from '../../../api/payout-runs.ts';
import { countOf } from '../../../rules/bulk.ts';
import { sumsOf } from '../../../rules/payout-run.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { Money } from '../../../ui/records/money.tsx';
import { moneyText } from '../../../ui/records/money-totals.tsx';
import { CancelRun } from './cancel-run.tsx';
import { DIFFERENCES } from './run-words.ts';
import { ShowMore, useShownRows } from './show-more.tsx';

type DraftStepProps = { programId: number; run: Run; onMakeAgain: () => void; isMakingAgain: boolean };
type Difference = Omit<RunDifference, 'now_cents'> & { now_cents: number };

/** A draft is checked, and approved or canceled. */
export function DraftStep({ programId, run, onMakeAgain, isMakingAgain }: DraftStepProps) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const approval = useApiMutation('manageApprovePayoutRun', () => toast(`Payout run ${run.number} approved`));
  const differences = differencesOf(approval.error);
  const others = useApprovers(run);
  const isOwnRun = others !== null;
  const byHand = run.payouts.filter(({ not_in_file: why }) => why !== null).length;
  const approve = () =>
    approval.mutate(
      { params: { program_id: programId, run_id: run.id } },
      // What has changed is shown on the page.
      { onError: (error) => differencesOf(error) && setAsking(false) },
    );
  return (
    <TitledCard
      title="Check the draft, then approve it"
      description="Nothing is paid yet. Approving makes the payment files, which can’t be changed afterwards."
    >
      <div className="space-y-4">
        {byHand > 0 && (
          <Notice tone="warn">
            {countOf(byHand, 'payouts')} can’t go into a file. You pay {byHand === 1 ? 'it' : 'them'} by hand. The table
            says why.
          </Notice>
        )}
        {differences && <Differences {...{ differences, isMakingAgain, onMakeAgain }} />}
        <Allowed route="manageApprovePayoutRun" to="approve and cancel payout runs">
          {isOwnRun && <WhoApproves names={others} />}
          <div className="flex flex-wrap items-center gap-2">
            {!differences && (
              <Button variant="primary" disabled={isOwnRun} onClick={() => setAsking(true)}>
                Approve…
              </Button>
            )}
            <CancelRun programId={programId} run={run} />
          </div>
        </Allowed>
      </div>
      <ConfirmDialog
        title={`Approve payout run ${run.number}?`}
        description={`${countOf(run.payouts.length, 'payouts')}, ${moneyText(sumsOf(run.payouts))}. The files for your bank and payment services are made now.`}
        confirmLabel="Approve"
        variant="primary"
        isOpen={isAsking}
        onClose={() => {
          approval.reset();
          setAsking(false);
        }}
        onConfirm={approve}
        isBusy={approval.isPending}
        error={approval.error}
      />
    </TitledCard>
  );
}

/** Who may approve a run that the user has made and may not approve; null if they may. */
function useApprovers(run: Run): string[] | null {
  const me = useApiQuery('manageMe').data?.data.user.id;
  const isOwnRun = run.two_persons && me !== undefined && run.made_by?.user_id === me;
  const members = useApiQuery('manageMembers', {}, { enabled: isOwnRun }).data?.data ?? [];
  if (!isOwnRun) return null;
  return members.filter(({ id, role }) => id !== me && role !== 'viewer').map(({ name }) => name);
}

function WhoApproves({ names }: { names: string[] }) {
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
  return (
    <Notice>
      You made this run, so someone else has to approve it.{' '}
      {names.length > 0
        ? `Ask ${list}.`
        : 'Nobody else in your team can: invite a colleague, or ask an owner to turn off the second person in the settings.'}
    </Notice>
  );
}

type DifferencesProps = { differences: Difference[]; isMakingAgain: boolean; onMakeAgain: () => void };

/** What has changed since the draft was made, so that it was not approved. */
function Differences({ differences, isMakingAgain, onMakeAgain }: DifferencesProps) {
  const { shown, more, onMore } = useShownRows(differences);
  return (
    <section aria-label="What has changed" className="space-y-3">
      <Notice tone="bad">
        The run was not approved: {countOf(differences.length, 'payouts')} changed since it was made. Make it again to
        pay what is right now.
      </Notice>
      <div className="overflow-hidden rounded-lg border border-line">
        <DataTable
          label="Changed payouts"
          rows={shown}
          rowKey={({ partner_id: id, currency }) => `${id} ${currency}`}
          columns={[
            { title: 'Partner', cell: ({ partner_name: name }) => name },
            { title: 'Why', showFrom: 'medium', isStacked: true, cell: ({ reason }) => DIFFERENCES[reason] },
            {
              title: 'In this run',
              isRightAligned: true,
              cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
            },
            {
              title: 'Now',
              isRightAligned: true,
              cell: ({ now_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
            },
          ]}
        />
        <ShowMore more={more} onMore={onMore} />
      </div>
      <Allowed route="manageMakePayoutRun">
        <Button variant="primary" isBusy={isMakingAgain} onClick={onMakeAgain}>
          Cancel this draft and make it again
        </Button>
      </Allowed>
    </section>
  );
}

function differencesOf(error: Error | null): Difference[] | null {
  const found = error instanceof ApiError ? error.details.differences : undefined;
  return Array.isArray(found) ? (found as Difference[]) : null;
}
