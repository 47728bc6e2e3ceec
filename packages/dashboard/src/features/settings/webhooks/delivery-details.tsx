import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApiQuery } from '../../../api/hooks.ts';
import { prettyJson } from '../../../rules/pretty-json.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { CodeBlock } from '../../../ui/forms/copy.tsx';
import { type DetailRow, Details } from '../../../ui/layout/details.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { Time, TimeAhead } from '../../../ui/records/time.tsx';
import type { Delivery } from './webhook-words.ts';

type DeliveryDetailsProps = { programId: number; webhookId: number; delivery: Delivery };

/** What was sent, and what the endpoint answered last. Whatever it answered is shown as text. */
export function DeliveryDetails({ programId, webhookId, delivery }: DeliveryDetailsProps) {
  const { response_headers: headers, response_body: body } = delivery;
  return (
    <div className="space-y-5">
      <Details rows={factsOf(programId, delivery)} />
      <Part title="Request">
        <Request {...{ programId, webhookId }} deliveryId={delivery.id} />
      </Part>
      <Part title="Response">
        {delivery.last_status === null ? (
          <p className="text-sm text-quiet">
            {delivery.attempts === 0 ? 'Not sent yet.' : 'The endpoint gave no answer.'}
          </p>
        ) : (
          <>
            <Headers headers={headers ?? {}} label="Copy response headers" />
            {body ? (
              <>
                <p className="text-caption text-quiet">The first 4 KiB of the body</p>
                <CodeBlock text={body} label="Copy response body" />
              </>
            ) : (
              <p className="text-sm text-quiet">The body was empty.</p>
            )}
          </>
        )}
      </Part>
    </div>
  );
}

function factsOf(programId: number, delivery: Delivery): DetailRow[] {
  const { sequence, last_status: status, next_attempt_at: next } = delivery;
  const facts: (DetailRow | null)[] = [
    ['Event ID', <Identifier key="id">{delivery.event_id}</Identifier>],
    [
      'Number',
      sequence === null ? (
        'None, because it is a test'
      ) : (
        <Link
          key="number"
          to="/app/programs/$programId/events"
          params={{ programId }}
          search={{ tab: 'feed', q: String(sequence) }}
          className="text-accent underline"
        >
          {sequence}
        </Link>
      ),
    ],
    ['Created', <Time key="created" at={delivery.created_at} />],
    ['Attempts', delivery.attempts],
    next ? ['Next attempt', <TimeAhead key="next" at={next} />] : null,
    status === null ? null : ['Status code', status],
    delivery.last_error ? ['Error', delivery.last_error] : null,
  ];
  return facts.filter((fact) => fact !== null);
}

function Request({ programId, webhookId, deliveryId }: { programId: number; webhookId: number; deliveryId: number }) {
  const params = { program_id: programId, webhook_id: webhookId, delivery_id: deliveryId };
  const delivery = useApiQuery('manageDelivery', { params });
  return (
    <QueryState query={delivery} lines={3}>
      {({ data: { request } }) =>
        request ? (
          <>
            <Headers headers={request.headers} label="Copy request headers" />
            <p className="text-caption text-quiet">
              Every attempt also has a <code>webhook-timestamp</code> and a new <code>webhook-signature</code>. The body
              is sent without these line breaks, and always the same.
            </p>
            <CodeBlock text={request.body} shown={prettyJson(request.body)} label="Copy request body" />
          </>
        ) : (
          <p className="text-sm text-quiet">The event is no longer kept.</p>
        )
      }
    </QueryState>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function Headers({ headers, label }: { headers: Record<string, string>; label: string }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return <CodeBlock text={lines.join('\n')} label={label} />;
}
