import { feedEvents } from 'virtual:feed-events';
import { Link, useSearch } from '@tanstack/react-router';
import { Rss } from 'lucide-react';
import type { Data, Row } from '../../api/client.ts';
import { POLL_MS, useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Time, TimeAhead } from '../../ui/records/time.tsx';

type FeedEvent = Row<'manageFeedEvents'>;
type EventType = keyof typeof feedEvents;

const TYPE_OPTIONS = Object.keys(feedEvents).map((type): Option => [type, type]);

/** The numbered events that the feed and webhooks tell the outside, each with its JSON and its deliveries. */
export function FeedEvents({ refetchMs }: { refetchMs: number | false }) {
  const programId = useProgramId();
  const { q, feed_type: asked, cursor } = useSearch({ from: '/app/programs/$programId/events' });
  // An old link may name what no longer exists.
  const type = asked && asked in feedEvents ? (asked as EventType) : undefined;
  const sequence = q?.replace(/^#/, '');
  const [limit] = usePageSize();
  const events = useApiQuery(
    'manageFeedEvents',
    { params: { program_id: programId }, query: { types: type, sequence, cursor, limit } },
    { refetchMs },
  );
  return (
    <List
      label="Feed"
      query={events}
      rowKey={(event) => event.sequence}
      hasPageSize
      toolbar={
        <>
          <FilterText label="Find an event by its number" placeholder="Find by number, such as 1042" />
          <FilterSelect name="feed_type" label="All events" options={TYPE_OPTIONS} />
        </>
      }
      details={{
        nameOf: (event) => `event ${event.sequence}`,
        show: ({ sequence: number }) => <EventDetails programId={programId} sequence={number} />,
      }}
      columns={[
        {
          title: 'Number',
          cell: (event: FeedEvent) => <span className="font-mono text-caption">{event.sequence}</span>,
        },
        {
          title: 'Event',
          cell: (event) => (
            <>
              <Identifier>{event.type}</Identifier>
              <div className="text-caption text-quiet">{event.sentence}</div>
            </>
          ),
        },
        { title: 'Time', isRightAligned: true, showFrom: 'medium', cell: ({ timestamp: at }) => <Time at={at} /> },
      ]}
      empty={
        <EmptyList icon={Rss} noun="events" isFiltered={type !== undefined || sequence !== undefined}>
          Signups, sales, commissions, payouts and changes are numbered here as they happen. Clicks and tests are not
          among them.
        </EmptyList>
      }
    />
  );
}

/** The event as the feed and webhooks have it, and what became of its deliveries. */
function EventDetails({ programId, sequence }: { programId: number; sequence: number }) {
  const params = { program_id: programId, sequence };
  const event = useApiQuery('manageFeedEvent', { params }, { refetchMs: POLL_MS });
  return (
    <QueryState query={event} lines={6}>
      {({ data: { deliveries, sentence: _, ...told } }) => (
        <div className="space-y-4">
          <CodeBlock text={JSON.stringify(told, null, 2)} label={`Copy event ${sequence}`} />
          <EventDeliveries programId={programId} deliveries={deliveries} />
        </div>
      )}
    </QueryState>
  );
}

type EventDeliveriesProps = { programId: number; deliveries: Data<'manageFeedEvent'>['deliveries'] };

function EventDeliveries({ programId, deliveries }: EventDeliveriesProps) {
  if (deliveries.length === 0) return <p className="text-sm text-quiet">It was sent to no webhook.</p>;
  return (
    <section aria-label="Deliveries">
      <h2 className="text-sm font-semibold">Deliveries</h2>
      <ul className="divide-y divide-line">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
            <StatusBadge status={delivery.status} />
            <Link
              to="/app/programs/$programId/settings/webhooks/$webhookId"
              params={{ programId, webhookId: String(delivery.webhook_id) }}
              className="min-w-0 hover:underline"
            >
              <Identifier>{delivery.webhook_url}</Identifier>
            </Link>
            <span className="text-caption text-quiet">
              <Time at={delivery.created_at} />
              {delivery.status === 'delivered' ? `, status ${delivery.last_status}` : null}
              {delivery.next_attempt_at && delivery.attempts > 0 && (
                <>
                  , next attempt <TimeAhead at={delivery.next_attempt_at} />
                </>
              )}
            </span>
            {delivery.status !== 'delivered' && delivery.last_error && (
              <p className="w-full text-caption text-bad">{delivery.last_error}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
