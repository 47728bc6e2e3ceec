import { Link } from '@tanstack/react-router';
import { Activity, Pause, Play } from 'lucide-react';
import type { Call } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { brandPath, useFilters, useProgramId } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Time } from '../../ui/records/time.tsx';

type Type = NonNullable<Call<'manageEvents'>['query']>['type'];

const LIVE_MS = 2_000;
const TYPES = [
  ['click', 'Clicks'],
  ['lead', 'Signups'],
  ['sale', 'Sales'],
  ['refund', 'Refunds'],
] as const;
const LOOKS: Record<string, [Tone, string]> = {
  click: ['neutral', 'Click'],
  lead: ['accent', 'Signup'],
  sale: ['good', 'Sale'],
  refund: ['bad', 'Refund'],
};

/** Everything that came in, test events too, as it comes in. */
export function Page() {
  const programId = useProgramId();
  const [{ type, cursor, live }, change] = useFilters();
  // Older pages stand still: new events would push their rows away.
  const isLive = live !== 'off' && !cursor;
  const events = useRead(
    'manageEvents',
    { params: { program_id: programId }, query: { type: (type || undefined) as Type, cursor } },
    { everyMs: isLive ? LIVE_MS : false },
  );
  return (
    <>
      <PageHead title="Event log" words="Clicks, signups, sales and refunds as they come in.">
        <Button
          aria-pressed={isLive}
          disabled={Boolean(cursor)}
          onClick={() => change({ live: isLive ? 'off' : undefined }, { replace: true })}
        >
          {isLive ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          {isLive ? 'Live' : 'Go live'}
          {isLive && <span aria-hidden className="size-2 motion-safe:animate-pulse rounded-full bg-good" />}
        </Button>
      </PageHead>
      <List
        label="Events"
        read={events}
        keyOf={(event) => `${event.type} ${event.id}`}
        tools={<FilterSelect name="type" label="All kinds" choices={TYPES} />}
        columns={[
          {
            title: 'Event',
            show: (event) => {
              const [tone, words] = LOOKS[event.type] ?? ['neutral', event.type];
              return (
                <span className="flex flex-wrap gap-1.5">
                  <Badge tone={tone}>{words}</Badge>
                  {event.is_test && <Badge>test</Badge>}
                </span>
              );
            },
          },
          {
            title: 'Customer',
            show: ({ customer_id: id, customer_key: key }) =>
              id ? (
                <Link to={brandPath(programId, `customers/${id}`)} className="hover:underline">
                  {key ?? `Customer ${id}`}
                </Link>
              ) : (
                (key ?? '–')
              ),
          },
          {
            title: 'Partner',
            isExtra: true,
            show: ({ partner_name: name }) => name ?? <span className="text-quiet">nobody</span>,
          },
          {
            title: 'Transaction',
            isExtra: true,
            show: ({ transaction_id: id }) =>
              id ? <span className="font-mono text-[0.8125rem] break-all">{id}</span> : '–',
          },
          { title: 'When', isNumber: true, show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          <Empty icon={Activity} title="Nothing has come in yet">
            Leave this page open and follow one of your links: the click appears within two seconds. If it does not, the
            tracker is missing on the page, or the page’s origin is not allowed.
          </Empty>
        }
      />
    </>
  );
}
