import { StatusBadge } from '../feedback/status-badge.tsx';

/** The status of a partner. Partners are active before they have an account: their links work, and they earn. */
export function PartnerStatus({ status, hasAccount }: { status: string; hasAccount: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusBadge status={status} />
      {status === 'active' && !hasAccount && (
        <span className="text-xs whitespace-nowrap text-quiet">No account yet</span>
      )}
    </span>
  );
}
