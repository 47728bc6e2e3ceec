import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { POLL_MS, useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { describeTypes } from '../../../rules/event-types.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { BackLink } from '../../../ui/layout/back-link.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Details } from '../../../ui/layout/details.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { DateOnly } from '../../../ui/records/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { SendTest, TestOutcome } from './send-test.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import { FORMAT_HELP, type Webhook } from './webhook-words.ts';

/** An endpoint: what it gets, how it is doing, and every delivery. */
export function Page() {
  const { programId, webhookId } = useParams({ from: '/app/programs/$programId/settings/webhooks/$webhookId' });
  const params = { program_id: programId, webhook_id: webhookId };
  const webhook = useApiQuery('manageWebhook', { params }, { refetchMs: POLL_MS, keepPrevious: false });
  return (
    <QueryState query={webhook} lines={8}>
      {({ data }) => <WebhookView key={data.id} programId={programId} webhook={data} />}
    </QueryState>
  );
}

function WebhookView({ programId, webhook }: { programId: number; webhook: Webhook }) {
  const navigate = useNavigate();
  const testing = useApiMutation('manageTestWebhook');
  const [isReplaying, setReplaying] = useState(false);
  const isDisabled = webhook.status === 'disabled';
  const toList = {
    to: '/app/programs/$programId/settings',
    params: { programId },
    search: { tab: 'webhooks' },
  } as const;
  return (
    <>
      <BackLink>
        <Link {...toList}>Webhooks</Link>
      </BackLink>
      <PageHeader title="Webhook" description={<Identifier>{webhook.url}</Identifier>}>
        <Allowed route="manageTestWebhook" to="send tests and make changes">
          <SendTest programId={programId} webhookId={webhook.id} testing={testing} />
          <Button
            disabled={isDisabled}
            title={isDisabled ? 'Enable the webhook first' : undefined}
            onClick={() => setReplaying(true)}
          >
            Send events again
          </Button>
          <WebhookActions {...{ programId, webhook }} onDeleted={() => navigate(toList)} />
        </Allowed>
      </PageHeader>
      <TestOutcome testing={testing} />
      <div className="space-y-6">
        <TitledCard title="Endpoint">
          <Details
            rows={[
              ['Status', <WebhookStatus key="status" webhook={webhook} />],
              ['Events', webhook.types.length > 2 ? webhook.types.join(', ') : describeTypes(webhook.types)],
              ['Format', FORMAT_HELP[webhook.format]],
              ['Description', webhook.description ?? '–'],
              ['Added', <DateOnly key="added" at={webhook.created_at} />],
            ]}
          />
          {isDisabled && (
            <div className="mt-4">
              <Notice tone="warn">
                Nothing is sent to this webhook. When you enable it, you can choose to send what it has missed.
              </Notice>
            </div>
          )}
        </TitledCard>
        <Deliveries programId={programId} webhook={webhook} />
      </div>
      {isReplaying && <ReplayDialog {...{ programId, webhook }} onClose={() => setReplaying(false)} />}
    </>
  );
}
