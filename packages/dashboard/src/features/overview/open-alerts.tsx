import type { AlertKind } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';

/** Where each kind is fixed. */
const FIXES: Record<AlertKind, { label: string; search: Record<string, string> }> = {
  webhook_failing: { label: 'View webhooks', search: { tab: 'webhooks' } },
  payment_events_failing: { label: 'View payment events', search: { tab: 'payments', state: 'failed' } },
};

/** Notices for the brand about what is wrong with the program at the moment. */
export function OpenAlerts({ programId }: { programId: number }) {
  const alerts = useApiQuery('manageAlerts', { params: { program_id: programId } });
  const open = alerts.data?.data.filter(({ closed_at: closedAt }) => closedAt === null) ?? [];
  return open.map(({ id, kind, message }) => (
    <Notice key={id} tone="warn">
      {message}{' '}
      <Link
        to="/app/programs/$programId/settings"
        params={{ programId }}
        search={FIXES[kind].search}
        className="font-medium underline"
      >
        {FIXES[kind].label}
      </Link>
    </Notice>
  ));
}
