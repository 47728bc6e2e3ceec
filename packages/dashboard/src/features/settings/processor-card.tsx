import { INVOICE_LINKS } from '@svc/contract';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Time } from '../../ui/records/time.tsx';
import { LastPayment } from './last-payment.tsx';
import { ProcessorSteps } from './processor-steps.tsx';
import { type Connection, PROCESSOR_WORDS } from './processor-words.ts';

type ConnectionProps = { programId: number; connection: Connection };

/** One payment processor: how the connection is doing, and the steps to set it up. */
export function ProcessorCard({ programId, connection }: ConnectionProps) {
  const { provider, title, status } = connection;
  const isConnected = status === 'connected';
  return (
    <>
      <TitledCard
        title={title}
        description={PROCESSOR_WORDS[provider].about}
        action={<Badge tone={isConnected ? 'good' : 'neutral'}>{isConnected ? 'Connected' : 'Not connected'}</Badge>}
      >
        {isConnected ? (
          <ConnectionDetails programId={programId} connection={connection} />
        ) : (
          <p className="text-sm">Follow the steps below. Events appear in the last one as soon as they arrive.</p>
        )}
      </TitledCard>
      <ProcessorSteps programId={programId} connection={connection} />
    </>
  );
}

function ConnectionDetails({ programId, connection }: ConnectionProps) {
  return (
    <div className="space-y-5">
      <Details
        rows={[
          ['Last event', <LastEvent key="last-event" event={connection.last_event} />],
          ['Connected', connection.connected_at ? <Time key="connected" at={connection.connected_at} /> : '–'],
          ['Account', connection.account_id ?? 'Your own'],
          ['Test payments', connection.sandbox ? 'Recorded as real sales' : 'Shown below, never counted'],
        ]}
      />
      {connection.account_status === 'unproven' && (
        <Notice tone="warn">
          Events of the platform arrive once this account is proven to be yours: put <code>program_id</code> into the
          metadata of a payment, or ask the operator to assign the account.
        </Notice>
      )}
      <OnlyTests connection={connection} />
      <MissingEvents connection={connection} />
      <Unlinked connection={connection} />
      {connection.last_error && (
        <Notice tone="bad">
          An event failed <Time at={connection.last_error.at} isRelative /> and will be retried automatically. Error:{' '}
          {connection.last_error.message}
        </Notice>
      )}
      <LastPayment programId={programId} provider={connection.provider} />
      <Disconnect programId={programId} connection={connection} />
    </div>
  );
}

/** Nothing counts yet, which is right while people try things out and wrong afterwards. */
function OnlyTests({ connection }: { connection: Connection }) {
  if (!connection.only_tests) return null;
  return <Notice>All events so far are tests, which count nowhere. {wayToLive(connection)}</Notice>;
}

function wayToLive({ provider, title, test_mode_in_events: isInEvents }: Connection): string {
  if (PROCESSOR_WORDS[provider].isOwn) return 'Leave test_mode out of events about real payments.';
  return isInEvents
    ? `Before you go live, add this address in ${title}’s live mode too, and its signing secret here.`
    : 'If they are about real payments, the signing secret is marked as one of the sandbox: add it again without the mark.';
}

/** Events that should have arrived by now, if the endpoint were subscribed to them. */
function MissingEvents({ connection: { missing_events: missing } }: { connection: Connection }) {
  return missing.map(({ events, message }) => (
    <Notice key={events.join()} tone="warn">
      {message}
    </Notice>
  ));
}

/** Payments of subscriptions that came without the event that belongs to them. */
function Unlinked({ connection: { provider, unlinked_invoices: count } }: { connection: Connection }) {
  const link = INVOICE_LINKS[provider];
  if (count === 0 || !link) return null;
  return (
    <Notice tone="warn">
      {count === 1
        ? 'A recent subscription payment arrived without the event that links it'
        : `${count} recent subscription payments arrived without the events that link them`}
      , so {link.problem}. Add <code>{link.event}</code> to this endpoint’s events.
    </Notice>
  );
}

function LastEvent({ event }: { event: Connection['last_event'] }) {
  if (!event) return <>None yet. This page checks every 5 seconds.</>;
  return (
    <span role="status">
      <Identifier>{event.type}</Identifier> <Time at={event.received_at} isRelative />
    </span>
  );
}

function Disconnect({ programId, connection: { title, provider } }: ConnectionProps) {
  const toast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const disconnection = useApiMutation('manageDisconnectProcessor', () => {
    setConfirming(false);
    toast(`${title} disconnected`);
  });
  return (
    <>
      <Button variant="danger" onClick={() => setConfirming(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        title={`Disconnect ${title}?`}
        description={`Events from ${title} will be rejected and payments no longer recorded. The signing secrets are deleted.`}
        confirmLabel="Disconnect"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => disconnection.mutate({ params: { program_id: programId }, query: { provider } })}
        isBusy={disconnection.isPending}
        error={disconnection.error}
      />
    </>
  );
}
