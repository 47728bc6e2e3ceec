import { useState } from 'react';
import type { Row } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { useAction } from '../../../ui/feedback/action.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/records/time.tsx';

type Session = Row<'manageSessions'>;

/** The browsers in which the user is signed in, which the user can sign out. */
export function SessionList() {
  const toast = useToast();
  const [isEndingAll, setEndingAll] = useState(false);
  const sessions = useApiQuery('manageSessions');
  const end = useAction('manageEndSession', () => toast('Browser signed out'));
  const endOthers = useApiMutation('manageEndOtherSessions', ({ ended }) => {
    setEndingAll(false);
    toast(ended === 1 ? '1 browser signed out' : `${ended} browsers signed out`);
  });
  const endOne = (id: string) => end.mutate({ params: { session_id: id } });
  const hasOthers = sessions.data?.data.some(({ is_current: isCurrent }) => !isCurrent);
  return (
    <TitledCard
      title="Signed-in browsers"
      description="If you don’t recognize one, sign it out and change your password."
      action={
        hasOthers && (
          <Button size="small" onClick={() => setEndingAll(true)}>
            Sign out all others
          </Button>
        )
      }
    >
      <QueryState query={sessions} lines={2}>
        {({ data }) => (
          <ul className="divide-y divide-line">
            {data.map((session) => (
              <SessionItem key={session.id} session={session} onEnd={() => endOne(session.id)} />
            ))}
          </ul>
        )}
      </QueryState>
      <ConfirmDialog
        title="Sign out all other browsers?"
        description="Their sessions end immediately. Terminals and scripts stay signed in."
        confirmLabel="Sign out"
        isOpen={isEndingAll}
        onClose={() => setEndingAll(false)}
        onConfirm={() => endOthers.mutate({})}
        isBusy={endOthers.isPending}
        error={endOthers.error}
      />
    </TitledCard>
  );
}

function SessionItem({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { device, address, created_at: created, last_used_at: lastUsed, is_current: isCurrent } = session;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 text-sm">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {isCurrent && <Badge tone="accent">This browser</Badge>}
        </div>
        <div className="text-caption text-quiet">
          {address && `${address}, `}
          signed in <Time at={created} />
          {lastUsed && (
            <>
              , last used <Time at={lastUsed} isRelative />
            </>
          )}
        </div>
      </div>
      {!isCurrent && (
        <Button size="small" className="ml-auto" aria-label={`Sign out ${device}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}
