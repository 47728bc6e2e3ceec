import type { Row } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/records/time.tsx';

type HistoryEvent = Row<'managePartnerHistory'>['event'];

const WORDS: Record<HistoryEvent, string> = {
  added: 'Added to the program',
  invited: 'Invited',
  invitation_accepted: 'Accepted the invitation',
  applied: 'Applied',
  joined: 'Joined through the join link',
  approved: 'Approved',
  declined: 'Declined',
  blocked: 'Blocked',
  removed: 'Removed',
  reactivated: 'Reactivated',
  handed_over: 'Handed over to another account',
  moved: 'Moved to the group',
};

/** How the partner came to the program, and what was decided about them since. */
export function PartnerHistory({ programId, partnerId }: { programId: number; partnerId: number }) {
  const params = { program_id: programId, partner_id: partnerId };
  const history = useApiQuery('managePartnerHistory', { params });
  return (
    <TitledCard title="History">
      <QueryState query={history} lines={2}>
        {({ data }) => (
          <ol className="space-y-3 border-l border-line pl-4 text-sm">
            {data.map(({ event, by, at, group, tier }) => (
              <li key={`${event} ${at}`} className="relative">
                <span aria-hidden className="absolute top-1.5 -left-[1.3125rem] size-2.5 rounded-full bg-edge" />
                <p className="font-medium">{group === null ? WORDS[event] : `${WORDS[event]} ${group}`}</p>
                <p className="text-caption text-quiet">
                  {by && `${by}, `}
                  {tier && 'by its tier, '}
                  <Time at={at} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </TitledCard>
  );
}
