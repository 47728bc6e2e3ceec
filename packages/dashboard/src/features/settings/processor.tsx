import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useAction, useRead } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { Confirm } from '../../ui/forms/dialog.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { Time } from '../../ui/records/time.tsx';
import { ConnectProcessor } from './connect-processor.tsx';
import { ProcessorEvents } from './processor-events.tsx';

const POLL_MS = 5_000;

type Connection = Data<'manageProcessor'>;

/** The connection to Stripe: what to paste there, what to paste here, and whether events arrive. */
export function Processor({ programId, isOwner }: { programId: number; isOwner: boolean }) {
  const params = { program_id: programId };
  const connection = useRead('manageProcessor', { params }, { enabled: isOwner, everyMs: POLL_MS });
  if (!isOwner) return <Notice>Only an owner of the workspace can connect the payment processor.</Notice>;
  return (
    <Loaded read={connection}>
      {({ data }) => {
        const isConnected = data.status === 'connected';
        return (
          <>
            <TitledCard
              title="Stripe"
              words="Payments, renewals, refunds and disputes arrive by themselves, without a line of code on your server."
              action={
                <Badge tone={isConnected ? 'good' : 'neutral'}>{isConnected ? 'Connected' : 'Not connected'}</Badge>
              }
            >
              {isConnected ? (
                <Connected connection={data} programId={programId} />
              ) : (
                <ConnectProcessor programId={programId} webhookUrl={data.webhook_url} events={data.events} />
              )}
            </TitledCard>
            {isConnected && <ProcessorEvents programId={programId} />}
          </>
        );
      }}
    </Loaded>
  );
}

function Connected({ connection, programId }: { connection: Connection; programId: number }) {
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const disconnecting = useAction('manageDisconnectProcessor', () => {
    setAsking(false);
    say('Stripe is disconnected');
  });
  return (
    <div className="max-w-2xl space-y-5">
      <Details
        rows={[
          ['Last event', <LastEvent key="last" last={connection.last_event} />],
          ['Connected', connection.connected_at ? <Time key="at" at={connection.connected_at} /> : '–'],
          ['Account', connection.account_id ?? 'your own'],
          ['Test payments', connection.sandbox ? 'count as real ones' : 'are ignored'],
        ]}
      />
      {connection.last_error && (
        <Notice tone="bad">
          An event failed <Time at={connection.last_error.at} isRelative />: {connection.last_error.message} It is tried
          again by itself.
        </Notice>
      )}
      <CodeBlock text={connection.webhook_url} label="Copy the webhook address" />
      <Button look="danger" onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      <Confirm
        title="Disconnect Stripe?"
        words="Its events are refused from then on, and payments are no longer recorded."
        confirm="Disconnect"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => disconnecting.mutate({ params: { program_id: programId } })}
        isBusy={disconnecting.isPending}
        error={disconnecting.error}
      />
    </div>
  );
}

function LastEvent({ last }: { last: Connection['last_event'] }) {
  if (!last) return <>none yet; this page looks again every five seconds</>;
  return (
    <span role="status">
      <code className="font-mono text-[0.8125rem]">{last.type}</code> <Time at={last.received_at} isRelative />
    </span>
  );
}
