import { useSearch } from '@tanstack/react-router';
import { Activity, Pause, Play } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Tabs } from '../../ui/forms/tabs.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { eventColumns, TYPE_OPTIONS } from './event-columns.tsx';
import { FeedEvents } from './feed-events.tsx';

const LIVE_MS = 2_000;

/** What arrives at the program, and what the program tells the outside, updated live. */
export function Page() {
  const { live, cursor } = useSearch({ from: '/app/programs/$programId/events' });
  // Older pages are not updated: new events would shift their rows.
  const isLive = live !== 'off' && !cursor;
  const refetchMs = isLive ? LIVE_MS : false;
  return (
    <>
      <PageHeader
        title="Event log"
        description="Clicks, signups, sales and refunds as they arrive, and the numbered events that your webhooks get."
      >
        <LiveButton isLive={isLive} isDisabled={cursor !== undefined} />
      </PageHeader>
      <Tabs
        label="Event log"
        tabs={[
          { name: 'received', title: 'Received', content: <ReceivedEvents refetchMs={refetchMs} /> },
          { name: 'feed', title: 'Feed', content: <FeedEvents refetchMs={refetchMs} /> },
        ]}
      />
    </>
  );
}

/** Everything the program received, including test events and what was refused. */
function ReceivedEvents({ refetchMs }: { refetchMs: number | false }) {
  const programId = useProgramId();
  const { type, outcome, partner_id, from, to, cursor: page } = useSearch({ from: '/app/programs/$programId/events' });
  const { filters, cursor, isFiltered } = listQuery({ type, outcome, partner_id, from, to, cursor: page });
  const [limit] = usePageSize();
  const events = useApiQuery(
    'manageEvents',
    { params: { program_id: programId }, query: { ...filters, outcome: filters.outcome ?? 'all', cursor, limit } },
    { refetchMs },
  );
  return (
    <List
      label="Received events"
      query={events}
      rowKey={(event) => `${event.type} ${event.id}`}
      hasPageSize
      toolbar={
        <>
          <FilterSelect name="type" label="All events" options={TYPE_OPTIONS} />
          <FilterSelect
            name="outcome"
            label="All outcomes"
            options={[
              ['recorded', 'Recorded'],
              ['refused', 'Not recorded'],
            ]}
          />
          <PartnerFilter programId={programId} />
          <FilterDates />
        </>
      }
      columns={eventColumns(programId)}
      empty={
        <EmptyList icon={Activity} noun="events" isFiltered={isFiltered}>
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
