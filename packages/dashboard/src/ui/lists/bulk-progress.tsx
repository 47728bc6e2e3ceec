import { CircleCheck, CircleStop, LoaderCircle, X } from 'lucide-react';
import { useState } from 'react';
import { type BulkAction, useBulkProgress } from '../../api/bulk.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { type BulkKind, describeBulkAction, handledOf } from '../../rules/bulk.ts';
import { ErrorNotice } from '../feedback/notice.tsx';
import { Button } from '../forms/button.tsx';
import { Allowed } from '../layout/allowed.tsx';

type BulkProgressProps = {
  programId: number;
  kinds: readonly BulkKind[];
  /** Opens what became of each row, for kinds that say so. */
  onDetails?: (bulkActionId: number) => void;
};

/** The kinds that say what became of each row. */
const WITH_ROWS: readonly BulkKind[] = ['invite_partners', 'resend_invitations'];
const DISMISSED = 'svc-bulk-dismissed';
const MAX_DISMISSED = 100;
/** Results are shown to people who come back within a day. */
const SHOWN_MS = 86_400_000;

/**
 * What the service is working through for this list: how far it is, a button that stops it, and afterwards how far it came. It floats
 * above the page and above the bar of a selection, so that no row moves when it appears.
 */
export function BulkProgress({ programId, kinds, onDetails }: BulkProgressProps) {
  const [dismissed, dismiss] = useDismissed();
  const shown = useBulkProgress(programId, kinds).filter(
    (action) => action.status === 'running' || (!dismissed.includes(action.id) && isRecent(action)),
  );
  const finished = shown.filter(({ status }) => status !== 'running');
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-4 z-30 max-sm:[body:has([data-selection-bar])_&]:bottom-40 sm:[body:has([data-selection-bar])_&]:bottom-20 flex flex-col gap-2 sm:right-auto sm:w-104 lg:left-[17.5rem]">
      <div role="status" className="sr-only">
        {finished.map(describeBulkAction).join(' ')}
      </div>
      {shown.map((action) => (
        <Progress
          key={action.id}
          programId={programId}
          action={action}
          onDetails={onDetails && WITH_ROWS.includes(action.kind) ? () => onDetails(action.id) : undefined}
          onDismiss={() => dismiss(action.id)}
        />
      ))}
    </div>
  );
}

/** The bulk actions whose result the person does not want to see anymore, in this browser. */
function useDismissed(): [readonly number[], (id: number) => void] {
  const [dismissed, setDismissed] = useState(storedIds);
  const dismiss = (id: number) => {
    // Another tab may have stored others.
    const ids = [...storedIds(), id].slice(-MAX_DISMISSED);
    localStorage.setItem(DISMISSED, JSON.stringify(ids));
    setDismissed(ids);
  };
  return [dismissed, dismiss];
}

function storedIds(): number[] {
  const stored: unknown = JSON.parse(localStorage.getItem(DISMISSED) ?? '[]');
  // Earlier releases stored one id.
  return Array.isArray(stored) ? stored : [];
}

function isRecent({ finished_at: finishedAt }: BulkAction): boolean {
  return finishedAt !== null && Date.now() - Date.parse(finishedAt) < SHOWN_MS;
}

type ProgressProps = {
  programId: number;
  action: BulkAction;
  onDetails: (() => void) | undefined;
  onDismiss: () => void;
};

function Progress({ programId, action, onDetails, onDismiss }: ProgressProps) {
  const stop = useApiMutation('manageStopBulkAction');
  const isRunning = action.status === 'running';
  const Icon = isRunning ? LoaderCircle : action.status === 'done' ? CircleCheck : CircleStop;
  return (
    <section
      aria-label="Bulk action"
      className="pointer-events-auto w-full space-y-2.5 rounded-xl border border-line bg-card px-4 py-3 text-sm shadow-float"
    >
      <div className="flex items-start gap-2.5">
        <Icon
          size={18}
          aria-hidden
          className={`mt-px shrink-0 ${isRunning ? 'text-accent motion-safe:animate-spin' : action.status === 'done' ? 'text-good' : 'text-warn'}`}
        />
        <p className="min-w-0 flex-1 break-words tabular-nums">{describeBulkAction(action)}</p>
        {isRunning ? (
          <Allowed route="manageStopBulkAction">
            <Button
              size="small"
              isBusy={stop.isPending}
              onClick={() => stop.mutate({ params: { program_id: programId, bulk_action_id: action.id } })}
            >
              Stop
            </Button>
          </Allowed>
        ) : (
          <button
            type="button"
            aria-label="Dismiss"
            onClick={onDismiss}
            className="-mt-0.5 -mr-1.5 grid size-6 shrink-0 place-items-center rounded text-quiet hover:text-ink"
          >
            <X size={16} aria-hidden />
          </button>
        )}
      </div>
      {isRunning && (
        <>
          <progress
            aria-label="Done"
            value={handledOf(action)}
            max={Math.max(action.total, 1)}
            className="h-1.5 w-full"
          />
          <p className="text-caption text-quiet">It goes on when you leave this page.</p>
        </>
      )}
      {onDetails && (
        <Button size="small" onClick={onDetails}>
          Show each row
        </Button>
      )}
      <ErrorNotice error={stop.error} />
    </section>
  );
}
