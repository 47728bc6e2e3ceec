import { StatusBadge } from '../feedback/status-badge.tsx';

/** The status of a partner. Invited partners have no account yet, but their links work, and they earn. */
export function PartnerStatus({ status, hasAccount }: { status: string; hasAccount: boolean }) {
  return <StatusBadge status={status === 'active' && !hasAccount ? 'invited' : status} />;
}
