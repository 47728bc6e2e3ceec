import { useQueryClient } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/hooks.ts';
import { formatCount } from '../../../rules/money.ts';

const PROGRESS_MS = 1_000;

type RunPreparationProps = {
  programId: number;
  /** Whether a run was just asked for, so that its preparation will begin. */
  isAwaited?: boolean;
};

/**
 * How far the run is that the program prepares now, whoever has started it. When it is over, everything on the screen is fetched
 * again.
 */
export function RunPreparation({ programId, isAwaited = false }: RunPreparationProps) {
  const queryClient = useQueryClient();
  const runs = useApiQuery(
    'managePayoutRuns',
    { params: { program_id: programId }, query: { limit: 1 } },
    { refetchMs: (reply) => (isAwaited || reply?.meta.preparing ? PROGRESS_MS : false) },
  );
  const preparing = runs.data?.meta.preparing ?? null;
  const isPreparing = preparing !== null;
  const wasPreparing = useRef(false);
  useEffect(() => {
    if (wasPreparing.current && !isPreparing) void queryClient.invalidateQueries();
    wasPreparing.current = isPreparing;
  }, [isPreparing, queryClient]);
  return (
    <div role="status" className="mb-4 empty:hidden">
      {preparing && <Progress preparing={preparing} />}
    </div>
  );
}

type Preparing = NonNullable<Reply<'managePayoutRuns'>['meta']['preparing']>;

function Progress({ preparing: { partners_done: done, partners_total: total } }: { preparing: Preparing }) {
  return (
    <section
      aria-label="Run being prepared"
      className="max-w-3xl space-y-2.5 rounded-xl border border-line bg-card px-4 py-3 text-sm"
    >
      <p className="flex items-start gap-2.5 tabular-nums">
        <LoaderCircle size={18} aria-hidden className="mt-px shrink-0 text-accent motion-safe:animate-spin" />
        {total === null
          ? 'A payout run is being prepared.'
          : `A payout run is being prepared: ${formatCount(Math.min(done, total))} of ${formatCount(total)} partners so far.`}
      </p>
      {total !== null && (
        <progress aria-label="Partners so far" value={done} max={Math.max(total, 1)} className="h-1.5 w-full" />
      )}
      <p className="text-caption text-quiet">
        You can close this page in the meantime. Large runs can take up to a minute. Once everyone is in it, the draft
        is in the list of payout runs.
      </p>
    </section>
  );
}
