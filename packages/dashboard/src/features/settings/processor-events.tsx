import { useSearch } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import type { Row } from '../../api/client.ts';
import { POLL_MS, useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { labelOf } from '../../rules/label.ts';
import { PROCESSOR_EVENT_STATES } from '../../rules/statuses.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Time } from '../../ui/records/time.tsx';

type State = (typeof PROCESSOR_EVENT_STATES)[number];

const TONES: Record<State, Tone> = { waiting: 'warn', done: 'good', failed: 'bad' };
const STATE_OPTIONS = PROCESSOR_EVENT_STATES.map((state): Option<State> => [state, labelOf(state)]);

/** Outcomes that need the shop's attention although processing is done. */
const WRONG_OUTCOMES = ['no_customer', 'test_no_customer', 'no_invoice_link'];

function toneOf({ state, outcome }: Row<'manageProcessorEvents'>): Tone {
  return state === 'done' && WRONG_OUTCOMES.includes(outcome ?? '') ? 'warn' : TONES[state];
}

/** The events that payment processors sent and what came of each. Any of them can be replayed. */
export function ProcessorEvents({ programId }: { programId: number }) {
  const toast = useToast();
  const { state, cursor } = useSearch({ from: '/app/programs/$programId/settings' });
  const events = useApiQuery(
    'manageProcessorEvents',
    { params: { program_id: programId }, query: { state, cursor } },
    { refetchMs: cursor ? false : POLL_MS },
  );
  const replay = useApiMutation('manageReplayProcessorEvent', () => toast('Event queued for replay'));
  return (
    <List
      label="Payment events"
      query={events}
      rowKey={({ id }) => id}
      toolbar={
        <>
          <h2 className="mr-auto self-center text-base font-semibold">Events</h2>
          <FilterSelect name="state" label="All statuses" options={STATE_OPTIONS} />
        </>
      }
      columns={[
        {
          title: 'Event',
          cell: (event) => (
            <>
              <Identifier>{event.type}</Identifier>
              <div className="text-[0.8125rem] text-quiet">{event.error ?? event.reason ?? event.event_id}</div>
              {event.hint && <div className="text-[0.8125rem]">{event.hint}</div>}
              {event.outcome === 'test_recorded' && (
                <div className="text-[0.8125rem] text-quiet">
                  Customer {event.customer_id ?? '–'}, partner {event.partner_name ?? '–'}
                </div>
              )}
            </>
          ),
        },
        {
          title: 'Status',
          cell: (event) => <Badge tone={toneOf(event)}>{labelOf(event.outcome ?? event.state)}</Badge>,
        },
        { title: 'Attempts', isRightAligned: true, isHiddenOnMobile: true, cell: ({ attempts }) => attempts },
        {
          title: 'Received',
          isRightAligned: true,
          isHiddenOnMobile: true,
          cell: ({ received_at: at }) => <Time at={at} />,
        },
        {
          title: 'Actions',
          isTitleHidden: true,
          isRightAligned: true,
          cell: ({ id, event_id: eventId }) => (
            <Button
              size="small"
              aria-label={`Replay ${eventId}`}
              onClick={() =>
                replay.mutate(
                  { params: { program_id: programId, processor_event_id: id } },
                  { onError: (error) => toast(error.message, 'bad') },
                )
              }
            >
              Replay
            </Button>
          ),
        },
      ]}
      empty={
        <EmptyList icon={Webhook} noun="events" isFiltered={state !== undefined}>
          Send a test event from the payment processor. It appears here within seconds.
        </EmptyList>
      }
    />
  );
}
