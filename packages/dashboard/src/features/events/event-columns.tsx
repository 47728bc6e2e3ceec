import { CircleMinus, CircleSlash } from 'lucide-react';
import type { Row } from '../../api/client.ts';
import type { EVENT_TYPES } from '../../rules/statuses.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import type { Column } from '../../ui/lists/column.ts';
import { Money } from '../../ui/records/money.tsx';
import { PartnerName } from '../../ui/records/partner-name.tsx';
import { CustomerLink, TransactionLink } from '../../ui/records/record-links.tsx';
import { Time } from '../../ui/records/time.tsx';

type Event = Row<'manageEvents'>;
type EventType = (typeof EVENT_TYPES)[number];

const LABELS: Record<EventType, { tone: Tone; one: string; many: string }> = {
  click: { tone: 'neutral', one: 'Click', many: 'Clicks' },
  lead: { tone: 'accent', one: 'Signup', many: 'Signups' },
  sale: { tone: 'good', one: 'Sale', many: 'Sales' },
  refund: { tone: 'bad', one: 'Refund', many: 'Refunds' },
};

export const TYPE_OPTIONS = Object.entries(LABELS).map(
  ([type, { many }]): Option<EventType> => [type as EventType, many],
);

/** What an event that was not recorded is called. */
const NOT_RECORDED: Record<Exclude<Event['outcome'], 'recorded'>, string> = {
  refused: 'Refused',
  failed: 'Failed',
  not_attributed: 'Not attributed',
  unchanged: 'No change',
};

export function eventColumns(programId: number): Column<Event>[] {
  return [
    { title: 'Event', cell: (event) => <EventBadges event={event} /> },
    {
      title: 'Customer',
      showFrom: 'medium',
      isStacked: true,
      cell: ({ customer_id: id, customer_key: key }) =>
        id ? <CustomerLink programId={programId} customerId={id} label={key ?? `Visitor ${id}`} /> : (key ?? '–'),
    },
    { title: 'Partner', showFrom: 'wide', cell: ({ partner_name: name }) => <PartnerName name={name} /> },
    {
      title: 'Transaction',
      showFrom: 'medium',
      cell: ({ transaction_id: id }) =>
        id ? <TransactionLink programId={programId} transactionId={id} /> : <span className="text-quiet">–</span>,
    },
    {
      title: 'Amount',
      isRightAligned: true,
      showFrom: 'medium',
      isStacked: true,
      cell: ({ amount_cents: cents, currency }) =>
        cents === null || currency === null ? null : <Money cents={cents} currency={currency} />,
    },
    { title: 'Time', isRightAligned: true, cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}

/** The type and, for what was not recorded, how it ended and why. */
function EventBadges({ event }: { event: Event }) {
  const { type, outcome, is_test: isTest } = event;
  const isRecorded = outcome === 'recorded';
  return (
    <>
      <span className="flex flex-wrap gap-1.5">
        <Badge tone={isRecorded ? LABELS[type].tone : 'neutral'}>{LABELS[type].one}</Badge>
        {!isRecorded && (
          <Badge
            tone={outcome === 'unchanged' ? 'neutral' : 'bad'}
            icon={outcome === 'unchanged' ? CircleMinus : CircleSlash}
          >
            {NOT_RECORDED[outcome]}
          </Badge>
        )}
        {isTest && <Badge>Test</Badge>}
      </span>
      {!isRecorded && (
        <p className="mt-1 max-w-md text-caption text-quiet">
          {event.sentence} {event.message}
        </p>
      )}
    </>
  );
}
