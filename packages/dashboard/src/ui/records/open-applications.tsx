import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/hooks.ts';
import { Notice } from '../feedback/notice.tsx';
import { brandPath } from '../layout/urls.ts';

/** Says that somebody waits to become a partner. */
export function OpenApplications({ programId }: { programId: number }) {
  const query = { status: 'applied', limit: 1 } as const;
  const waiting = useRead('managePartners', { params: { program_id: programId }, query });
  const first = waiting.data?.data[0];
  if (!first) return null;
  return (
    <Notice>
      {first.name} {waiting.data?.meta.next_cursor ? 'and others wait' : 'waits'} for you to approve them as a partner.{' '}
      <Link
        to={brandPath(programId, 'partners')}
        search={{ status: 'applied' } as never}
        className="font-medium underline"
      >
        Look at applications
      </Link>
    </Notice>
  );
}
