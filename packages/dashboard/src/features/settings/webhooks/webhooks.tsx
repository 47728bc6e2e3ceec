import { Link } from '@tanstack/react-router';
import { Webhook as WebhookIcon } from 'lucide-react';
import { POLL_MS, useApiQuery } from '../../../api/hooks.ts';
import { settings } from '../../../api/settings.ts';
import { describeTypes } from '../../../rules/event-types.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../../ui/feedback/status-badge.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import type { Column } from '../../../ui/lists/column.ts';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { AddWebhook } from './add-webhook.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { isFailing, WebhookStatus, wasGivenUp } from './webhook-status.tsx';
import { FORMAT_OPTIONS, type Webhook } from './webhook-words.ts';

/** How many endpoints fail, and how many the service has disabled, for the tab. */
export function useWebhookMark(programId: number): string | undefined {
  const webhooks = useApiQuery('manageWebhooks', { params: { program_id: programId } }).data?.data ?? [];
  const failing = webhooks.filter(isFailing).length;
  const disabled = webhooks.filter(wasGivenUp).length;
  return [failing > 0 && `${failing} failing`, disabled > 0 && `${disabled} disabled`].filter(Boolean).join(', ');
}

/** The endpoints that events are sent to. */
export function Webhooks({ programId }: { programId: number }) {
  const webhooks = useApiQuery('manageWebhooks', { params: { program_id: programId } }, { refetchMs: POLL_MS });
  const docs = (
    <a href={`${settings.base_url}/docs/guide/events#webhooks`} className="text-accent underline">
      Read how they work
    </a>
  );
  return (
    <TitledCard
      title="Webhooks"
      description="We call your URL when something happens, such as a sale or a payout. Each event has a number, so your server can tell that it has missed none."
      action={
        <Allowed route="manageAddWebhook" to="add and change webhooks">
          <AddWebhook programId={programId} />
        </Allowed>
      }
    >
      <QueryState query={webhooks}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={WebhookIcon} title="No webhooks yet" action={docs}>
              Grant a credit, fill a CRM or a warehouse, or post each sale to Slack or Discord, without asking us again
              and again what is new.
            </EmptyState>
          ) : (
            <>
              <div data-list className="-mx-5">
                <DataTable label="Endpoints" rows={data} rowKey={({ id }) => id} columns={columnsOf(programId)} />
              </div>
              <p className="mt-4 text-sm text-quiet">{docs}</p>
            </>
          )
        }
      </QueryState>
    </TitledCard>
  );
}

function columnsOf(programId: number): Column<Webhook>[] {
  return [
    {
      title: 'Endpoint',
      cell: (webhook) => (
        <>
          <Link
            to="/app/programs/$programId/settings/webhooks/$webhookId"
            params={{ programId, webhookId: String(webhook.id) }}
            className="hover:underline"
          >
            <Identifier>{webhook.url}</Identifier>
          </Link>
          {webhook.description && <div className="text-caption wrap-anywhere">{webhook.description}</div>}
          <div className="text-caption text-quiet">
            {describeTypes(webhook.types)}, {FORMAT_OPTIONS.find(([format]) => format === webhook.format)?.[1]}
          </div>
        </>
      ),
    },
    { title: 'Status', showFrom: 'small', isStacked: true, cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    {
      title: 'Last delivery',
      showFrom: 'medium',
      isStacked: true,
      cell: ({ last_delivery_at: at, last_delivery_status: status }) =>
        at && status ? (
          <>
            <StatusBadge status={status} /> <Time at={at} isRelative />
          </>
        ) : (
          <span className="text-quiet">None yet</span>
        ),
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      isRightAligned: true,
      cell: (webhook) => (
        <Allowed route="manageChangeWebhook">
          <WebhookActions programId={programId} webhook={webhook} />
        </Allowed>
      ),
    },
  ];
}
