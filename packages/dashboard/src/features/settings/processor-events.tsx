import { useSearch } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import type { Row } from '../../api/client.ts';
import { POLL_MS, useApiQuery } from '../../api/hooks.ts';
import { labelOf } from '../../rules/label.ts';
import { PROCESSOR_EVENT_STATES } from '../../rules/statuses.ts';
import { useAction } from '../../ui/feedback/action.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import { StepHeading } from '../../ui/layout/step.tsx';
import { EmptyList, EmptyState } from '../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Time } from '../../ui/records/time.tsx';
import { type Connection, PROCESSOR_WORDS } from './processor-words.ts';

type State = (typeof PROCESSOR_EVENT_STATES)[number];

const TONES: Record<State, Tone> = { waiting: 'warn', done: 'good', failed: 'bad' };
const STATE_OPTIONS = PROCESSOR_EVENT_STATES.map((state): Option<State> => [state, labelOf(state)]);

/** Outcomes that need the shop's attention although processing is done. */
const WRONG_OUTCOMES = ['no_customer', 'test_no_customer', 'no_invoice_link'];

function toneOf({ state, outcome }: Row<'manageProcessorEvents'>): Tone {
  return state === 'done' && WRONG_OUTCOMES.includes(outcome ?? '') ? 'warn' : TONES[state];
}

type EventsProps = { programId: number; connection: Connection; number: number };

/** The events that a payment processor sent and what came of each, as the last step. Any of them can be replayed. */
export function ProcessorEvents({ programId, connection, number }: EventsProps) {
  const toast = useToast();
  const { state, cursor } = useSearch({ from: '/app/programs/$programId/settings' });
  const [limit] = usePageSize();
  const events = useApiQuery(
    'manageProcessorEvents',
    { params: { program_id: programId }, query: { provider: connection.provider, state, cursor, limit } },
    { refetchMs: cursor ? false : POLL_MS },
  );
  const replay = useAction('manageReplayProcessorEvent', () => toast('Event queued for replay'));
  return (
    <List
      label="Payment events"
      query={events}
      rowKey={({ id }) => id}
      hasPageSize
      toolbar={
        <>
          <div className="mr-auto">
            <StepHeading number={number} title="What arrived" isDone={connection.last_event !== null} />
            <p className="mt-0.5 ml-10 text-sm text-quiet">Refreshes automatically while this page is open.</p>
          </div>
          <FilterSelect name="state" label="All statuses" options={STATE_OPTIONS} />
        </>
      }
      columns={[
        {
          title: 'Event',
          cell: (event) => (
            <>
              <Identifier>{event.type}</Identifier>
              <div className="text-caption text-quiet">{event.error ?? event.reason ?? event.event_id}</div>
              {event.hint && <div className="text-caption">{event.hint}</div>}
              {event.outcome === 'test_recorded' && (
                <div className="text-caption text-quiet">
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
        { title: 'Attempts', isRightAligned: true, showFrom: 'medium', cell: ({ attempts }) => attempts },
        {
          title: 'Received',
          isRightAligned: true,
          showFrom: 'medium',
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
              onClick={() => replay.mutate({ params: { program_id: programId, processor_event_id: id } })}
            >
              Replay
            </Button>
          ),
        },
      ]}
      empty={<NoEvents connection={connection} isFiltered={state !== undefined} />}
    />
  );
}

/** Says what to check while nothing arrives. */
function NoEvents({ connection, isFiltered }: { connection: Connection; isFiltered: boolean }) {
  const { test, deliveries } = PROCESSOR_WORDS[connection.provider];
  if (isFiltered) {
    return (
      <EmptyList icon={Webhook} noun="events" isFiltered>
        {null}
      </EmptyList>
    );
  }
  return (
    <EmptyState
      icon={Webhook}
      title="Nothing has arrived yet"
      action={
        <ul className="max-w-md list-disc space-y-1 pl-5 text-left text-sm text-quiet">
          {connection.status !== 'connected' && <li>The signing secret is missing: see step 3.</li>}
          <li>{test}</li>
          <li>If it doesn’t, look at {deliveries}: they show what was sent and what this service replied.</li>
          <li>
            Nothing was sent? Check the URL and the events. Status 400? The signing secret belongs to another endpoint.
          </li>
        </ul>
      }
    />
  );
}
