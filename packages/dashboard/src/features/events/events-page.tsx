import { useSearch } from '@tanstack/react-router';
import { Activity, Pause, Play } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { EVENT_TYPES } from '../../rules/statuses.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { PartnerName } from '../../ui/records/partner-name.tsx';
import { CustomerLink } from '../../ui/records/record-links.tsx';
import { Time } from '../../ui/records/time.tsx';

type EventType = (typeof EVENT_TYPES)[number];

const LIVE_MS = 2_000;
const LABELS: Record<EventType, { tone: Tone; one: string; many: string }> = {
  click: { tone: 'neutral', one: 'Click', many: 'Clicks' },
  lead: { tone: 'accent', one: 'Signup', many: 'Signups' },
  sale: { tone: 'good', one: 'Sale', many: 'Sales' },
  refund: { tone: 'bad', one: 'Refund', many: 'Refunds' },
};
const TYPE_OPTIONS = EVENT_TYPES.map((type): Option<EventType> => [type, LABELS[type].many]);

/** Everything the program received, including test events, updated live. */
export function Page() {
  const programId = useProgramId();
  const { type, cursor, live } = useSearch({ from: '/app/programs/$programId/events' });
  // Older pages are not updated: new events would shift their rows.
  const isLive = live !== 'off' && !cursor;
  const events = useApiQuery(
    'manageEvents',
    { params: { program_id: programId }, query: { type, cursor } },
    { refetchMs: isLive ? LIVE_MS : false },
  );
  return (
    <ListPage
      title="Event log"
      description="Clicks, signups, sales and refunds as they arrive, including test events."
      actions={<LiveButton isLive={isLive} isDisabled={cursor !== undefined} />}
      query={events}
      rowKey={(event) => `${event.type} ${event.id}`}
      toolbar={<FilterSelect name="type" label="All events" options={TYPE_OPTIONS} />}
      columns={[
        {
          title: 'Event',
          cell: (event) => (
            <span className="flex flex-wrap gap-1.5">
              <Badge tone={LABELS[event.type].tone}>{LABELS[event.type].one}</Badge>
              {event.is_test && <Badge>Test</Badge>}
            </span>
          ),
        },
        {
          title: 'Customer',
          cell: ({ customer_id: id, customer_key: key }) =>
            id ? <CustomerLink programId={programId} customerId={id} label={key ?? `Customer ${id}`} /> : (key ?? '–'),
        },
        { title: 'Partner', showFrom: 'medium', cell: ({ partner_name: name }) => <PartnerName name={name} /> },
        {
          title: 'Transaction',
          showFrom: 'medium',
          cell: ({ transaction_id: id }) => (id ? <Identifier>{id}</Identifier> : '–'),
        },
        { title: 'Time', isRightAligned: true, cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
      empty={
        <EmptyList icon={Activity} noun="events" isFiltered={type !== undefined}>
          Keep this page open and click one of your partner links. The click should appear within a few seconds. If it
          doesn’t, check that the page has the tracker and that its origin is allowed in settings.
        </EmptyList>
      }
    />
  );
}

function LiveButton({ isLive, isDisabled }: { isLive: boolean; isDisabled: boolean }) {
  const [, setSearch] = useSearchParams();
  return (
    <Button
      disabled={isDisabled}
      aria-label={isLive ? 'Pause live updates' : 'Resume live updates'}
      onClick={() => setSearch({ live: isLive ? 'off' : undefined }, { replace: true })}
    >
      {isLive ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
      {isLive ? 'Pause' : 'Resume'}
      {isLive && <span aria-hidden className="size-2 motion-safe:animate-pulse rounded-full bg-good" />}
    </Button>
  );
}
