import { TriangleAlert } from 'lucide-react';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { StatusBadge } from '../../../ui/feedback/status-badge.tsx';
import { Time } from '../../../ui/records/time.tsx';
import type { Webhook } from './webhook-words.ts';

const DISABLED: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  person: 'Disabled by your team',
  gone: 'Disabled because it answered 410 (Gone)',
  failing: 'Disabled because nothing arrived for five days',
};

/** How an endpoint is doing, with the reason if it is not doing well. */
export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { status, disabled_reason: reason, failing_since: failingSince } = webhook;
  if (status === 'disabled') {
    return (
      <>
        <StatusBadge status="disabled" />
        {reason && <div className="mt-1 text-caption text-quiet">{DISABLED[reason]}</div>}
      </>
    );
  }
  if (failingSince === null) return <StatusBadge status="active" />;
  return (
    <>
      <Badge tone="bad" icon={TriangleAlert}>
        Failing
      </Badge>
      <div className="mt-1 text-caption text-quiet">
        Since <Time at={failingSince} />
      </div>
    </>
  );
}

export const isFailing = ({ status, failing_since: since }: Webhook) => status === 'active' && since !== null;

/** Whether the service has disabled it, and not a person. */
export const wasGivenUp = ({ disabled_reason: reason }: Webhook) => reason === 'gone' || reason === 'failing';
