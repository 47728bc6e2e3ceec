import { useState } from 'react';
import { settings } from '../../api/settings.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CodeBlock, CopyButton } from '../../ui/forms/copy.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Time } from '../../ui/records/time.tsx';
import { CheckoutCode } from './checkout-code.tsx';
import { ConnectForm } from './connect-form.tsx';
import { ProcessorEvents } from './processor-events.tsx';
import { ProcessorSecrets } from './processor-secrets.tsx';
import { type Connection, PROCESSOR_WORDS } from './processor-words.ts';

type StepsProps = { programId: number; connection: Connection };

/** The way from nothing to the first event. It stays available, folded, once events arrive. */
export function ProcessorSteps({ programId, connection }: StepsProps) {
  const { provider, status, last_event: lastEvent, signature_mismatches: mismatches } = connection;
  const { addressStep, dataStep, secret, isOwn } = PROCESSOR_WORDS[provider];
  // Decided once, so that no step folds while a person reads it.
  const [isFolded] = useState(lastEvent !== null);
  const isConnected = status === 'connected';
  return (
    <ol className="space-y-6">
      <Step number={1} title={addressStep} isDone={lastEvent !== null || mismatches !== null} isFolded={isFolded}>
        <Address connection={connection} />
      </Step>
      <Step number={2} title={isOwn ? 'Choose what to send' : 'Select the events'} isFolded={isFolded}>
        <Events connection={connection} />
      </Step>
      <Step number={3} title="Enter the signing secret" isDone={isConnected}>
        {isConnected ? (
          <ProcessorSecrets programId={programId} connection={connection} />
        ) : (
          <div className="space-y-4">
            <p className="text-sm">{secret}</p>
            <ConnectForm programId={programId} connection={connection} />
          </div>
        )}
      </Step>
      <Step number={4} title={dataStep} isFolded={isFolded}>
        <CheckoutData programId={programId} connection={connection} />
      </Step>
      <li>
        <ProcessorEvents programId={programId} connection={connection} number={5} />
      </li>
    </ol>
  );
}

function Address({ connection: { provider, webhook_url: url } }: { connection: Connection }) {
  const { title, create, forward, isOwn } = PROCESSOR_WORDS[provider];
  const isLocal = !isOwn && ['localhost', '127.0.0.1'].includes(new URL(url).hostname);
  return (
    <>
      <p className="text-sm">{create}</p>
      <CodeBlock text={url} label="Copy webhook URL" />
      {isLocal && (
        <p className="text-sm text-quiet">
          {title} can’t reach this address, because it leads to your own machine.{' '}
          {forward
            ? 'While you develop, forward test events with the Stripe CLI and use the signing secret that it prints:'
            : 'While you develop, use a tunnel with a public address.'}
        </p>
      )}
      {isLocal && forward && <CodeBlock text={forward(url)} label="Copy command" />}
    </>
  );
}

function Events({ connection: { provider, events, event_uses: uses, events_seen: seen } }: { connection: Connection }) {
  const { payload } = PROCESSOR_WORDS[provider];
  return (
    <>
      {payload && <Notice>{payload}</Notice>}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm">Each event has a purpose. Others do no harm and are ignored.</p>
        <CopyButton text={events.join('\n')} label="Copy events" />
      </div>
      <dl className="divide-y divide-line text-sm">
        {uses.map(({ type, use }) => (
          <div key={type} className="grid gap-x-6 py-2 sm:grid-cols-[20rem_1fr]">
            <dt className="min-w-0 break-words">
              <Identifier>{type}</Identifier>
            </dt>
            <dd className="text-quiet">
              {use}
              <LastSeen seen={seen.find((one) => one.type === type)} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** When an event of the type arrived last, if one ever did. */
function LastSeen({ seen }: { seen: Connection['events_seen'][number] | undefined }) {
  if (!seen) return null;
  return (
    <div className="text-caption">
      Last arrived <Time at={seen.last_at} isRelative />
      {seen.tests === seen.events && ', only as a test so far'}
    </div>
  );
}

function CheckoutData({ programId, connection: { provider } }: StepsProps) {
  const { why, data } = PROCESSOR_WORDS[provider];
  return (
    <>
      <p className="text-sm">
        {why} The visitor’s click is in the cookie <code className="font-mono">svc_click_id</code>, which the tracker
        sets. See{' '}
        <a href={`${settings.base_url}/docs/payments`} className="text-accent underline">
          more about the {data}
        </a>
        .
      </p>
      <CheckoutCode key={provider} programId={programId} provider={provider} />
    </>
  );
}
