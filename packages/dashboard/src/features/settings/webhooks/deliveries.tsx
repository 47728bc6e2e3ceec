import { useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { POLL_MS, useApiQuery } from '../../../api/hooks.ts';
import { DELIVERY_STATUSES } from '../../../rules/statuses.ts';
import { useAction } from '../../../ui/feedback/action.ts';
import { StatusBadge, statusOptions } from '../../../ui/feedback/status-badge.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { EmptyList } from '../../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../../ui/lists/filters.tsx';
import { List } from '../../../ui/lists/list.tsx';
import { usePageSize } from '../../../ui/lists/page-size.ts';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { Time, TimeAhead } from '../../../ui/records/time.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import type { Delivery, Webhook } from './webhook-words.ts';

/** What was sent to an endpoint and how it went, newest first, updated live. */
export function Deliveries({ programId, webhook }: { programId: number; webhook: Webhook }) {
  const { delivery_status: status, cursor } = useSearch({
    from: '/app/programs/$programId/settings/webhooks/$webhookId',
  });
  const params = { program_id: programId, webhook_id: webhook.id };
  const [limit] = usePageSize();
  const deliveries = useApiQuery(
    'manageDeliveries',
    { params, query: { status, cursor, limit } },
    // Older pages are not updated: new deliveries would shift their rows.
    { refetchMs: cursor ? false : POLL_MS },
  );
  const still = useStill(deliveries);
  return (
    <div {...still.listeners}>
      <List
        label="Deliveries"
        query={still.query}
        rowKey={({ id }) => id}
        hasPageSize
        toolbar={
          <>
            <div className="mr-auto">
              <h2 className="text-base font-semibold">Deliveries</h2>
              <p className="mt-0.5 text-sm text-quiet">
                Failed deliveries are retried seven times within about 28 hours. This list refreshes automatically.
              </p>
            </div>
            <FilterSelect name="delivery_status" label="All statuses" options={statusOptions(DELIVERY_STATUSES)} />
          </>
        }
        details={{
          nameOf,
          show: (delivery) => <DeliveryDetails {...{ programId, delivery }} webhookId={webhook.id} />,
        }}
        columns={[
          {
            title: 'Event',
            cell: (delivery) => (
              <>
                <Identifier>{delivery.type}</Identifier>{' '}
                {delivery.sequence !== null && <span className="text-caption text-quiet">#{delivery.sequence}</span>}
                {delivery.status !== 'delivered' && delivery.last_error && (
                  <div className="text-caption text-bad">{delivery.last_error}</div>
                )}
              </>
            ),
          },
          {
            title: 'Status',
            cell: (delivery) => <DeliveryStatus delivery={delivery} isWaiting={webhook.status === 'active'} />,
          },
          { title: 'Attempts', isRightAligned: true, showFrom: 'medium', cell: ({ attempts }) => attempts },
          {
            title: 'Created',
            isRightAligned: true,
            showFrom: 'medium',
            cell: ({ created_at: at }) => <Time at={at} />,
          },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (delivery) => (
              <Allowed route="manageResendDelivery">
                <Resend {...{ programId, webhook, delivery }} />
              </Allowed>
            ),
          },
        ]}
        empty={
          <EmptyList icon={Send} noun="deliveries" isFiltered={status !== undefined}>
            Events of its types appear here as they happen. Send a test to see whether your endpoint answers.
          </EmptyList>
        }
      />
    </div>
  );
}

/**
 * Keeps new rows away while somebody points at a row or has moved the focus into one: each would move the buttons by a row. What
 * becomes of the rows that are there is shown all the same.
 */
function useStill(query: DeliveryQuery) {
  const first = query.data?.data[0]?.id ?? null;
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [newest, setNewest] = useState(first);
  const isStill = (isPointed || isFocused) && newest !== null;
  if (!isStill && newest !== first) setNewest(first);
  const isInRow = ({ target }: SyntheticEvent) => target instanceof Element && target.closest('tbody') !== null;
  return {
    query: isStill && query.data ? ({ ...query, data: upTo(newest, query.data) } as DeliveryQuery) : query,
    listeners: {
      onPointerOver: (event: SyntheticEvent) => setPointed(isInRow(event)),
      onPointerLeave: () => setPointed(false),
      onFocus: (event: SyntheticEvent) => setFocused(isInRow(event)),
      onBlur: () => setFocused(false),
    },
  };
}

type DeliveryQuery = ReturnType<typeof useApiQuery<'manageDeliveries'>>;

const upTo = (newest: number, page: Reply<'manageDeliveries'>) => ({
  ...page,
  data: page.data.filter(({ id }) => id <= newest),
});

const nameOf = ({ type, sequence }: Delivery) => (sequence === null ? 'the test' : `${type} ${sequence}`);

type DeliveryStatusProps = {
  delivery: Delivery;
  /** Whether it is going to be sent by itself. */
  isWaiting: boolean;
};

function DeliveryStatus({ delivery: { status, next_attempt_at: next, attempts }, isWaiting }: DeliveryStatusProps) {
  return (
    <>
      <StatusBadge status={status} />
      {isWaiting && attempts > 0 && next && (
        <div className="mt-1 text-caption text-quiet">
          Next attempt <TimeAhead at={next} />
        </div>
      )}
    </>
  );
}

type ResendProps = { programId: number; webhook: Webhook; delivery: Delivery };

/** Sends a delivery again. One that was never tried is about to be sent anyway. */
function Resend({ programId, webhook, delivery }: ResendProps) {
  const toast = useToast();
  const resending = useAction('manageResendDelivery', () => toast('Sending it again'));
  const params = { program_id: programId, delivery_id: delivery.id };
  if (delivery.status === 'pending' && delivery.attempts === 0) return null;
  const isDisabled = webhook.status === 'disabled';
  return (
    <Button
      size="small"
      aria-label={`Resend ${nameOf(delivery)}`}
      disabled={isDisabled}
      title={isDisabled ? 'Enable the webhook first' : undefined}
      isBusy={resending.isPending}
      onClick={() => resending.mutate({ params })}
    >
      Resend
    </Button>
  );
}
