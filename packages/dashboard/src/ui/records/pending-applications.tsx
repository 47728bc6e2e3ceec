import { Link } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../feedback/notice.tsx';

/** The first of those who have applied and wait for a decision. */
export function useApplications(programId: number) {
  const query = { status: 'applied', limit: 1 } as const;
  return useApiQuery('managePartners', { params: { program_id: programId }, query });
}

/** A notice for the brand while applications are pending. */
export function PendingApplications({ programId }: { programId: number }) {
  const applications = useApplications(programId);
  const first = applications.data?.data[0];
  if (!first) return null;
  const hasMore = applications.data?.meta.next_cursor !== null;
  return (
    <Notice>
      {hasMore
        ? `${first.name} and others have applied to become partners.`
        : `${first.name} has applied to become a partner.`}{' '}
      <Link
        to="/app/programs/$programId/partners"
        params={{ programId }}
        search={{ status: 'applied' }}
        className="font-medium underline"
      >
        Review applications
      </Link>
    </Notice>
  );
}
