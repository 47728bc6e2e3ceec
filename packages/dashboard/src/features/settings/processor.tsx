import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useAction, useRead } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TitledCard } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Details } from '../../ui/details.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';

const POLL_MS = 5_000;

/** What Stripe has to send; everything else is ignored. */
const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.payment_succeeded',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'charge.dispute.created',
  'charge.dispute.closed',
];

type Connection = Data<'manageProcessor'> & {
  last_event_at?: string | null;
  last_event_type?: string | null;
  last_error?: string | null;
};

/** The connection to Stripe: what to paste there, what to paste here, and whether events arrive. */
export function Processor({ programId, isOwner }: { programId: number; isOwner: boolean }) {
  const params = { program_id: programId };
  const connection = useRead('manageProcessor', { params }, { enabled: isOwner, everyMs: POLL_MS });
  if (!isOwner) return <Notice>Only an owner of the workspace can connect the payment processor.</Notice>;
  return (
    <Loaded read={connection}>
      {({ data }) => (
        <>
          <TitledCard
            title="Stripe"
            words="Payments, renewals and refunds arrive by themselves, without a line of code on your server."
            action={
              <Badge tone={data.status === 'connected' ? 'good' : 'neutral'}>
                {data.status === 'connected' ? 'Connected' : 'Not connected'}
              </Badge>
            }
          >
            {data.status === 'connected' ? (
              <Connected connection={data} programId={programId} />
            ) : (
              <Connect programId={programId} />
            )}
          </TitledCard>
        </>
      )}
    </Loaded>
  );
}

function Connect({ programId }: { programId: number }) {
  const say = useToast();
  const connecting = useAction('manageConnectProcessor', () => say('Stripe is connected'));
  return (
    <ol className="max-w-2xl space-y-6">
      <li>
        <h3 className="mb-2 text-sm font-semibold">1. In Stripe, add a webhook endpoint with this address</h3>
        <WebhookUrl programId={programId} />
      </li>
      <li>
        <h3 className="mb-2 text-sm font-semibold">2. Let it send these events</h3>
        <CodeBlock text={EVENTS.join('\n')} label="Copy the events" />
      </li>
      <li>
        <h3 className="mb-3 text-sm font-semibold">3. Paste its signing secret here</h3>
        <Form
          error={connecting.error}
          onSubmit={({ secret = '', account = '' }) =>
            connecting.mutate({
              params: { program_id: programId },
              body: { provider: 'stripe', webhook_secret: secret, ...(account && { account_id: account }) },
            })
          }
        >
          <TextField
            label="Signing secret"
            name="secret"
            type="password"
            autoComplete="off"
            required
            placeholder="whsec_…"
            hint="It is kept encrypted and never shown again."
          />
          <TextField label="Account id" name="account" placeholder="acct_…" hint="Only for Stripe Connect platforms." />
          <Button type="submit" look="primary" isBusy={connecting.isPending}>
            Connect Stripe
          </Button>
        </Form>
      </li>
    </ol>
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
          ['Last event', <LastEvent key="last" connection={connection} />],
          ...(connection.last_error ? [['Last trouble', connection.last_error] as [string, string]] : []),
          ['Connected', connection.connected_at ? <Time key="at" at={connection.connected_at} /> : '–'],
          ['Account', connection.account_id ?? 'your own'],
        ]}
      />
      <WebhookUrl programId={programId} />
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

function LastEvent({ connection }: { connection: Connection }) {
  if (!connection.last_event_at) return <>none yet; this page looks again every five seconds</>;
  return (
    <span role="status">
      <code className="font-mono text-[0.8125rem]">{connection.last_event_type}</code>{' '}
      <Time at={connection.last_event_at} isRelative />
    </span>
  );
}

function WebhookUrl({ programId }: { programId: number }) {
  return (
    <CodeBlock text={`${settings.base_url}/api/v1/webhooks/stripe/${programId}`} label="Copy the webhook address" />
  );
}
