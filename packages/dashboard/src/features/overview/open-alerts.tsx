import type { AlertKind } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';

/** Where each kind is fixed, if that is a page of the dashboard. */
const FIXES: Record<AlertKind, { label: string; search: Record<string, string> } | null> = {
  webhook_failing: { label: 'View webhooks', search: { tab: 'webhooks' } },
  payment_events_failing: { label: 'View payment events', search: { tab: 'payments', state: 'failed' } },
  books_differ: null,
};

/** What is and was wrong with the program. */
export function useAlerts(programId: number) {
  return useApiQuery('manageAlerts', { params: { program_id: programId } });
}

/** Notices for the brand about what is wrong with the program at the moment. */
export function OpenAlerts({ programId }: { programId: number }) {
  const alerts = useAlerts(programId);
  const open = alerts.data?.data.filter(({ closed_at: closedAt }) => closedAt === null) ?? [];
  return open.map(({ id, kind, message }) => {
    const fix = FIXES[kind];
    return (
      <Notice key={id} tone="warn">
        {message}{' '}
        {fix && (
          <Link
            to="/app/programs/$programId/settings"
            params={{ programId }}
            search={fix.search}
            className="font-medium underline"
          >
            {fix.label}
          </Link>
        )}
      </Notice>
    );
  });
}
