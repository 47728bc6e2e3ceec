import { Webhook } from 'lucide-react';
import type { Call } from '../../api/client.ts';
import { useAction, useRead } from '../../api/hooks.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useFilters } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Time } from '../../ui/records/time.tsx';

type State = NonNullable<Call<'manageProcessorEvents'>['query']>['state'];

const POLL_MS = 5_000;
const STATES = [
  ['waiting', 'Waiting'],
  ['done', 'Done'],
  ['failed', 'Failed'],
] as const;
const TONES: Record<NonNullable<State>, Tone> = { waiting: 'warn', done: 'good', failed: 'bad' };

/** What the processor sent and what became of it; an event can be worked off again. */
export function ProcessorEvents({ programId }: { programId: number }) {
  const say = useToast();
  const [{ state, cursor }] = useFilters();
  const events = useRead(
    'manageProcessorEvents',
    { params: { program_id: programId }, query: { state: (state || undefined) as State, cursor } },
    { everyMs: cursor ? false : POLL_MS },
  );
  const replaying = useAction('manageReplayProcessorEvent', () => say('The event is worked off again'));
  return (
    <List
      label="Events of Stripe"
      read={events}
      keyOf={({ id }) => id}
      tools={
        <>
          <h2 className="mr-auto self-center text-base font-semibold">Events</h2>
          <FilterSelect name="state" label="All states" choices={STATES} />
        </>
      }
      columns={[
        {
          title: 'Event',
          show: (event) => (
            <>
              <span className="font-mono text-[0.8125rem] break-all">{event.type}</span>
              <div className="text-[0.8125rem] text-quiet">{event.error ?? event.reason ?? event.event_id}</div>
            </>
          ),
        },
        {
          title: 'State',
          show: (event) => (
            <Badge tone={TONES[event.state]}>{event.outcome?.replaceAll('_', ' ') ?? event.state}</Badge>
          ),
        },
        { title: 'Tries', isNumber: true, isExtra: true, show: ({ attempts }) => attempts },
        { title: 'Received', isNumber: true, isExtra: true, show: ({ received_at: at }) => <Time at={at} /> },
        {
          title: 'Actions',
          isTitleHidden: true,
          isNumber: true,
          show: ({ id, event_id: eventId }) => (
            <Button
              size="small"
              aria-label={`Replay ${eventId}`}
              onClick={() =>
                replaying.mutate(
                  { params: { program_id: programId, processor_event_id: id } },
                  { onError: (error) => say(error.message, 'bad') },
                )
              }
            >
              Replay
            </Button>
          ),
        },
      ]}
      empty={
        <Empty icon={Webhook} title={state ? 'No event fits' : 'No events yet'}>
          {state ? 'Choose another state.' : 'Send a test event from Stripe: it stands here within seconds.'}
        </Empty>
      }
    />
  );
}
